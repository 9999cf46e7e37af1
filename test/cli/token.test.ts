import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeTokenSecret } from '../../src/lib/secrets.ts';
import type { Db } from '../../src/store/db.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { addToken, listTokens } from '../../src/store/people/tokens.ts';
import { findUser } from '../../src/store/people/users.ts';
import type { Program } from '../support/program.ts';
import { commandLine, here } from './here.ts';

const ANN = 'ann@example.com';

const add = ({ run }: Pick<Program, 'run'>, abilities: string, name = 'test') =>
  run(['token', 'add', ANN, '--name', name, '--abilities', abilities]);

function inStore<Result>(db: string, work: (db: Db, userId: number) => Result): Result {
  const store = openStore(db);
  try {
    const user = findUser(store.db, ANN);
    assert.ok(user);
    return work(store.db, user.id);
  } finally {
    store.close();
  }
}

const tokensOf = (db: string) => inStore(db, listTokens);

test('token add prints exactly one line, the token', async (t) => {
  const daybook = commandLine(t);
  await here(daybook.db, 'user', 'add', ANN);
  const { code, stdout, stderr } = await add(daybook, 'read');
  assert.equal(code, 0);
  assert.equal(stderr, '');
  assert.match(stdout, /^\d+\|dbk_[0-9A-Za-z]{40}[0-9a-f]{8}\n$/);
});

test('a token works on the API from the moment it is printed, and may do what its abilities say', async (t) => {
  const daybook = commandLine(t);
  const { url } = await daybook.serve();
  await here(daybook.db, 'user', 'add', ANN);
  const { printed } = await here(daybook.db, 'site', 'add', ANN, 'example.com');

  async function statuses(abilities: string) {
    const token = (await add(daybook, abilities)).stdout.trim();
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const account = await fetch(`${url}/api/v1/account`, { headers });
    const body = JSON.stringify({ date: '2026-01-31', text: abilities });
    const note = await fetch(`${url}/api/v1/sites/${printed[0]}/notes`, { method: 'POST', headers, body });
    return [account.status, note.status];
  }
  assert.deepEqual(await statuses('read'), [200, 403]);
  assert.deepEqual(await statuses('collect'), [403, 403]);
  assert.deepEqual(await statuses('write'), [200, 201]);
  assert.deepEqual(await statuses('read,write'), [200, 201]);
});

test('the list of abilities may hold blanks and repetitions; it is kept in one order', async (t) => {
  const daybook = commandLine(t);
  await here(daybook.db, 'user', 'add', ANN);
  assert.equal((await add(daybook, 'write, read,write', 'Für die Küche')).code, 0);
  const kept = tokensOf(daybook.db).map(({ name, abilities }) => ({ name, abilities }));
  assert.deepEqual(kept, [{ name: 'Für die Küche', abilities: ['read', 'write'] }]);
});

test('unknown or no abilities are an error', async (t) => {
  const daybook = commandLine(t);
  await here(daybook.db, 'user', 'add', ANN);
  for (const abilities of ['admin', 'read,admin', 'READ', '', ',', 'read,']) {
    const message = /^--abilities: [^\n]*"read"[^\n]+$/;
    await assert.rejects(here(daybook.db, 'token', 'add', ANN, '--name', 'x', `--abilities=${abilities}`), {
      message,
      exitCode: 2,
    });
  }
  assert.deepEqual(tokensOf(daybook.db), []);
});

test('an empty name, or one of more than 100 characters, is an error', async (t) => {
  const daybook = commandLine(t);
  await here(daybook.db, 'user', 'add', ANN);
  for (const name of ['', 'x'.repeat(101)]) {
    const { code, stdout, stderr } = await add(daybook, 'read', name);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^daybook: --name: Must [^\n]+\n$/);
  }
  assert.equal((await add(daybook, 'read', 'x'.repeat(100))).code, 0);
});

test('the 26th token is refused', async (t) => {
  const daybook = commandLine(t);
  await here(daybook.db, 'user', 'add', ANN);
  inStore(daybook.db, (db, userId) => {
    for (let i = 1; i <= 24; i++) {
      const secret = makeTokenSecret(randomBytes);
      db.write(() => addToken(db, { userId, name: `token ${i}`, abilities: ['read'], secret, now: 1_700_000_000 }));
    }
  });
  // Even when several are asked for at the same moment.
  const last = await Promise.all([add(daybook, 'read'), add(daybook, 'read'), add(daybook, 'read')]);
  assert.deepEqual(last.map(({ code }) => code).sort(), [0, 1, 1]);
  for (const { code, stdout, stderr } of last.filter((one) => one.code !== 0)) {
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^daybook: An account can have at most 25 tokens[^\n]+\n$/);
  }
  assert.equal(tokensOf(daybook.db).length, 25);
});

test('an unknown user is an error', async (t) => {
  const daybook = commandLine(t);
  await here(daybook.db, 'user', 'add', 'bob@example.com');
  const { code, stdout, stderr } = await add(daybook, 'read');
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^daybook: there is no user ann@example\.com\. [^\n]+\n$/);
});

test('token list prints the tokens of everybody or of one, and no secret', async (t) => {
  const daybook = commandLine(t);
  for (const email of [ANN, 'bob@example.com']) await here(daybook.db, 'user', 'add', email);
  await here(daybook.db, 'token', 'add', 'bob@example.com', '--name', 'of bob', '--abilities', 'collect');
  // A name is whatever its user typed, and must not make a row of its own or colour the terminal.
  const { printed } = await here(
    daybook.db,
    'token',
    'add',
    ANN,
    '--name',
    'a\n9  \u001b[31mred',
    '--abilities',
    'write,read',
  );
  const all = await daybook.run(['token', 'list']);
  assert.deepEqual(all, {
    code: 0,
    stdout: [
      '2   ann@example.com  read,write  2026-03-10  never  a 9 [31mred\n',
      '1   bob@example.com  collect     2026-03-10  never  of bob\n',
    ].join(''),
    stderr: 'ID  EMAIL            ABILITIES   MADE        USED   NAME\n',
  });
  assert.ok(!all.stdout.includes(printed[0]?.slice(-40) ?? ''));
  assert.equal((await daybook.run(['token', 'list', 'bob@example.com'])).stdout.split('\n').length, 2);
  await assert.rejects(here(daybook.db, 'token', 'list', 'eve@example.com'), { message: /^there is no user eve/ });
});

test('token revoke ends one token at once, and only one of the user who is named', async (t) => {
  const daybook = commandLine(t);
  const { url } = await daybook.serve();
  for (const email of [ANN, 'bob@example.com']) await here(daybook.db, 'user', 'add', email);
  const status = async (token: string) =>
    (await fetch(`${url}/api/v1/account`, { headers: { Authorization: `Bearer ${token}` } })).status;
  const [one, other] = [(await add(daybook, 'read')).stdout.trim(), (await add(daybook, 'read')).stdout.trim()];
  assert.deepEqual([await status(one), await status(other)], [200, 200]);
  for (const [email, id] of [
    ['bob@example.com', '1'],
    [ANN, '9'],
    [ANN, 'x'],
  ] as const) {
    const message = `${email} has no token ${id}. To list all, run daybook token list ${email}`;
    await assert.rejects(here(daybook.db, 'token', 'revoke', email, id), { message, exitCode: 1 });
  }
  assert.deepEqual(await daybook.run(['token', 'revoke', ANN, '1']), {
    code: 0,
    stdout: 'token 1 of ann@example.com revoked: test\n',
    stderr: '',
  });
  assert.deepEqual([await status(one), await status(other)], [401, 200]);
});
