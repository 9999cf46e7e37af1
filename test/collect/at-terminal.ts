import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Db } from '../../src/store/db.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { here } from '../cli/here.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';

/** A file of ann's, and commands that work with it. `open` runs something on the file, between commands. */
export async function atTerminal(t: TestContext) {
  const place = folder(t);
  const path = join(place, 'daybook.db');
  await furnish(path);
  return {
    file: join(place, 'file'),
    run: (...words: string[]) => here(path, ...words),
    open<Result>(work: (db: Db) => Result): Result {
      const { db, close } = openStore(path);
      try {
        return work(db);
      } finally {
        close();
      }
    },
  };
}
