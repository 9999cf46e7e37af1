import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { makePasswords } from '../../src/auth/passwords.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { findUser } from '../../src/store/people/users.ts';
import { furnish } from '../support/furnish.ts';
import { commandLine, here } from './here.ts';

const LINK = /^http:\/\/127\.0\.0\.1:8377\/password\/[0-9A-Za-z]{43}$/;

/** The hash that a user has now; null when there is none yet. */
function passwordOf(db: string, email: string): string | null {
  const store = openStore(db);
  try {
    const user = findUser(store.db, email);
    assert.ok(user, `${email} is no user`);
    return user.password;
  } finally {
    store.close();
  }
}

test('user add prints the link alone on standard output, and what it is for beside it', async (t) => {
  const { run, db } = commandLine(t);
  const { code, stdout, stderr } = await run(['user', 'add', 'Ann@Example.com']);
  assert.equal(code, 0);
  assert.match(stdout, /^[^\n]+\n$/);
  assert.match(stdout.trimEnd(), LINK);
  assert.match(stderr, /^Open this link [^\n]+\n$/);
  assert.equal(passwordOf(db, 'ann@example.com'), null);
});

test('the link begins with --base-url', async (t) => {
  const { print } = commandLine(t);
  const link = await print(['user', 'add', 'ann@example.com', '--base-url', 'https://stats.example.com']);
  assert.match(link, /^https:\/\/stats\.example\.com\/password\/[0-9A-Za-z]{43}$/);
});

test('without one it begins with that of the server which ran last on the file', async (t) => {
  const { print, serve } = commandLine(t);
  await print(['user', 'add', 'ann@example.com']);
  const flags = [
    '--base-url',
    'https://stats.example.com',
    '--smtp-url',
    'smtp://127.0.0.1:1',
    '--mail-from',
    'a@example.com',
  ];
  const server = await serve(flags);
  const ofServer = /^https:\/\/stats\.example\.com\/password\//;
  assert.match(await print(['user', 'password', 'ann@example.com']), ofServer);
  assert.equal(await server.stop(), 0);
  assert.match(await print(['user', 'password', 'ann@example.com']), ofServer);
  assert.match(
    await print(['user', 'password', 'ann@example.com', '--base-url', 'https://other.example']),
    /^https:\/\/other\.example\//,
  );
});

test('user add --password-stdin sets the password and prints nothing', async (t) => {
  const { run, db } = commandLine(t);
  const typed = 'correct horse battery';
  const added = await run(['user', 'add', 'ann@example.com', '--password-stdin'], { input: `${typed}\n` });
  assert.deepEqual(added, { code: 0, stdout: '', stderr: '' });
  const hash = passwordOf(db, 'ann@example.com') ?? '';
  assert.match(hash, /^\$argon2id\$/);
  assert.equal(await makePasswords().matches(hash, typed), true);
});

test('the same user twice is an error, whatever the case of the letters', async (t) => {
  const { db } = commandLine(t);
  await furnish(db);
  for (const email of ['ann@example.com', 'ANN@example.com']) {
    const message = /^ann@example\.com is already a user\. To set a new password, run daybook user password [^\n]+$/;
    await assert.rejects(here(db, 'user', 'add', email), { message, exitCode: 1 });
  }
});

test('a short password is an error, and makes no user', async (t) => {
  const { run, db } = commandLine(t);
  const args = ['user', 'add', 'ann@example.com', '--password-stdin'];
  for (const input of ['', '\n', 'short\n', '123456789\n']) {
    const expected = 'daybook: password: Must have at least 10 characters.\n';
    assert.deepEqual(await run(args, { input }), { code: 2, stdout: '', stderr: expected });
  }
  assert.equal(existsSync(db), false);
});

test('a bad e-mail address is an error', async (t) => {
  const { db, run } = commandLine(t);
  const message = 'EMAIL: Must be an e-mail address such as ann@example.com.';
  assert.deepEqual(await run(['user', 'add', 'ann']), { code: 2, stdout: '', stderr: `daybook: ${message}\n` });
  for (const email of ['ann', 'ann@', '@example.com', 'Ann <ann@example.com>', 'ann@example.com,bob@example.com', '']) {
    for (const command of ['add', 'password']) {
      await assert.rejects(here(db, 'user', command, email), { message, exitCode: 2 }, email);
    }
  }
});

