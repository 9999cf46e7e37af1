import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { threadCode } from '../../src/assets/thread.ts';
import { Problem } from '../../src/lib/errors.ts';
import { pool } from '../../src/threads/pool.ts';
import type { Place } from '../../src/threads/waiting.ts';
import { fileOf } from '../collect/stage.ts';
import { startApp } from '../helpers.ts';
import { until } from '../program.ts';
import { requestOf } from '../requests.ts';

/** A thread that does as it is told, and knows how many jobs it has had. */
const CODE = `
const { parentPort, workerData: { stop } } = require('node:worker_threads');
let count = 0;
const jobs = {
  echo: (input) => parentPort.postMessage({ output: input }),
  count: () => parentPort.postMessage({ output: count }),
  fail: (input) => parentPort.postMessage({ error: input }),
  exit: () => process.exit(1),
  fall: () => setImmediate(() => { throw new Error('it fell'); }),
  hang: () => { for (;;); },
  sleep: () => {},
  hold: (_, number) => {
    for (let seen = 0; seen !== number; seen = Atomics.load(stop, 0)) Atomics.wait(stop, 0, seen, 1);
    parentPort.postMessage({ stopped: true });
  },
  exitLater: () => { setImmediate(() => process.exit(0)); parentPort.postMessage({ output: 'bye' }); },
};
parentPort.on('message', ({ number, name, input }) => {
  count++;
  jobs[name](input, number);
});
parentPort.postMessage('loaded');
`;

type Run = (name: string, input?: unknown, key?: number, place?: Partial<Place>) => Promise<unknown>;
type Options = { size?: number; patience?: number; code?: string; path?: string };

function threads(t: TestContext, { size = 1, patience = 10_000, ...more }: Options = {}) {
  const lines: string[] = [];
  const log = (event: string) => lines.push(event);
  const made = pool<Record<string, (input: unknown) => unknown>>({
    ...{ code: CODE, path: '', size, patience, log },
    ...more,
  });
  // Threads keep no process alive, and nothing else would.
  const alive = setInterval(() => {}, 1_000);
  t.after(() => clearInterval(alive));
  t.after(() => made.close());
  const run: Run = (name, input = null, key = 0, place = {}) => made.run({ key, ...place }, name, input);
  return { run, lines, close: made.close };
}

const unavailable = (error: unknown): boolean => {
  assert.ok(error instanceof Problem);
  assert.deepEqual([error.code, error.status, error.headers['Retry-After']], ['unavailable', 503, '1']);
  return true;
};

test('each job gets its own answer, in whichever order they are done', async (t) => {
  const { run } = threads(t, { size: 3 });
  const inputs = Array.from({ length: 200 }, (_, i) => ({ i }));
  assert.deepEqual(await Promise.all(inputs.map((input, key) => run('echo', input, key))), inputs);
});

test('the same key goes to the same thread', async (t) => {
  const { run } = threads(t, { size: 2 });
  await run('echo', 1, 0);
  await run('echo', 1, 2);
  assert.equal(await run('count', null, 4), 3);
  assert.equal(await run('count', null, 1), 1);
});

test('a job that fails is told so, and its thread goes on', async (t) => {
  const { run, lines } = threads(t);
  await assert.rejects(run('fail', 'no such column'), /^Error: no such column$/);
  assert.equal(await run('count'), 2);
  assert.deepEqual(lines, []);
});

for (const death of ['exit', 'fall']) {
  test(`${death}: a job whose thread dies is answered 503, those that wait and the next are answered`, async (t) => {
    const { run, lines } = threads(t);
    await run('echo', 1);
    const [dying, waiting] = [run(death), run('count')];
    await assert.rejects(dying, unavailable);
    assert.equal(await waiting, 1, 'by a new thread');
    assert.equal(await run('echo', 'next'), 'next');
    assert.deepEqual(lines, death === 'fall' ? ['worker thread failed'] : []);
  });
}

test('a thread that dies again and again is begun again and again', async (t) => {
  const { run } = threads(t);
  for (let n = 0; n < 3; n++) await assert.rejects(run('exit'), unavailable);
  assert.equal(await run('count'), 1);
});

test('of those who ask while a thread ends at most one is told to ask again', async (t) => {
  const { run } = threads(t);
  assert.equal(await run('exitLater'), 'bye');
  let refused = 0;
  // A new thread has had no job but this one.
  await until('there is a new thread', async () => {
    const count = await run('count').catch((error) => {
      unavailable(error);
      refused++;
    });
    return count === 1;
  });
  assert.ok(refused <= 1, `${refused} were refused`);
});

/** Lets seconds pass until a job is refused; its time begins when a thread has it. */
async function refusedInTime(t: TestContext, job: Promise<unknown>): Promise<void> {
  let isOver = false;
  const refused = assert.rejects(job, unavailable).finally(() => {
    isOver = true;
  });
  await until('its patience is over', () => {
    if (!isOver) t.mock.timers.tick(1_000);
    return isOver;
  });
  await refused;
}

test('a job that takes too long is answered 503 and its thread ended, the other threads are not disturbed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { run, lines } = threads(t, { size: 2, patience: 1_000 });
  await Promise.all([run('echo', 1, 0), run('echo', 1, 1)]);
  for (const [begun, name] of ['hang', 'sleep'].entries()) {
    const slow = run(name);
    assert.equal(await run('count', null, 1), begun + 2);
    await refusedInTime(t, slow);
  }
  assert.equal(await run('count'), 1);
  const [stopped, ended] = ['job stopped, it took too long', 'worker thread ended, its job took too long'];
  assert.deepEqual(lines, [stopped, ended, stopped, ended]);
});

