import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, WEEK } from '../../src/lib/time.ts';
import { arrivalsBetween, readHistory, weeksBefore } from '../../src/mail/usual.ts';
import { fileOf, IN_UTC, TODAY } from '../collect/stage.ts';
import { askOf, comersAt, store } from './site.ts';

const ONE = { id: 1, ...IN_UTC };
const NOW = TODAY * DAY + 43_200;

test('a site is compared with the weeks in which it was there, and with none where they are too few', async (t) => {
  const { db } = fileOf(t).open();
  const source = { db, ask: askOf(db) };
  assert.deepEqual(weeksBefore(await readHistory(source, ONE, NOW), NOW), []);
  await store(db, comersAt(1, NOW - 3 * WEEK - 43_200));
  assert.deepEqual(weeksBefore(await readHistory(source, ONE, NOW), NOW), []);
  await store(db, comersAt(1, NOW - 4 * WEEK - 43_200));
  const four = [1, 2, 3, 4].map((n) => NOW - n * WEEK);
  assert.deepEqual(weeksBefore(await readHistory(source, ONE, NOW), NOW), four);
  await store(db, comersAt(1, NOW - 50 * WEEK));
  assert.deepEqual(weeksBefore(await readHistory(source, ONE, NOW), NOW), four);
  await store(db, comersAt(1, NOW - 9 * WEEK));
  assert.equal(weeksBefore(await readHistory(source, ONE, NOW), NOW).length, 8);
});

test('arrivals are added up over days, each person once a day, and of an hour its part', async (t) => {
  const { db } = fileOf(t).open();
  const late = comersAt(10, NOW + 11 * 3_600);
  await store(db, [
    ...late,
    ...late.map((hit) => ({ ...hit, second: hit.second + 1_800 })),
    ...comersAt(20, NOW + 12 * 3_600),
  ]);
  const history = await readHistory({ db, ask: askOf(db) }, ONE, NOW + DAY);
  const between = (from: number, to: number) => arrivalsBetween(history, NOW + from * 3_600, NOW + to * 3_600);
  assert.equal(between(-5, 48), 30);
  assert.equal(between(11.5, 12.25), 10);
  assert.equal(between(11.25, 11.5), 2.5);
  assert.equal(between(13, 13), 0);
  assert.equal(history.lastHit, NOW + 12 * 3_600 + 19);
});
