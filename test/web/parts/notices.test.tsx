import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { spanText } from '../../../src/web/format.ts';
import { Notices } from '../../../src/web/parts/notices.tsx';
import { textIn } from '../components.tsx';

test('a notice is shown once, with its days as the reader writes them', () => {
  const notice = 'Not in this answer: 2026-01-29 to 2026-02-03, 2026-03-01.';
  const shown = textIn(renderToString(<Notices of={[{ notices: [notice] }, undefined, { notices: [notice] }]} />));
  const [span, day] = [
    spanText({ from: '2026-01-29', to: '2026-02-03' }),
    spanText({ from: '2026-03-01', to: '2026-03-01' }),
  ];
  assert.equal(shown, `Not in this answer: ${span}, ${day}.`.replaceAll(/\s/g, ' '));
  assert.equal(renderToString(<Notices of={[{}]} />), '');
});
