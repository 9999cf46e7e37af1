import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLedger } from '../../../src/ledger/engine.ts';
import { makeTasks } from '../../../src/ledger/work/tasks.ts';
import { addExclusion, removeExclusion } from '../../../src/store/sites/exclusions.ts';
import { makeSameThread } from '../../../src/threads/pool.ts';
import { append } from '../../collect/stage.ts';
import { bookOf, crowd, NOW, YESTERDAY } from '../stage.ts';

test('stale sums: exclusions that change again and again do not fill the queue before sealing', async (t) => {
  const { db } = bookOf(t);
  const tasks = makeSameThread(makeTasks(db).tasks);
  const done: string[] = [];
  const run: typeof tasks.run = (place, name, input) => {
    if (name === 'unsummed') done.push('sums');
    return tasks.run(place, name, input);
  };
  const { upkeep, close } = openLedger({
    ...{ db, clock: { now: () => NOW * 1000, tick: () => 0 }, trust: { look: () => true }, log: () => {} },
    ...{ readers: { ...tasks, run }, sealers: () => tasks },
  });
  await append(db, crowd(3, { country: 'DE' }));
  await upkeep.seal();
  done.length = 0;
  const exclusion = { from: YESTERDAY, to: null, filters: { country: { is: ['DE'] } }, applied: {}, note: '' };
  const passes: Promise<unknown>[] = [];
  for (let i = 0; i < 20; i++) {
    const { id } = db.write(() => addExclusion(db, 1, exclusion, NOW));
    passes.push(upkeep.remakeSums());
    if (i === 0) await new Promise(setImmediate);
    if (i < 19) db.write(() => removeExclusion(db, 1, id, NOW));
  }
  passes.push(upkeep.recountSome().then(() => done.push('recount')));
  await Promise.all(passes);
  // Two passes: one that had begun, and one for all later changes. Each asks twice which sums are stale.
  assert.ok(done.length <= 5, done.join());
  assert.equal(done.at(-1), 'recount');
  assert.equal(await upkeep.remakeSums(), 0, 'no sums are stale');
  await close();
});
