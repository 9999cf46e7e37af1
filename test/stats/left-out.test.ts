import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeNotices } from '../../src/api/notices.ts';
import { coded } from '../../src/lang/coded.ts';
import { isAnyLeftOut, isAnyUnknown } from '../../src/stats/left-out.ts';
import { listNotices } from '../../src/stats/notices.ts';

test('an answer names the days that it leaves out, in words and as data', () => {
  const days = [
    { from: '2024-10-04', to: '2024-10-06' },
    { from: '2024-10-14', to: '2024-10-14' },
  ];
  assert.deepEqual(describeNotices(listNotices({ leftOut: [20_002, 20_000, 20_001, 20_010] })), {
    notices: [
      'This report does not include 2024-10-04 to 2024-10-06, 2024-10-14, because only daily totals are stored for these days.',
    ],
    notice_codes: [{ code: 'left_out', values: { days } }],
    left_out: days,
  });
  assert.equal(describeNotices(listNotices({ untouched: [20_020] })).left_out, undefined);
  assert.deepEqual(describeNotices([]), {});
});

test('what one site among several leaves out makes the sum one that leaves out something, on no day all', () => {
  const [notice = coded('site_blocked')] = listNotices({ leftOut: [20_000] });
  const named = describeNotices([{ ...notice, values: { ...notice.values, site: 'example.com' } }]);
  assert.match(
    named.notices?.[0] ?? '',
    /^example\.com: This report does not include .*, because only daily totals are stored/,
  );
  assert.equal(named.left_out, undefined);
  assert.equal(isAnyLeftOut(named.notice_codes), true);
  assert.equal(isAnyUnknown(named.notice_codes), false);
  assert.equal(isAnyUnknown(listNotices({ lacks: [{ what: 'rows', days: [20_000], visitors: 1 }] })), true);
});

test('an answer is of all its days where an exclusion can take nothing from some of them', () => {
  const notices = listNotices({ untouched: [20_020] });
  assert.equal(notices.length, 1);
  assert.equal(isAnyLeftOut(notices), false);
});
