import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { Refusal } from '../../src/lib/errors.ts';
import type { Db } from '../../src/store/db.ts';
import { type Opened, openStore } from '../../src/store/file/open-file.ts';
import { addUser } from '../../src/store/people/users.ts';
import { folder } from '../support/helpers.ts';

export const fileIn = (t: TestContext): string => join(realpathSync(folder(t)), 'daybook.db');

/** The bytes of a page of SQLite. */
export const PAGE = 4096;

/** Works on a file as other programs would. */
export function change(path: string, sql: string): void {
  const file = new Database(path);
  file.exec(sql);
  file.close();
}

/** Opens a file for as long as the test lasts. */
export function opened(t: TestContext, path: string, options: Parameters<typeof openStore>[1] = {}): Opened {
  const store = openStore(path, options);
  t.after(() => store.close());
  return store;
}

export const add = (db: Db, email: string): number => db.write(() => addUser(db, { email, password: null, now: 0 }).id);

export const emails = (db: Db): string[] =>
  db.all<{ email: string }>('SELECT email FROM user ORDER BY id').map(({ email }) => email);

/** A file of ours with some rows, closed. */
export function makeFile(path: string, users = 10): void {
  const { db, close } = openStore(path);
  db.write(() => {
    for (let i = 0; i < users; i++) addUser(db, { email: `user${i}@example.com`, password: 'x'.repeat(500), now: 0 });
  });
  close();
}

/** Every file of a folder with what is in it. */
export const contents = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((name) => [name, createHash('sha256').update(readFileSync(name)).digest('hex')]),
  );

/** Every way in is refused in one line that names the file and says what to do; nothing in its folder changes. */
export function assertRefused(
  path: string,
  says: RegExp,
  options: Parameters<typeof openStore>[1][] = [{}, { serve: true }],
): void {
  for (const option of options) {
    const before = contents(dirname(path));
    let refusal: unknown;
    try {
      openStore(path, option).close();
    } catch (error) {
      refusal = error;
    }
    assert.ok(refusal instanceof Refusal, refusal ? String(refusal) : 'it was opened');
    assert.equal(refusal.exitCode, 78);
    assert.ok(refusal.message.startsWith(`${path}: `), refusal.message);
    assert.doesNotMatch(refusal.message, /\n|SQLITE/);
    assert.match(refusal.message, says);
    assert.deepEqual(contents(dirname(path)), before);
  }
}
