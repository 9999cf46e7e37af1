import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { makeVisitors } from '../../src/collect/visitor.ts';
import { Refusal } from '../../src/lib/errors.ts';
import type { Steps } from '../../src/lib/steps.ts';
import { finish } from '../../src/lib/steps.ts';
import type { Opened } from '../../src/store/file/open-file.ts';
import { append, engineOver, fileOf, TODAY } from '../collect/stage.ts';
import { crowd, sealOnce } from '../ledger/stage.ts';
import { NOON } from '../support/helpers.ts';

/** A file with sealed and open days, terms, counts and a salt that is in use. */
export async function filled(t: TestContext): Promise<{ path: string; folder: string; salt: Buffer } & Opened> {
  const { path, open } = fileOf(t);
  const store = open();
  const { db } = store;
  const engine = engineOver(db);
  const crawls = [{ siteId: 1, day: TODAY, crawler: 'gptbot', page: '/read' }];
  await append(db, [...crowd(300), ...crowd(200, { siteId: 2 }), ...crowd(900, { day: TODAY, event: 'buy' })], crawls);
  engine.intake.countDrop({ siteId: 2, day: TODAY, reason: 'bot', hits: 1 });
  engine.intake.settle();
  for (const siteId of [1, 2]) assert.ok(sealOnce(db, { siteId, day: TODAY - 1 }));
  const salt = randomBytes(32);
  const clock = { now: () => NOON, tick: () => 0 };
  makeVisitors(db, () => salt, clock, false).computeCode(TODAY, 1, '192.0.2.1', 'agent');
  return { ...store, path, folder: join(path, '..'), salt };
}

/** Every row of every table, without the salt. */
export function rowsOf(path: string): Record<string, unknown[]> {
  const file = new Database(path, { readonly: true });
  const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();
  const rows = (tables as string[])
    .filter((name) => name !== 'salt')
    .map((name) => [
      name,
      file
        .prepare(`SELECT * FROM ${name}`)
        .raw()
        .all()
        .map((row) => JSON.stringify(row))
        .sort(),
    ]);
  file.close();
  return Object.fromEntries(rows);
}

/** What is said when something is not done. */
export const refused = (work: () => Steps<unknown>): Refusal => {
  try {
    finish(work());
  } catch (error) {
    assert.ok(error instanceof Refusal, String(error));
    return error;
  }
  assert.fail('it was done');
};