test('a link made while the server runs opens its page there, and a newer one replaces it', async (t) => {
  const { print, serve } = commandLine(t);
  const { url } = await serve();
  const first = await print(['user', 'add', 'ann@example.com', '--base-url', url]);
  assert.ok(first.startsWith(`${url}/password/`), first);
  const opened = await fetch(first);
  assert.equal(opened.status, 200);
  assert.match(await opened.text(), /ann@example\.com/);

  const second = await print(['user', 'password', 'ann@example.com', '--base-url', url]);
  assert.notEqual(second, first);
  assert.equal((await fetch(first)).status, 404);
  assert.equal((await fetch(second)).status, 200);
});

test('a password set through the link works once, and is the one of the user', async (t) => {
  const { print, serve, db } = commandLine(t);
  const { url, stop } = await serve();
  const link = await print(['user', 'add', 'ann@example.com', '--base-url', url]);
  const set = () =>
    fetch(link, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ password: 'correct horse battery' }),
    });
  const answer = await set();
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { data: { email: 'ann@example.com' } });
  assert.equal((await set()).status, 404);
  assert.equal(await stop(), 0);
  const hash = passwordOf(db, 'ann@example.com') ?? '';
  assert.equal(await makePasswords().matches(hash, 'correct horse battery'), true);
});

test('user password --password-stdin changes the password and ends an open link', async (t) => {
  const { run, print, serve, db } = commandLine(t);
  const { url } = await serve();
  const link = await print(['user', 'add', 'ann@example.com', '--base-url', url]);
  const input = 'another long password\n';
  const changed = await run(['user', 'password', 'ann@example.com', '--password-stdin'], { input });
  const stderr = 'this has ended 0 sessions and 0 tokens of ann@example.com\n';
  assert.deepEqual(changed, { code: 0, stdout: '', stderr });
  assert.equal((await fetch(link)).status, 404);
  const hash = passwordOf(db, 'ann@example.com') ?? '';
  assert.equal(await makePasswords().matches(hash, 'another long password'), true);
});

test('user password ends the sessions and tokens of that user, by its link or at once, and says how many', async (t) => {
  const { run, print, serve, db } = commandLine(t);
  const { url } = await serve();
  await here(db, 'user', 'add', 'ann@example.com');
  const tokenOf = async (email: string) =>
    (await here(db, 'token', 'add', email, '--name', 'x', '--abilities', 'read')).printed[0] ?? '';
  const status = async (token: string) =>
    (await fetch(`${url}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } })).status;
  const [first, second] = [await tokenOf('ann@example.com'), await tokenOf('ann@example.com')];
  await here(db, 'user', 'add', 'bob@example.com');
  const other = await tokenOf('bob@example.com');

  const { stdout, stderr } = await run(['user', 'password', 'ann@example.com', '--base-url', url]);
  assert.match(stderr, /^Open this link [^\n]+\nsetting it will end 0 sessions and 2 tokens of ann@example\.com\n$/);
  // Making the link ends nothing: somebody else may have asked for it.
  assert.deepEqual([await status(first), await status(second)], [200, 200]);
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ password: 'correct horse battery' });
  assert.equal((await fetch(stdout.trim(), { method: 'POST', headers, body })).status, 200);
  assert.deepEqual([await status(first), await status(second), await status(other)], [401, 401, 200]);

  const third = await tokenOf('ann@example.com');
  await print(['user', 'password', 'ann@example.com', '--password-stdin'], { input: 'another long password\n' });
  assert.deepEqual([await status(third), await status(other)], [401, 200]);
});

test('user list prints a row for everybody, which a program can split, and its header beside it', async (t) => {
  const { run, db } = commandLine(t);
  await furnish(db, ['example.com', 'second.example']);
  await here(db, 'user', 'add', 'bob@example.com');
  await here(db, 'plan', 'end', 'bob@example.com');
  const { code, stdout, stderr } = await run(['user', 'list']);
  assert.equal(code, 0);
  assert.equal(stderr, 'EMAIL            SINCE       SITES  PEOPLE  TOKENS  PLAN\n');
  assert.equal(
    stdout,
    [
      'ann@example.com  2026-03-10  2      0       1       self-hosted\n',
      'bob@example.com  2026-03-10  0      0       0       -\n',
    ].join(''),
  );
});
