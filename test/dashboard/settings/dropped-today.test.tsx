import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { DroppedToday } from '../../../src/dashboard/settings/dropped-today.tsx';

test('a reason and what it means are words apart, also for programs that read no layout', () => {
  const html = renderToString(<DroppedToday drops={[{ reason: 'bot', hits: 2 }]} isOpen />);
  assert.match(html.replaceAll(/<[^>]*>/g, ''), /Bots Declared bots and automated browsers/);
});