test('a job that stops when it is told to keeps its thread, with all that this has read', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { run, lines } = threads(t, { patience: 1_000 });
  await run('echo', 1);
  await refusedInTime(t, run('hold'));
  assert.equal(await run('count'), 3);
  assert.equal(lines[0], 'job stopped, it took too long');
});

test('a job that has waited for twice as long as one may run is answered 503', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { run } = threads(t, { patience: 1_000 });
  await run('echo', 1);
  const gone = new AbortController();
  const held = assert.rejects(run('hold', null, 0, { gone: gone.signal }), unavailable);
  const waiting = assert.rejects(run('echo', 2), unavailable);
  t.mock.timers.tick(2_000);
  await waiting;
  gone.abort();
  await held;
  assert.equal(await run('count'), 3, 'it was never begun');
});

test('a job that nobody waits for any more is dropped before it begins, and stopped where it runs', async (t) => {
  const { run, lines } = threads(t);
  await run('echo', 1);
  const gone = new AbortController();
  const left = Array.from({ length: 8 }, () =>
    assert.rejects(run('hold', null, 0, { gone: gone.signal }), unavailable),
  );
  const count = run('count', null, 0, { line: 2 });
  gone.abort();
  assert.equal(await count, 3, 'of the eight one had begun');
  await Promise.all(left);
  await assert.rejects(run('echo', 1, 0, { gone: gone.signal }), unavailable);
  assert.deepEqual(lines, []);
});

test('lines are served in turn, so that many jobs in one hold up the others by one job only', async (t) => {
  const { run } = threads(t);
  const order: string[] = [];
  const asked = (line: number, name: string) => run('echo', name, 0, { line }).then(() => order.push(name));
  const jobs = ['a1', 'a2', 'a3', 'a4'].map((name) => asked(1, name));
  jobs.push(asked(2, 'b1'), asked(2, 'b2'), asked(3, 'c1'));
  await Promise.all(jobs);
  assert.deepEqual(order, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('close fails what is being done, what waits and what comes', async (t) => {
  const { run, close } = threads(t);
  await run('echo', 1);
  const outcomes = [run('hang'), run('echo', 2), run('echo', 3)].map((job) => assert.rejects(job, unavailable));
  await close();
  await Promise.all(outcomes);
  await assert.rejects(run('echo', 4), unavailable);
  await close();
});

test('close fails a job whose thread has not begun', async (t) => {
  const { run, close } = threads(t);
  const outcome = assert.rejects(run('echo', 1), unavailable);
  await close();
  await outcome;
});

test('no more than a thousand wait; the next is answered 503 at once', async (t) => {
  const { run, close } = threads(t);
  await run('echo', 1);
  const asked = (line: number) => assert.rejects(run('hang', null, 0, { line }), unavailable);
  const waiting = Array.from({ length: 1_001 }, (_, line) => asked(line));
  await assert.rejects(run('echo', 1), unavailable);
  await close();
  await Promise.all(waiting);
});

test('no more than 250 wait in one line, and there is room for others', async (t) => {
  const { run, close } = threads(t);
  await run('echo', 1);
  const waiting = Array.from({ length: 251 }, () => assert.rejects(run('sleep', null, 0, { line: 1 }), unavailable));
  await assert.rejects(run('echo', 1, 0, { line: 1 }), unavailable);
  let isRefused = false;
  const refused = assert.rejects(run('echo', 1, 0, { line: 2 }), unavailable).finally(() => {
    isRefused = true;
  });
  await turn();
  assert.ok(!isRefused, 'it waits');
  await close();
  await Promise.all([...waiting, refused]);
});

test('a thread that cannot open the file is answered for with 503, and works once the file is there', async (t) => {
  const { path, open } = fileOf(t);
  open();
  renameSync(path, `${path}.away`);
  const { run, lines } = threads(t, { code: await threadCode(), path });
  await assert.rejects(run('due', 10), unavailable);
  assert.ok(!existsSync(path));
  assert.deepEqual(lines, ['worker thread failed']);
  renameSync(`${path}.away`, path);
  assert.deepEqual(await run('due', 10), []);
});

test('a question whose thread dies is answered 503 over HTTP, and the next one 200', async (t) => {
  const app = await startApp(t);
  const [file] = app.db.all<{ file: string }>('PRAGMA database_list');
  const path = file?.file ?? '';
  const ask = () => app.owner.ask('GET', `/sites/${app.siteId}/stats/overview`);
  renameSync(path, `${path}.away`);
  const refused = await ask();
  renameSync(`${path}.away`, path);
  assert.deepEqual(
    [refused.status, refused.body.error.code, refused.headers.get('Retry-After')],
    [503, 'unavailable', '1'],
  );
  assert.equal((await ask()).status, 200);
});

test('a question of a client that is gone is not asked at all', async (t) => {
  const app = await startApp(t);
  const { owner, siteId } = app;
  const signal = AbortSignal.abort();
  for (const report of ['overview', 'bots']) {
    const { request, bindings } = requestOf({ token: owner.token });
    const path = `/api/v1/sites/${siteId}/stats/${report}`;
    const answer = await app.app.hono.request(path, { ...request, signal }, bindings);
    assert.equal(answer.status, 503, report);
  }
});
