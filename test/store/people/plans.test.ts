import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../../../src/store/file/open-file.ts';
import { findStanding } from '../../../src/store/people/accounts.ts';
import { findUser } from '../../../src/store/people/users.ts';
import { folder } from '../../support/helpers.ts';
import { fileOf } from '../released.ts';

test('accounts from before there was a plan for guests keep theirs, even one that was called so', (t) => {
  const path = join(folder(t), 'daybook.db');
  writeFileSync(path, fileOf(4));
  const old = new Database(path);
  old.exec(`
    INSERT INTO plan (name, sites, members) VALUES ('guest', 7, 3);
    INSERT INTO user (email, created_at) VALUES ('came.by.invitation@example.com', 0), ('on.guest@example.com', 0);
    INSERT INTO account (user_id, plan_id) SELECT u.id, p.id FROM user u JOIN plan p ON p.name = 'self-hosted'
      WHERE u.email LIKE 'came%';
    INSERT INTO account (user_id, plan_id) SELECT u.id, p.id FROM user u JOIN plan p ON p.name = 'guest'
      WHERE u.email LIKE 'on%'`);
  old.close();
  const { db, close } = openStore(path);
  t.after(close);
  const standing = (email: string) => {
    const { plan, sites, members } = findStanding(db, findUser(db, email)?.accountId ?? 0, 0);
    return [plan, sites, members];
  };
  assert.deepEqual(standing('ann@example.com'), ['self-hosted', null, null]);
  assert.deepEqual(standing('came.by.invitation@example.com'), ['self-hosted', null, null]);
  assert.deepEqual(standing('on.guest@example.com'), ['guest (plan 2)', 7, 3]);
  assert.deepEqual(db.all("SELECT sites, members, events FROM plan WHERE name = 'guest'"), [
    { sites: 0, members: 0, events: null },
  ]);
});
