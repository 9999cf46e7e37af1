import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLedger } from '../../../src/ledger/engine.ts';
import { makeTasks } from '../../../src/ledger/work/tasks.ts';
import { makeSameThread } from '../../../src/threads/pool.ts';
import { fileOf, TODAY } from '../../collect/stage.ts';
import { NOON } from '../../support/helpers.ts';

test('deletions of days: many at a time, and removals of imports, never use more than one thread', async (t) => {
  const { db } = fileOf(t).open();
  const tasks = makeSameThread(makeTasks(db).tasks);
  let [open, most] = [0, 0];
  const clock = { now: () => NOON, tick: () => performance.now() };
  const { upkeep, imports, close } = openLedger({
    ...{ db, clock, trust: { look: () => true }, log: () => {}, readers: tasks },
    sealers() {
      most = Math.max(most, ++open);
      return { ...tasks, close: async () => void open-- };
    },
  });
  const range = { from: TODAY - 9, to: TODAY };
  await Promise.all([1, 2, 3].flatMap((id) => [upkeep.deleteDays(1, range), imports.remove(1, id)]));
  assert.deepEqual([open, most], [0, 1]);
  const waiting = upkeep.deleteDays(1, range);
  const closed = close();
  await assert.rejects(waiting, { code: 'unavailable' });
  await closed;
});
