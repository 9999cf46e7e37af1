import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { program } from '../support/program.ts';
import { here } from './here.ts';

const ANN = 'ann@example.com';

test('the first start prints the link to set the server up, then where it listens', async (t) => {
  const { serve } = program(t);
  const { url, stdout, stderr, stop } = await serve();
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const link = /^set up this server at (\S+)$/.exec(stdout[0] ?? '')?.[1] ?? '';
  assert.match(link.replace(url, ''), /^\/setup\/[0-9A-Za-z]{43}$/);
  assert.equal((await fetch(link)).status, 200);
  assert.equal(await stop(), 0);
  assert.deepEqual(stdout, [`set up this server at ${link}`, `listening on ${url}`]);
  assert.deepEqual(stderr, []);
});

test('a second server on the same file is refused, also by another name of it, and the first goes on', async (t) => {
  const { run, serve, folder } = program(t);
  const { url } = await serve();
  const names = ['daybook.db', './daybook.db', join(folder, 'daybook.db')];
  const calls = names.map((name) => run(['serve', '--port', '0', '--db', name]));
  for (const { code, stdout, stderr } of await Promise.all(calls)) {
    assert.deepEqual([code, stdout], [78, '']);
    assert.match(stderr, /^daybook: \S+daybook\.db: another server is running on it\. [^\n]+\n$/);
  }
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
});

test('after a kill the file opens again at once', async (t) => {
  const { serve, db } = program(t);
  const first = await serve();
  await here(db, 'user', 'add', ANN);
  first.kill('SIGKILL');
  assert.equal(await first.ended, null);
  const second = await serve();
  assert.equal((await fetch(`${second.url}/readyz`)).status, 200);
  assert.deepEqual(second.stdout, [`listening on ${second.url}`]);
});

test('nobody else may read the file or what lies beside it', async (t) => {
  const mask = process.umask(0);
  t.after(() => process.umask(mask));
  const { serve, print, folder } = program(t);
  const { url } = await serve();
  const modes = () =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
    );
  await print(['user', 'add', ANN]);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.deepEqual(modes(), {
    'daybook.db': '600',
    'daybook.db-shm': '600',
    'daybook.db-wal': '600',
    'daybook.db.lock': '600',
  });
  await print(['user', 'add', ANN, '--db', 'other.db']);
  assert.equal(modes()['other.db'], '600');
});
