import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Drops } from '../../../../src/api/answers.ts';
import { DropList } from '../../../../src/dashboard/report/panels/drops.tsx';
import { renderIn, SCOPE, textIn } from '../../components.tsx';

test('every reason is explained, and one that is not known here is called as the server calls it', () => {
  const report: Drops = {
    from: '2026-03-01T00:00:00Z',
    to: '2026-03-10T23:59:59Z',
    drops: [
      { reason: 'spam', hits: 12 },
      { reason: 'of-tomorrow', hits: 1 },
    ],
  };
  assert.equal(
    textIn(renderIn(SCOPE, <DropList report={report} />)),
    'Spam 12 Visits from known spam referrers. of-tomorrow 1 CSV',
  );
});
