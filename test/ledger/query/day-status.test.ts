import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFirstHits } from '../../../src/ledger/query/day-status.ts';
import { DAY } from '../../../src/lib/time.ts';
import { pageview } from '../../collect/stage.ts';
import { bookOf, crowd, foldOnce, readerOf, sealOnce, TINY, YESTERDAY } from '../stage.ts';

const BEGIN = YESTERDAY * DAY;

test('the first hit of a site is found in rows, in parts, beside parts, and in what is sealed', async (t) => {
  const { path, db, take } = bookOf(t);
  const day = { siteId: 1, day: YESTERDAY };
  const { read } = readerOf(t, path);
  /** What is before a moment does not have to be told exactly. */
  const firstSince = (second: number): number | undefined => {
    const [first] = read((days) => [...findFirstHits(db, days, [1, 2], BEGIN + second).values()]);
    return first === undefined ? undefined : first - BEGIN;
  };
  assert.equal(firstSince(0), undefined);
  const late = (visitor: number, second: number) => pageview({ day: YESTERDAY, visitor, second });
  await take(...crowd(20).map((hit) => ({ ...hit, second: 500 + hit.second })));
  assert.equal(firstSince(0), 500);
  while (foldOnce(db, day, TINY));
  assert.equal(firstSince(0), 500);
  await take(late(1, 400), late(2, 450));
  assert.equal(firstSince(0), 400);
  while (foldOnce(db, day, TINY));
  await take(late(3, 300));
  assert.equal(firstSince(0), 300);
  assert.ok((firstSince(600) ?? 600) < 600);
  while (foldOnce(db, day, TINY));
  sealOnce(db, day);
  assert.equal(firstSince(0), 300);
  assert.equal(firstSince(2 * DAY), 0);
});
