import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db } from '../../src/store/db.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { acceptInvitation, findInvitation, inviteMember } from '../../src/store/people/team.ts';
import { findUser } from '../../src/store/people/users.ts';
import { furnish } from '../support/furnish.ts';
import { commandLine, here } from './here.ts';

const [ANN, BOB] = ['ann@example.com', 'bob@example.com'];

function inStore<Result>(path: string, work: (db: Db) => Result): Result {
  const store = openStore(path);
  try {
    return store.db.write(() => work(store.db));
  } finally {
    store.close();
  }
}

/** Ann set the server up and has a site; Bob has one too, is in her team, and she is invited to his. */
async function stage(path: string): Promise<void> {
  await furnish(path);
  await here(path, 'user', 'add', BOB);
  await here(path, 'site', 'add', BOB, 'second.example');
  await here(path, 'token', 'add', BOB, '--name', 'x', '--abilities', 'read');
  inStore(path, (db) => {
    const [ann, bob] = [findUser(db, ANN), findUser(db, BOB)];
    assert.ok(ann && bob);
    const now = Math.floor(Date.now() / 1000);
    const open = { role: 'viewer', now } as const;
    inviteMember(db, { accountId: ann.accountId, owner: ANN, email: BOB, secret: 'to bob', ...open });
    const invitation = findInvitation(db, 'to bob', now);
    assert.ok(invitation);
    acceptInvitation(db, invitation, bob.id);
    inviteMember(db, { accountId: bob.accountId, owner: BOB, email: ANN, secret: 'to ann', ...open });
  });
}

/** How many rows are left in what belongs to people. */
const rowsIn = (path: string): Record<string, number> =>
  inStore(path, (db) =>
    Object.fromEntries(
      ['user', 'account', 'site', 'token', 'session', 'member', 'invitation', 'password_link', 'removed_site'].map(
        (table) => [table, db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n ?? 0],
      ),
    ),
  );

test('a user who owns sites is not removed unless that is meant, and the refusal names what would go', async (t) => {
  const { db } = commandLine(t);
  await stage(db);
  const before = rowsIn(db);
  const message =
    'bob@example.com owns 1 site (second.example), which would be deleted with all statistics. To remove them anyway, use --force';
  await assert.rejects(here(db, 'user', 'remove', BOB), { message, exitCode: 1 });
  assert.deepEqual(rowsIn(db), before);

  const { printed, explained } = await here(db, 'user', 'remove', BOB, '--force');
  assert.deepEqual(printed, [
    'bob@example.com removed, and with them 1 site (second.example), 1 token, a team of 1, membership in 1 team',
  ]);
  assert.deepEqual(explained, ['their hits are deleted within minutes while a server runs']);
  const left = { user: 1, account: 1, site: 1, token: 1, session: 0, member: 0, invitation: 0, password_link: 0 };
  assert.deepEqual(rowsIn(db), { ...left, removed_site: 1 });
  await assert.rejects(here(db, 'user', 'remove', BOB), { message: /^there is no user bob@example\.com\./ });
});

test('the first account goes only on demand too, and who sees the Server page then is said before and after', async (t) => {
  const { db } = commandLine(t);
  await stage(db);
  const first = 'has the first account of this server: bob@example.com would be the one who sees the Server page';
  const message = `ann@example.com owns 1 site (example.com), which would be deleted with all statistics, and ${first}. To remove them anyway, use --force`;
  await assert.rejects(here(db, 'user', 'remove', ANN), { message });
  const { explained } = await here(db, 'user', 'remove', ANN, '--force');
  assert.equal(explained.at(-1), 'from now on bob@example.com will be the one who sees the Server page');
  // An open invitation would let the person in again.
  assert.equal(rowsIn(db).invitation, 0);

  const last = 'nobody would be left. The next start of the server prints a set-up link';
  await assert.rejects(here(db, 'user', 'remove', BOB), (error: Error) => error.message.includes(last));
  await here(db, 'user', 'remove', BOB, '--force');
  assert.deepEqual([rowsIn(db).user, rowsIn(db).account, rowsIn(db).removed_site], [0, 0, 2]);
});

test('a user without sites goes at once, while the server runs, and nothing of theirs opens anything any more', async (t) => {
  const daybook = commandLine(t);
  const { url } = await daybook.serve();
  await here(daybook.db, 'user', 'add', ANN);
  const link = (await here(daybook.db, 'user', 'add', BOB, '--base-url', url)).printed[0] ?? '';
  const [token = ''] = (await here(daybook.db, 'token', 'add', BOB, '--name', 'x', '--abilities', 'read')).printed;
  const status = async () =>
    (await fetch(`${url}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } })).status;
  assert.equal(await status(), 200);
  assert.deepEqual(await daybook.run(['user', 'remove', BOB]), {
    code: 0,
    stdout: 'bob@example.com removed, and with them 1 token\n',
    stderr: '',
  });
  assert.equal(await status(), 401);
  assert.equal((await fetch(link)).status, 404);
  // The address is free again.
  assert.equal((await daybook.run(['user', 'add', BOB])).code, 0);
});
