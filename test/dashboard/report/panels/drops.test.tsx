import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Drops } from '../../../../src/api/answers.ts';
import { REASONS } from '../../../../src/collect/outcome.ts';
import { dropReason } from '../../../../src/dashboard/core/drop-reasons.ts';
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

test('each reason of the server has a name and an explanation, which tells AI crawlers here from those of the other panel', () => {
  for (const reason of REASONS) {
    const { name, why } = dropReason(reason);
    assert.notEqual(name, reason);
    assert.ok(why.length > 10, reason);
  }
  assert.equal(
    dropReason('crawler').why,
    'Requests by AI crawlers that ran the script. The panel above shows all requests by AI crawlers.',
  );
});
