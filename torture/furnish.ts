import { rmSync } from 'node:fs';
import type { Db } from '../src/store/db.ts';
import { openReader, openStore } from '../src/store/file/open-file.ts';
import { append, type Hit, pageview } from '../test/collect/stage.ts';

/** Hits of past days, by visitors who look at several pages and do things. */
export const past = (siteId: number, day: number, count: number): Hit[] =>
  Array.from({ length: count }, (_, i) =>
    pageview({
      siteId,
      day,
      second: (i * 37) % 86_400,
      visitor: 2 ** 52 + (i % Math.ceil(count / 3)),
      page: `/${(i * day) % 300}`,
      event: i % 9 === 0 ? 'buy' : '',
      source: `s${i % 40}.org`,
      country: ['DE', 'US', ''][i % 3] ?? '',
      browser: `b${i % 5}`,
    }),
  );

/** Puts hits into a file, without waiting for the disk. */
export async function fill(path: string, hits: readonly Hit[]): Promise<void> {
  const { db, close } = openStore(path);
  db.run('PRAGMA synchronous = OFF');
  await append(db, hits);
  close();
}

/** Takes a file away, with what SQLite has put beside it. */
export function removeFile(path: string): void {
  for (const tail of ['', '-wal', '-shm']) rmSync(path + tail, { force: true });
}

export const isWhole = (db: Db): boolean =>
  db.one<{ integrity_check: string }>('PRAGMA integrity_check')?.integrity_check === 'ok';

/** Looks into a file as another program would. */
export function look<Result>(path: string, work: (db: Db) => Result): Result {
  const { db, close } = openReader(path);
  try {
    return work(db);
  } finally {
    close();
  }
}

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
