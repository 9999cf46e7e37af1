import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openOpenDays } from '../../src/ledger/open-days.ts';
import type { Query } from '../../src/stats/query.ts';
import { watchClock } from '../../src/store/server/clock-trust.ts';
import { activityOf, fileOf, pageview, TODAY } from '../collect/stage.ts';
import { folder, NOON, tasksHere } from '../support/helpers.ts';

const LIMITS = { rows: 40, hits: 20, sealedHits: 1_000, kept: 10 };
const SITE = 7;
const OVERVIEW: Query = { siteId: SITE, range: { from: TODAY, to: TODAY + 1 }, filters: {}, report: 'overview' };

test('copies of open days: a large day is compacted into shards, which go with the day', async (t) => {
  const file = join(folder(t), 'own.open-days');
  const clock = { now: () => NOON, tick: () => performance.now() };
  const trust = watchClock(fileOf(t).open().db, clock);
  const days = openOpenDays({ file, limits: LIMITS, threads: tasksHere, code: '', log: () => {}, clock, trust });
  const count = (table: string): number => {
    const own = new Database(file, { readonly: true });
    const rows = own.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    own.close();
    return rows;
  };
  const visitors = async () => (await days.measure(OVERVIEW)).totals[0]?.visitors;
  days.append(Array.from({ length: 100 }, (_, visitor) => activityOf(pageview({ siteId: SITE, visitor }))));
  await days.compact();
  assert.ok(count('open_shard') > 1);
  assert.equal(await visitors(), 100);
  days.append([activityOf(pageview({ siteId: SITE, visitor: 100 }))]);
  assert.equal(await visitors(), 101);
  await days.forget(SITE, { isDeleted: true });
  assert.deepEqual([count('open_shard'), count('hit'), count('site')], [0, 0, 0]);
  assert.equal(await visitors(), 0);
  await days.close();
  assert.ok(!existsSync(file));
});
