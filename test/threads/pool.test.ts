import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { test } from 'node:test';
import { loadThreadCode } from '../../src/embedded/thread.ts';
import { fileOf } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { requestOf } from '../support/requests.ts';
import { threads, unavailable } from './stage.ts';

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

test('keys of days before 1970, which are below 0, have threads too', async (t) => {
  const { run } = threads(t, { size: 2 });
  assert.deepEqual([await run('echo', 'a', -1), await run('echo', 'b', -2)], ['a', 'b']);
});

test('a job without a key starts no thread where one runs already', async (t) => {
  const { run } = threads(t, { size: 2 });
  const anywhere = { key: undefined };
  await run('echo', 1, 1);
  assert.equal(await run('count', null, 0, anywhere), 2);
  assert.equal(await run('count', null, 0), 1);
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

test('a job that stops when it is told to keeps its thread, with all that this has read', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { run, lines } = threads(t, { patience: 1_000 });
  await run('echo', 1);
  const held = assert.rejects(run('hold'), unavailable);
  await until('it is told to stop', () => {
    if (lines.length === 0) t.mock.timers.tick(1_000);
    return lines.length > 0;
  });
  // No more time passes, however long the thread takes on a busy machine.
  await held;
  assert.equal(await run('count'), 3);
  assert.deepEqual(lines, ['job stopped, because it took too long']);
});

test('close fails a job whose thread has not begun', async (t) => {
  const { run, close } = threads(t);
  const outcome = assert.rejects(run('echo', 1), unavailable);
  await close();
  await outcome;
});

test('a thread that cannot open the file is answered for with 503, and works once the file is there', async (t) => {
  const { path, open } = fileOf(t);
  open();
  renameSync(path, `${path}.away`);
  const { run, lines } = threads(t, { code: await loadThreadCode(), path });
  await assert.rejects(run('due', 10), unavailable);
  assert.ok(!existsSync(path));
  assert.deepEqual(lines, ['worker thread failed']);
  renameSync(`${path}.away`, path);
  assert.deepEqual(await run('due', 10), []);
});

test('a question whose thread dies is answered 503 over HTTP, and the next one 200', async (t) => {
  const app = await startApp(t, {}, { threaded: true });
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
  const app = await startApp(t, {}, { threaded: true });
  const { owner, siteId } = app;
  const signal = AbortSignal.abort();
  for (const report of ['overview', 'bots']) {
    const { request, bindings } = requestOf({ token: owner.token });
    const path = `/api/v1/sites/${siteId}/stats/${report}`;
    const answer = await app.app.hono.request(path, { ...request, signal }, bindings);
    assert.equal(answer.status, 503, report);
  }
});
