import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IS_BOUNCE } from '../../src/cluster/query/aggregate.ts';
import { BOUNCE_SUM, findLiveStart, findMinutesStart, isBounce } from '../../src/stats/definitions.ts';

test('a bounce is one pageview and no event, for every count of it', () => {
  const cases = [0, 1, 2, 3].flatMap((pageviews) => [0, 1, 2, 3].map((events) => ({ pageviews, events })));
  for (const { pageviews, events } of cases.filter((one) => one.pageviews + one.events > 0)) {
    const expected = pageviews === 1 && events === 0;
    assert.equal(isBounce(pageviews, events), expected);
    assert.equal(pageviews + events + events === BOUNCE_SUM, expected);
  }
  assert.equal(IS_BOUNCE, 'pageviews = 1 AND events = 0');
});

test('now is the last five minutes, and its minutes are those of the clock', () => {
  assert.equal(findLiveStart(1_000), 700);
  assert.equal(findMinutesStart(3_600), 31 * 60);
  assert.equal(findMinutesStart(3_659), 31 * 60);
  assert.equal(findMinutesStart(3_660), 32 * 60);
});
