import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../../src/store/file/open-file.ts';
import { addUser } from '../../src/store/people/users.ts';
import { folder } from '../support/helpers.ts';

/** A file of version 1 with two users, closed. */
export function oldFile(t: TestContext): string {
  const path = join(realpathSync(folder(t)), 'daybook.db');
  const { db, close } = openStore(path, { migrations: [] });
  db.write(() => {
    for (const email of ['ann@example.com', 'bob@example.com']) addUser(db, { email, password: null, now: 0 });
  });
  close();
  return path;
}

/** Looks into a file as another program would. */
export function look<Row>(path: string, sql: string): Row[] {
  const file = new Database(path, { fileMustExist: true });
  try {
    return file.prepare(sql).all() as Row[];
  } finally {
    file.close();
  }
}

export const versionOf = (path: string): unknown =>
  look<{ user_version: number }>(path, 'PRAGMA user_version')[0]?.user_version;

export const tablesOf = (path: string): string[] =>
  look<{ name: string }>(path, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map(
    ({ name }) => name,
  );

export const emailsOf = (path: string): string[] =>
  look<{ email: string }>(path, 'SELECT email FROM user ORDER BY id').map(({ email }) => email);

export const copiesOf = (path: string): string[] =>
  readdirSync(dirname(path)).filter((name) => name.includes('before'));
export const OLD_EMAILS = ['ann@example.com', 'bob@example.com'];
