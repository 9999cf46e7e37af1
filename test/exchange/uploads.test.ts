import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeUploads } from '../../src/exchange/uploads.ts';
import { folder, NOON } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { NOWHERE, standIn, startInstead } from '../support/stand-in.ts';

const CHECKED = `echo '{"checked":{"days":1,"from":"2026-03-01","to":"2026-03-01","sheet":[],"taken":[]}}'`;
const DONE = `echo '{"done":{"id":7}}'`;
const FILE = {
  ...{ siteId: 1, accountId: 1, domain: 'example.com', name: 'a', bytes: 4 },
  ...{ from: undefined, skipUnreadable: false },
};

/** Uploads beside a database file in this folder, and the lines of their log. */
function uploadsIn(t: TestContext, folder: string) {
  const log: [string, Record<string, string | number> | undefined][] = [];
  const uploads = makeUploads({
    place: { path: join(folder, 'a.db'), engine: undefined, settings: {} },
    clock: { now: () => NOON, tick: () => 0 },
    random: randomBytes,
    log: (event, details) => void log.push([event, details]),
  });
  t.after(uploads.close);
  const stateOf = () => uploads.list(1)[0]?.state;
  return {
    uploads,
    log,
    stateOf,
    listFiles: () => readdirSync(folder).filter((name) => name.startsWith('a.db')),
    /** Uploads a file, and waits for this state. */
    async send(state: string): Promise<number> {
      const { id } = uploads.add(FILE);
      await uploads.receive(id, 0, Buffer.from('file'));
      await until(state, () => stateOf() === state);
      return id;
    },
  };
}

/** Waits for a file without reading anything else, as a server does that is busy. */
function waitBusily(path: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(path)) Atomics.wait(pause, 0, 0, 10);
}

test('upload: a process that is killed in the middle of a line fails, and the server goes on', async (t) => {
  const { uploads, log, send, listFiles } = uploadsIn(
    t,
    standIn(t, () => `printf '{"reading":{"byt'; kill -9 $$`),
  );
  await send('failed');
  assert.equal(uploads.list(1)[0]?.error?.code, 'import_failed');
  assert.deepEqual(
    log.map(([event]) => event),
    ['import failed'],
  );
  assert.deepEqual(listFiles(), []);
});

test('upload: a line that is not of an import fails it, and lines after the last one are left out', async (t) => {
  for (const line of ['null', 'hello']) {
    const { log, send } = uploadsIn(
      t,
      standIn(t, () => `echo '${line}'; exec sleep 60`),
    );
    await send('failed');
    assert.deepEqual(
      log.map(([event]) => event),
      ['import failed'],
      line,
    );
  }
  const { uploads, log, send } = uploadsIn(
    t,
    standIn(t, () => `${CHECKED}; read word; ${DONE}; echo 'and "more'`),
  );
  const id = await send('ready');
  uploads.confirm(id, false, () => {});
  await until('done', () => uploads.list(1)[0]?.state === 'done');
  await uploads.close();
  assert.deepEqual(log, []);
});

test('upload: a program that cannot start fails the upload, and the server goes on', async (t) => {
  const { uploads, log, send } = uploadsIn(
    t,
    standIn(t, () => 'exit'),
  );
  startInstead(t, NOWHERE);
  await send('failed');
  assert.equal(uploads.list(1)[0]?.error?.code, 'import_failed');
  assert.deepEqual(log, [['import failed', { code: 'ENOENT', message: '' }]]);
});

test('upload: an import that cannot be recorded is done all the same, and leaves no file', async (t) => {
  const { uploads, log, send, stateOf, listFiles } = uploadsIn(
    t,
    standIn(t, () => `${CHECKED}; read word; ${DONE}`),
  );
  const id = await send('ready');
  uploads.confirm(id, false, () => {
    throw new Error('database is locked');
  });
  await until('done', () => stateOf() === 'done');
  assert.deepEqual(listFiles(), []);
  assert.deepEqual(log, [['import not recorded', { import: 7, message: 'database is locked' }]]);
});

test('upload: one that is cancelled while it is written is recorded if the import is shown already', async (t) => {
  const folder = standIn(t, (place) => `${CHECKED}; read word; ${DONE}; touch ${place}/written; exec sleep 60`);
  const { uploads, log, send, stateOf, listFiles } = uploadsIn(t, folder);
  const id = await send('ready');
  let recorded = 0;
  uploads.confirm(id, false, () => void recorded++);
  waitBusily(join(folder, 'written'));
  await assert.rejects(uploads.remove(id), { said: { code: 'upload_is_done', values: {} } });
  assert.deepEqual([recorded, stateOf(), log, listFiles()], [1, 'done', [], []]);
  await uploads.remove(id);
  assert.deepEqual(uploads.list(1), []);
});

test('upload: one that is cancelled while it is written is gone when its process has ended', async (t) => {
  const folder = standIn(t, (place) => `echo $$ > ${place}/pid; ${CHECKED}; read word; exec sleep 60`);
  const { uploads, log, send, listFiles } = uploadsIn(t, folder);
  const id = await send('ready');
  uploads.confirm(id, false, () => assert.fail('nothing was imported'));
  await uploads.remove(id);
  assert.throws(() => process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0), { code: 'ESRCH' });
  assert.deepEqual([uploads.list(1), log, listFiles()], [[], [], []]);
});

test('upload: a client that sends a byte now and then keeps its place for a day at most', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { uploads, stateOf, listFiles } = uploadsIn(t, folder(t));
  const { id } = uploads.add({ ...FILE, bytes: 100 });
  let sent = 0;
  for (; stateOf() === 'receiving' && sent < 100; sent++) {
    await uploads.receive(id, sent, Buffer.from('x'));
    t.mock.timers.tick(29 * 60_000);
  }
  assert.deepEqual([sent, stateOf(), uploads.list(1)[0]?.error?.code], [50, 'failed', 'upload_given_up']);
  t.mock.timers.reset();
  await until('the file is gone', () => listFiles().length === 0);
  assert.doesNotThrow(() => uploads.add(FILE));
});
