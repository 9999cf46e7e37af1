import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { furnish } from '../support/furnish.ts';
import { until } from '../support/program.ts';
import { commandLine, here } from './here.ts';

const ANN = 'ann@example.com';

test('every start without a user prints a new link, which ends the one before', async (t) => {
  const { serve } = commandLine(t);
  const linkOf = ([line = '']: string[]) => /\/setup\/\S+$/.exec(line)?.[0] ?? '';
  const before = await serve();
  assert.equal(await before.stop(), 0);
  const { url, stdout } = await serve();
  assert.match(linkOf(stdout), /^\/setup\/[0-9A-Za-z]{43}$/);
  assert.notEqual(linkOf(stdout), linkOf(before.stdout));
  assert.equal((await fetch(url + linkOf(before.stdout))).status, 404);
  assert.equal((await fetch(url + linkOf(stdout))).status, 200);
});

test('a start with a user prints where it listens, and no link', async (t) => {
  const { serve, db } = commandLine(t);
  await furnish(db);
  const { url, stdout, stderr, stop } = await serve();
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  assert.equal(await stop(), 0);
  assert.deepEqual(stdout, [`listening on ${url}`]);
  assert.deepEqual(stderr, []);
});

test('the setup link works once, for the first user, whose token then opens the API', async (t) => {
  const { serve, print } = commandLine(t);
  const { url, stdout } = await serve();
  const link = /http\S+\/setup\/\S+/.exec(stdout[0] ?? '')?.[0] ?? '';
  const body = JSON.stringify({ email: ANN, password: 'correct horse battery' });
  const set = () => fetch(link, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const answer = await set();
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { data: { account_id: 1, email: ANN } });
  assert.equal((await set()).status, 404);
  const token = await print(['token', 'add', ANN, '--name', 'first', '--abilities', 'read']);
  const account = await fetch(`${url}/api/v1/account`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(account.status, 200);
});

test('settings may be variables, and a flag wins over its variable', async (t) => {
  const { serve, folder } = commandLine(t);
  const token = await furnish(join(folder, 'here.db'));
  const env = {
    DAYBOOK_DB: 'here.db',
    DAYBOOK_PORT: '1',
    DAYBOOK_RATE_LIMIT: '7',
    DAYBOOK_BASE_URL: 'https://stats.example.com',
  };
  const { url, stdout } = await serve(['--rate-limit', '9'], { env });
  assert.notEqual(new URL(url).port, '1');
  const account = await fetch(`${url}/api/v1/account`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal(account.status, 200);
  assert.equal(account.headers.get('X-RateLimit-Limit'), '9');
  assert.equal(existsSync(join(folder, 'daybook.db')), false);
  assert.deepEqual(stdout, [`listening on ${url}`]);
});

test('the setup link begins with --base-url', async (t) => {
  const { stdout } = await commandLine(t).serve(['--base-url', 'https://stats.example.com']);
  assert.match(stdout[0] ?? '', /^set up this server at https:\/\/stats\.example\.com\/setup\/[0-9A-Za-z]{43}$/);
});

test('an IPv6 address to listen on stands in brackets', async (t) => {
  const { url } = await commandLine(t).serve(['--host', '::1']);
  assert.match(url, /^http:\/\/\[::1\]:\d+$/);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
});

test('a port that is taken is one clear line, and no file is made', async (t) => {
  const { run, folder } = commandLine(t);
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await until('the other server listens', () => other.listening);
  const { port } = other.address() as AddressInfo;
  const { code, stdout, stderr } = await run(['serve', '--port', String(port)]);
  assert.match(stderr, /^daybook: [^\n]+\n$/);
  assert.ok(stderr.includes(String(port)), stderr);
  assert.equal(stdout, '');
  assert.notEqual(code, 0);
  assert.deepEqual(readdirSync(folder), []);
});

test('an address that is not of this machine is one clear line, and no file is made', async (t) => {
  const { run, folder } = commandLine(t);
  // This one is reserved for documentation (RFC 5737).
  const { code, stdout, stderr } = await run(['serve', '--port', '0', '--host', '203.0.113.1']);
  assert.match(stderr, /^daybook: [^\n]*203\.0\.113\.1[^\n]*\n$/);
  assert.equal(stdout, '');
  assert.notEqual(code, 0);
  assert.deepEqual(readdirSync(folder), []);
});

test('a setting with a value that cannot be is an error, as a flag and as a variable', async (t) => {
  const { run, db } = commandLine(t);
  const wrong: [string, string][] = [
    ['port', '65536'],
    ['rate-limit', '-1'],
    ['trusted-proxies', '127.0.0.1,proxy'],
    ['base-url', 'https://stats.example.com/path'],
  ];
  for (const [name, value] of wrong) {
    const variable = `DAYBOOK_${name.replaceAll('-', '_').toUpperCase()}`;
    const ways = [await run(['serve', `--${name}=${value}`]), await run(['serve'], { env: { [variable]: value } })];
    for (const { code, stdout, stderr } of ways) {
      assert.deepEqual([code, stdout], [2, ''], `${name}=${value}`);
      assert.match(stderr, new RegExp(`^daybook: --${name}\\b[^\n]+\n$`));
    }
  }
  assert.equal(existsSync(db), false);
});

test('--smtp-url without a sender is an error, which does not show the password', async (t) => {
  const { run } = commandLine(t);
  const { code, stdout, stderr } = await run(['serve', '--smtp-url', 'smtp://ann:secret@mail.example.com']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.equal(stderr, 'daybook: --smtp-url needs --mail-from\n');
});

/** Each makes a file that cannot be used, out of one that could be. */
const UNUSABLE: Record<string, (path: string) => void> = {
  text: (path) => writeFileSync(path, 'Dear diary, today I was not a database.\n'.repeat(200)),
  'a database of another program': (path) => {
    writeFileSync(path, '');
    const other = new Database(path);
    other.exec('CREATE TABLE diary (day TEXT); PRAGMA user_version = 1');
    other.close();
  },
  'a file whose middle was overwritten': (path) => {
    const file = openSync(path, 'r+');
    const { size } = statSync(path);
    for (let at = 4096; at < size; at += 4096) writeSync(file, Buffer.alloc(2000, 0xa5), 0, 2000, at);
    closeSync(file);
  },
  'a file that was cut off': (path) => {
    writeFileSync(path, readFileSync(path).subarray(0, 20_000));
  },
  'a file of a newer version': (path) => {
    const newer = new Database(path);
    newer.pragma('user_version = 99');
    newer.close();
  },
};

for (const [what, spoil] of Object.entries(UNUSABLE)) {
  test(`${what} is refused with one line and stays as it was`, async (t) => {
    const { run, db } = commandLine(t);
    await here(db, 'user', 'add', ANN);
    spoil(db);
    const before = readFileSync(db);
    const { code, stdout, stderr } = await run(['serve', '--port', '0']);
    assert.deepEqual([code, stdout], [78, '']);
    assert.match(stderr, /^daybook: \S+daybook\.db: [^\n]+\n$/);
    const message = stderr.slice('daybook: '.length, -1);
    await assert.rejects(here(db, 'user', 'add', 'bob@example.com'), { message, exitCode: 78 });
    assert.deepEqual(readFileSync(db), before);
  });
}

test('a folder that does not exist, or in place of the file, is refused with one line', async (t) => {
  const { run, folder } = commandLine(t);
  for (const name of [join(folder, 'nothing', 'daybook.db'), folder]) {
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--db', name]);
    assert.deepEqual([code, stdout], [78, '']);
    assert.match(stderr, new RegExp(`^daybook: ${name}: [^\n]+\n$`));
  }
  assert.deepEqual(readdirSync(folder), []);
});
