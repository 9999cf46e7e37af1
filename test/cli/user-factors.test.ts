import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Db } from '../../src/store/db.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { addFactor, countRecoveryCodes, hasFactors, setRecoveryCodes } from '../../src/store/people/second-factors.ts';
import { addSession, listSessions } from '../../src/store/people/sessions.ts';
import { findUser } from '../../src/store/people/users.ts';
import { folder } from '../support/helpers.ts';
import { here } from './here.ts';

const [ANN, BOB] = ['ann@example.com', 'bob@example.com'];

test('an operator takes two factors off one user, which ends their sessions and nobody else’s', async (t) => {
  const path = join(folder(t), 'daybook.db');
  const now = Math.floor(Date.now() / 1000);
  const inStore = <Result>(work: (db: Db, userId: number) => Result): Result[] => {
    const store = openStore(path);
    try {
      return store.db.write(() => [ANN, BOB].map((email) => work(store.db, findUser(store.db, email)?.id ?? 0)));
    } finally {
      store.close();
    }
  };
  for (const email of [ANN, BOB]) await here(path, 'user', 'add', email);
  inStore((db, userId) => {
    const key = Buffer.alloc(20);
    addFactor(db, { userId, kind: 'app', name: 'Phone', key, credential: null, used: 0 }, now);
    setRecoveryCodes(db, userId, ['a', 'b']);
    addSession(db, { userId, secret: `secret of ${userId}`, browser: 'Firefox', now });
  });

  const { printed } = await here(path, 'user', 'change', ANN, '--without-factors');
  assert.deepEqual(printed, [`${ANN}: 1 second factor removed, and 1 session ended`]);
  const left = inStore((db, id) => [hasFactors(db, id), countRecoveryCodes(db, id), listSessions(db, id, now).length]);
  assert.deepEqual(left, [
    [false, 0, 0],
    [true, 2, 1],
  ]);
  await assert.rejects(here(path, 'user', 'change', ANN), /say what to change: --without-factors/);
  await assert.rejects(here(path, 'user', 'change', 'x@example.com', '--without-factors'), /there is no user/);
});
