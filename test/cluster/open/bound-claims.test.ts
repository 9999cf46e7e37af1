import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeClaimBounds } from '../../../src/cluster/open/bound-claims.ts';
import { CLAIMED } from '../../../src/cluster/servers/row-numbers.ts';
import { isHit } from '../../../src/engine/activity.ts';

const ROW = { seq: 0, visitor: 7, scroll: 0, vitals: 0, texts: [] };

test('copies of open days: seconds that only a browser reported are limited by the row before', () => {
  const { makeActivity } = makeClaimBounds({ siteId: 1, day: 100 });
  const seconds = (second: number, engaged: number, visitor = 7) => {
    const one = makeActivity({ ...ROW, second, engaged, visitor });
    return isHit(one) ? 'hit' : one.engaged;
  };
  assert.equal(seconds(488, 0), 'hit');
  assert.equal(seconds(500, CLAIMED + 41), 13);
  assert.equal(seconds(510, CLAIMED + 4), 3);
  assert.equal(seconds(600, 41), 40);
  // This row was received late. The latest row before it in time was at second 510.
  assert.equal(seconds(512, CLAIMED + 41), 3);
  assert.equal(seconds(513, CLAIMED + 41, 8), 1);
});
