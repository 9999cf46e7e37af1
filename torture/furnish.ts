import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { passwords } from '../src/auth/passwords.ts';
import { tokenSecret } from '../src/lib/secrets.ts';
import { openReader, openStore } from '../src/store/open.ts';
import { addSite } from '../src/store/sites.ts';
import type { Db } from '../src/store/statements.ts';
import { addToken } from '../src/store/tokens.ts';
import { addUser } from '../src/store/users.ts';
import { append, type Hit, pageview } from '../test/collect/stage.ts';
import { CHEAP, NOON } from '../test/helpers.ts';

export const ANN = { email: 'ann@example.com', password: 'a password of ann' };

const SECOND = NOON / 1000;

/** A file in which ann has sites of these domains, numbered from 1; gives a token of hers that may do everything. */
export async function furnish(path: string, domains: readonly string[]): Promise<string> {
  const password = await passwords(CHEAP).hash(ANN.password);
  const { db, close } = openStore(path);
  const secret = tokenSecret(randomBytes);
  const id = db.write(() => {
    const user = addUser(db, { email: ANN.email, password, now: SECOND });
    for (const domain of domains) addSite(db, { accountId: user.accountId, domain, now: SECOND });
    return addToken(db, { userId: user.id, name: 'x', abilities: ['read', 'write', 'collect'], secret, now: SECOND })
      .id;
  });
  close();
  return `${id}|${secret}`;
}

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
