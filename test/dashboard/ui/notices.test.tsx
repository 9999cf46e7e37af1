import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderToString } from 'preact-render-to-string';
import { describeNotices } from '../../../src/api/notices.ts';
import { spanText } from '../../../src/dashboard/core/format.ts';
import { NoticedAbove, Notices } from '../../../src/dashboard/ui/notices.tsx';
import { coded } from '../../../src/lang/coded.ts';
import { textIn } from '../components.tsx';

test('a notice is shown once, with its days as the reader writes them', () => {
  const days = [
    { from: '2026-01-29', to: '2026-02-03' },
    { from: '2026-03-01', to: '2026-03-01' },
  ];
  const noticed = describeNotices([coded('rows_unknown', { days })]);
  const shown = textIn(renderToString(<Notices of={[noticed, undefined, noticed]} />));
  const [span, day] = [
    spanText({ from: '2026-01-29', to: '2026-02-03' }),
    spanText({ from: '2026-03-01', to: '2026-03-01' }),
  ];
  assert.equal(
    shown,
    `This report does not include ${span}, ${day}, because the import did not contain this data.`.replaceAll(
      /\s/g,
      ' ',
    ),
  );
  assert.equal(renderToString(<Notices of={[{}]} />), '');
});

test('a notice that stands at the top of the page is not repeated below', () => {
  const [both, other] = [{ notices: ['One.', 'Two.'] }, { notices: ['One.'] }];
  const below = renderToString(
    <NoticedAbove.Provider value={[undefined, other]}>
      <Notices of={[both]} />
    </NoticedAbove.Provider>,
  );
  assert.equal(textIn(below), 'Two.');
});
