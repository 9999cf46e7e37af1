import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { Details } from '../../../src/dashboard/settings/blocks.tsx';
import { textIn } from '../components.tsx';

test('blocks: a number that could not be counted is left out', () => {
  const shown = (note: string, dropped: number | null) =>
    textIn(renderToString(<Details note={note} dropped={dropped} />));
  assert.equal(shown('Office', 2), 'Office · 2 hits dropped in the last 30 days');
  assert.equal(shown('', 0), '0 hits dropped in the last 30 days');
  assert.equal(shown('Office', null), 'Office');
  assert.equal(renderToString(<Details note="" dropped={null} />), '');
});
