import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeClaimBounds } from '../../../src/cluster/open/bound-claims.ts';
import { buildCopy } from '../../../src/cluster/open/copy-rows.ts';
import { findLowestNumber } from '../../../src/cluster/servers/row-numbers.ts';
import { DAY } from '../../../src/lib/time.ts';
import { TEXT_FIELDS } from '../../../src/stats/dimensions.ts';
import { TODAY } from '../../collect/stage.ts';

const SITE = 1;
const SERVER = { url: 'a', shard: 0 };
const numberIn = (sql: string, before: RegExp): number => Number(before.exec(sql)?.[1]);

/** Copies rows of one shard. `text` is the page of each row. A row takes `tick` milliseconds to store. */
async function copyRows(count: number, { text = '/', tick = 0 }) {
  const texts = TEXT_FIELDS.map((field) => (field === 'page' ? text : ''));
  const row = { texts, second: 1, engaged: 0, scroll: 0, vitals: 0 };
  const rows = Array.from({ length: count }, (_, i) => ({ ...row, seq: i + 1, visitor: i }));
  let ticks = 0;
  const limits: number[] = [];
  const stored: { visitor: number }[][] = [];
  const nodes = {
    listFirst: () => [SERVER],
    ask: async () => [{ known: 0, fresh: count, later: 0 }],
    async askShards(sql: string) {
      const [from, limit] = [numberIn(sql, /seq >= (\d+)/), numberIn(sql, /LIMIT (\d+)/)];
      limits.push(limit);
      return [rows.filter(({ seq }) => seq >= from).slice(0, limit)];
    },
  };
  const file = {
    isThere: () => true,
    hasRoomFor: () => true,
    append(activities: { visitor: number }[]) {
      stored.push(activities);
      ticks += tick * activities.length;
    },
  };
  const copy = buildCopy({
    nodes,
    clock: { now: () => 0, tick: () => ticks },
    findHorizon: () => count + 1,
    openFile: () => file,
    forget: () => assert.fail('the day was copied wrongly'),
    drop: (reason: Error) => assert.fail(reason),
  } as never);
  const one = { siteId: SITE, day: TODAY, count: 0, taken: 0, takenAt: 0, later: 0, isReady: false, isTooLarge: false };
  const day = { ...one, isGone: false, claims: makeClaimBounds({ siteId: SITE, day: TODAY }) };
  await copy(day);
  assert.deepEqual([day.isReady, day.count], [true, count]);
  assert.deepEqual(
    stored.flat().map(({ visitor }) => visitor),
    rows.map(({ visitor }) => visitor),
  );
  return { limits, sizes: stored.map(({ length }) => length) };
}

test('copies of open days: a transaction stores fewer rows if rows take long, and other requests get a turn', async () => {
  const quick = await copyRows(5_000, {});
  assert.deepEqual([Math.max(...quick.sizes), quick.limits], [1_000, [1_250, 2_500, 5_000]]);
  const slow = await copyRows(2_000, { tick: 0.25 });
  assert.deepEqual(slow.sizes.slice(0, 3), [1_000, 40, 40]);
  assert.equal(Math.max(...slow.sizes.slice(1)), 40);
});

test('copies of open days: a statement reads fewer rows if their texts are long', async () => {
  const { limits } = await copyRows(3_000, { text: `/${'x'.repeat(19_999)}` });
  assert.equal(limits[0], 1_250);
  assert.equal(Math.max(...limits.slice(1)), 400);
});

test('copies of open days: after whole visitors, only the times of the last half hours stay', async () => {
  const [visitors, end] = [12_000, 80_000];
  const row = { texts: TEXT_FIELDS.map(() => ''), engaged: 0, scroll: 0, vitals: 0 };
  const rows = Array.from({ length: 2 * visitors }, (_, i) => ({
    ...row,
    ...{ seq: i + 1, visitor: Math.floor(i / 2), second: i % 2 === 0 ? 10 : 20_000 },
  }));
  const nodes = {
    listFirst: () => [SERVER],
    ask: async () => [{ known: 0, fresh: rows.length, later: 0 }],
    async askShards(sql: string) {
      const [from, to] = [numberIn(sql, /visitor >= (\d+)/), numberIn(sql, /visitor < (\d+)/)];
      const limit = numberIn(sql, /LIMIT (\d+)/);
      return [rows.filter(({ visitor }) => visitor >= from && visitor < to).slice(0, limit)];
    },
  };
  const forgotten: number[] = [];
  const claims = makeClaimBounds({ siteId: SITE, day: TODAY });
  const copy = buildCopy({
    nodes,
    clock: { now: () => 0, tick: () => 0 },
    findHorizon: () => findLowestNumber((TODAY * DAY + end) * 1000),
    openFile: () => ({ isThere: () => true, hasRoomFor: () => true, append() {}, async compact() {} }),
    forget: () => assert.fail('the day was copied wrongly'),
    drop: (reason: Error) => assert.fail(reason),
  } as never);
  const one = { siteId: SITE, day: TODAY, count: 0, taken: 0, takenAt: 0, later: 0, isReady: false, isTooLarge: false };
  const forgetBefore = (second: number) => {
    forgotten.push(second);
    claims.forgetBefore(second);
  };
  await copy({ ...one, isGone: false, claims: { ...claims, forgetBefore } });
  assert.ok(forgotten.length > 4);
  assert.deepEqual([...new Set(forgotten)], [end]);
});
