import { join } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import type { Db } from '../../src/store/db.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { addUser } from '../../src/store/people/users.ts';
import { addSite } from '../../src/store/sites/sites.ts';
import { folder } from '../support/helpers.ts';

export type Value = Parameters<Db['one']>[1];

/** A file that two writers have open. */
export function pair(t: TestContext): { path: string; db: Db; other: Db } {
  const path = join(folder(t), 'daybook.db');
  const stores = [openStore(path), openStore(path)] as const;
  t.after(() => {
    for (const store of stores) store.close();
  });
  return { path, db: stores[0].db, other: stores[1].db };
}

export const NOTE = 'INSERT INTO note (site_id, date, text, created_at) VALUES (?, ?, ?, ?)';

/** Somebody with a site, which is what a note needs. */
export function addSomebody(db: Db): { userId: number; accountId: number; siteId: number } {
  return db.write(() => {
    const { id, accountId } = addUser(db, { email: 'ann@example.com', password: null, now: 0 });
    return { userId: id, accountId, siteId: addSite(db, { accountId, domain: 'example.com', now: 0 }) };
  });
}

export const count = (db: Db, table: 'note' | 'user'): number | undefined =>
  db.one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;

/** A file of ours with the handle below it. */
export function rawFile(t: TestContext): Database.Database {
  const path = join(folder(t), 'daybook.db');
  openStore(path).close();
  const file = new Database(path);
  t.after(() => file.close());
  return file;
}
