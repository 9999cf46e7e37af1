import assert from 'node:assert/strict';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dumpMemory } from '../../../src/forgetting/dump-memory.ts';
import { listNeedles, searchPlace } from '../../../src/forgetting/search.ts';
import { makeTasks } from '../../../src/ledger/work/tasks.ts';
import { askForVisitors } from '../../../src/stats/query.ts';
import { openReader } from '../../../src/store/file/open-file.ts';
import { append, TODAY } from '../../collect/stage.ts';
import { folder, startApp } from '../../support/helpers.ts';
import { crowd, foldOnce, TINY } from '../stage.ts';

/** Computes the codes of visitors each time, because a constant would be found in the memory too. */
const makeCode = (visitor: number): number => 0x1c3a * 2 ** 37 + process.pid * 7_919 + visitor;

test('open days: a day that was sealed leaves the memory of a thread that goes on answering', async (t) => {
  const { db, siteId, clock, seal } = await startApp(t);
  const hits = crowd(15, { siteId, day: TODAY }).map((hit, i) => ({ ...hit, visitor: makeCode(i % 14) }));
  // The first visitors are in a shard. The last row is of the first visitor again.
  await append(db, hits.slice(0, 12));
  assert.ok(foldOnce(db, { siteId, day: TODAY }, TINY));
  await append(db, hits.splice(0).slice(12));
  const reader = openReader(db.path);
  t.after(reader.close);
  const { tasks, keepUp } = makeTasks(reader.db, { freeMemory: () => {} });
  const count = (day: number) => {
    const query = { ...askForVisitors(siteId, { from: day, to: day + 1 }), filters: { country: { not: ['FR'] } } };
    return tasks.measure(query).totals[0]?.visitors;
  };
  const path = folder(t);
  const dump = (name: string): void => {
    mkdirSync(join(path, name));
    dumpMemory(join(path, name));
  };
  assert.equal(count(TODAY), 14);
  dump('open');
  clock.pass(86_400);
  assert.equal(await seal(), 1);
  keepUp();
  assert.equal(count(TODAY), 14);
  dump('sealed');
  const listFound = (name: string) => {
    const files = readdirSync(join(path, name)).map((file) => join(path, name, file));
    return [0, 13].map((visitor) => {
      const code = { address: '198.51.100.9', agent: 'nobody', salt: Buffer.alloc(32, 7), code: makeCode(visitor) };
      const needles = listNeedles(code).filter(({ trace }) => trace === 'code');
      return searchPlace('memory', files, needles).found;
    });
  };
  assert.deepEqual(listFound('open'), [['code'], ['code']]);
  assert.deepEqual(listFound('sealed'), [[], []]);
});
