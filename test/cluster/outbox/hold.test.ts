import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { findHold, releaseHeld } from '../../../src/cluster/outbox/hold.ts';
import { buildOutbox } from '../../../src/cluster/outbox/outbox.ts';
import { findFirstLacking } from '../../../src/cluster/outbox/progress.ts';
import { buildFindShards } from '../../../src/cluster/servers/shards.ts';
import type { Division } from '../../../src/store/cluster/divisions.ts';
import { openOutbox } from '../../../src/store/cluster/outbox.ts';
import { pageview, TODAY } from '../../collect/stage.ts';
import { folder, NOON } from '../../support/helpers.ts';

test('hold: hits of days that are not decided wait in their order, and are divided once they are', async (t) => {
  const file = openOutbox(join(folder(t), 'outbox.db'), 'one');
  t.after(() => file.close());
  const { db } = file;
  let divisions: Division[] = [
    { day: 0, shards: 2 },
    { day: TODAY + 1, shards: 0 },
  ];
  let now = NOON;
  const readDivisions = () => buildFindShards(divisions, 2);
  const clock = { now: () => now, tick: () => 0 };
  const outbox = buildOutbox(file, { clock, number: 0, readDivisions, siteExists: () => true, counted() {}, log() {} });
  const take = async (day: number, visitors: number) => {
    const activities = Array.from({ length: visitors }, (_, visitor) => pageview({ siteId: 1, day, visitor }));
    await outbox.append({ activities, crawls: [], drops: [] });
  };
  const shards = () =>
    db
      .all<{ shard: number; lines: string }>("SELECT shard, lines FROM piece WHERE kind = 'activity' ORDER BY id")
      .map(
        ({ shard, lines }) => `${shard}: ${[...lines.matchAll(/"day":(\d+)/g)].map(([, day]) => Number(day) - TODAY)}`,
      );
  await take(TODAY, 4);
  const before = ['0: 0,0', '1: 0,0'];
  assert.deepEqual(shards(), before);
  // In the first time zone it is already tomorrow.
  assert.deepEqual(findHold(db, divisions), { day: TODAY + 1, from: TODAY + 2 });
  now += 86_400_000;
  await take(TODAY + 1, 3);
  await take(TODAY, 2);
  assert.deepEqual(shards(), [...before, '-1: 1,1,1', '-1: 0,0'], 'what came later waits too');
  const first = findFirstLacking(db, { shard: 5, replica: 0 });
  const last = outbox.findLastNumber();
  assert.equal(first?.at, now / 1000, 'any shard may get what waits');
  await releaseHeld(db, readDivisions);
  assert.equal(shards().length, 4);
  divisions = [
    { day: 0, shards: 2 },
    { day: TODAY + 1, shards: 3 },
  ];
  await releaseHeld(db, readDivisions);
  assert.deepEqual(shards(), [...before, '0: 1', '1: 1', '2: 1', '0: 0', '1: 0']);
  assert.equal(findFirstLacking(db, { shard: 2, replica: 0 })?.seq, first?.seq);
  assert.equal(findHold(db, divisions), undefined);
  // An answer waits for a row number. A released piece has another id, and would look as if it had arrived.
  for (const shard of [0, 1, 2]) assert.ok((findFirstLacking(db, { shard, replica: 0 })?.seq ?? last + 1) <= last);
});
