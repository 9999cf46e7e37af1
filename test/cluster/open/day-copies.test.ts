import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { followDays } from '../../../src/cluster/open/followed-days.ts';
import { openOpenDays } from '../../../src/ledger/open-days.ts';
import { watchClock } from '../../../src/store/server/clock-trust.ts';
import { fileOf, TODAY } from '../../collect/stage.ts';
import { folder, NOON, tasksHere } from '../../support/helpers.ts';

const SITE = 1;
const SERVER = { url: 'a', shard: 0, replica: 0 };
const ASKED = { open: [TODAY], isAsked: () => true };
const NO_ROWS = { known: 0, fresh: 0, later: 0 };

/** Copies in a real file. `servers` says what the only shard answers when its rows are counted. */
function stage(t: TestContext) {
  const { db } = fileOf(t).open();
  const file = join(folder(t), 'own.open-days');
  let ticks = 0;
  const clock = { now: () => NOON + ticks, tick: () => ticks };
  const servers = { first: SERVER, count: async () => NO_ROWS };
  const nodes = { listFirst: () => [servers.first], ask: async () => [await servers.count()] };
  const options = { file, threads: tasksHere, code: '', log: () => {}, clock, trust: watchClock(db, clock) };
  const files = { opened: 0, closing: Promise.resolve() };
  function openDays() {
    files.opened++;
    const days = openOpenDays(options);
    return { ...days, close: () => files.closing.then(days.close) };
  }
  const deps = { db, clock, log: () => {}, findHorizon: () => 1, openDays };
  const followed = followDays({ ...deps, nodes: nodes as never });
  t.after(() => followed.close());
  const mayAnswer = async () => (await followed.take(SITE, ASKED)) !== undefined;
  const pass = (seconds: number): void => {
    ticks += 1000 * seconds;
  };
  return { servers, files, file, followed, mayAnswer, pass };
}

test('copies of open days: a small copy does not answer while its rows cannot be counted', async (t) => {
  const { servers, mayAnswer } = stage(t);
  assert.ok(await mayAnswer());
  servers.count = async () => {
    throw new Error('no server responds');
  };
  assert.ok(!(await mayAnswer()));
  servers.count = async () => NO_ROWS;
  assert.ok(await mayAnswer());
});

test('copies of open days: a small copy does not answer if another replica answered meanwhile', async (t) => {
  const { servers, mayAnswer } = stage(t);
  assert.ok(await mayAnswer());
  servers.count = async () => {
    servers.first = { ...SERVER, url: 'b', replica: 1 };
    return { ...NO_ROWS, later: 50 };
  };
  assert.ok(!(await mayAnswer()));
  servers.count = async () => NO_ROWS;
  assert.ok(await mayAnswer());
});

test('copies of open days: a copy whose first look failed is looked at again', async (t) => {
  const { servers, mayAnswer } = stage(t);
  servers.count = async () => {
    throw new Error('no server responds');
  };
  assert.ok(!(await mayAnswer()));
  servers.count = async () => NO_ROWS;
  assert.ok(await mayAnswer());
});

test('copies of open days: no file is made while the old one closes', async (t) => {
  const { files, file, followed, mayAnswer, pass } = stage(t);
  assert.ok(await mayAnswer());
  const { promise, resolve } = Promise.withResolvers<void>();
  files.closing = promise;
  const dropping = followed.drop(new Error('the file is damaged'));
  pass(61);
  const meanwhile = [await mayAnswer(), files.opened];
  resolve();
  await dropping;
  assert.deepEqual(meanwhile, [false, 1]);
  assert.ok(!existsSync(file));
  assert.ok(await mayAnswer());
  assert.ok(existsSync(file));
});

test('copies of open days: the file goes with the last copy, and a new one is made when it is needed', async (t) => {
  const { file, followed, mayAnswer, pass } = stage(t);
  assert.ok(await mayAnswer());
  pass(3_601);
  await followed.keep();
  assert.ok(!existsSync(file));
  assert.ok(await mayAnswer());
  assert.ok(existsSync(file));
});

test('copies of open days: a day with too many rows is counted once, and is not copied', async (t) => {
  const { servers, mayAnswer } = stage(t);
  let counts = 0;
  servers.count = async () => {
    counts++;
    return { known: 0, fresh: 10_000_001, later: 0 };
  };
  for (let i = 0; i < 3; i++) assert.ok(!(await mayAnswer()));
  assert.equal(counts, 1);
});

test('copies of open days: the file is made anew each day, also if there is always a copy', async (t) => {
  const { files, followed, mayAnswer, pass } = stage(t);
  assert.ok(await mayAnswer());
  pass(86_000);
  assert.ok(await mayAnswer());
  await followed.keep();
  assert.ok(await mayAnswer());
  assert.equal(files.opened, 1);
  pass(1_000);
  await followed.keep();
  assert.ok(await mayAnswer());
  assert.equal(files.opened, 2);
});

test('copies of open days: a look that ends after the stop makes no new file', async (t) => {
  const { servers, files, file, followed, mayAnswer } = stage(t);
  assert.ok(await mayAnswer());
  const [begun, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  servers.count = () => {
    begun.resolve();
    return slow.promise.then(() => NO_ROWS);
  };
  const first = mayAnswer();
  await begun.promise;
  // This query waits for the next look.
  const asked = [first, mayAnswer()];
  await followed.close();
  slow.resolve();
  await Promise.all(asked);
  assert.deepEqual([files.opened, existsSync(file)], [1, false]);
});
