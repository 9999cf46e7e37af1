import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayReader } from '../../../src/ledger/query/day-reader.ts';
import { ROWS_PER_QUERY } from '../../../src/ledger/rows/hits.ts';
import { TODAY } from '../../collect/stage.ts';
import { bookOf, crowd, foldOnce, pageviewsIn, YESTERDAY } from '../stage.ts';

test('of a day with many rows a question that is stopped leaves what it has read to the next one, whatever became parts meanwhile', async (t) => {
  const { db, take } = bookOf(t);
  const siteDay = { siteId: 1, day: YESTERDAY };
  const limits = { rows: 2_500, hits: 5_000, sealedHits: 5_000, kept: 0 };
  let left = 2;
  const days = dayReader(db, {
    checkpoint() {
      if (left-- === 0) throw new Error('stopped');
    },
  });
  const pageviews = () => pageviewsIn(db, days, { from: YESTERDAY, to: TODAY });
  const stopAfter = (rows: number): void => {
    left = Math.ceil(rows / ROWS_PER_QUERY);
    assert.throws(pageviews, /stopped/);
  };
  await take(...crowd(22_500));
  stopAfter(15_000);
  // Of the rows that were read five in six are in parts now. Only the last one can be read again.
  foldOnce(db, siteDay, limits);
  db.run('DELETE FROM hit WHERE id < 15000');
  stopAfter(7_500);
  db.run('DELETE FROM hit WHERE id < 22500');
  left = Number.POSITIVE_INFINITY;
  assert.deepEqual(pageviews(), [22_500]);
});
