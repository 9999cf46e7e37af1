import Database from 'better-sqlite3';
import { TEXT_FIELDS } from '../../src/stats/dimensions.ts';

const DAY = 86_400;
const PER_TRANSACTION = 100_000;

/** Makes numbers that look random and are the same in each run (xorshift). */
function random(): () => number {
  let state = 2_463_534_242;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Makes a visitor code of 53 bits from a number. The low bits choose the shard of a cluster, so they are spread evenly too. */
const codeOf = (visitor: number): number =>
  Math.floor(((visitor * 0.618_033_988_749_894_9 + 0.123) % 1) * 2 ** 33) * 2 ** 20 + (visitor % 2 ** 20);

const WORDS = { page: 3_000, source: 500, tag: 20, country: 60, device: 3, browser: 8, os: 6, event: 3, label: 50 };

const DEVICES = ['Desktop', 'Mobile', 'Tablet'];
const letter = (n: number): string => String.fromCharCode(65 + n);

/** Countries are AA, AB and so on, because filters accept only such codes. */
function readText(kind: keyof typeof WORDS, n: number): string {
  if (kind === 'page') return `/page/${n}`;
  if (kind === 'country') return letter(Math.floor(n / 26)) + letter(n % 26);
  return kind === 'device' ? (DEVICES[n] ?? '') : `${kind} ${n}`;
}

/** Adds the terms of site 1, if they are missing. Returns the first term of each kind. */
function addTerms(file: Database.Database): Record<keyof typeof WORDS, number> {
  const insert = file.prepare('INSERT OR IGNORE INTO term (site_id, id, text) VALUES (1, ?, ?)');
  const first = {} as Record<keyof typeof WORDS, number>;
  let id = 1;
  for (const [kind, count] of Object.entries(WORDS) as [keyof typeof WORDS, number][]) {
    first[kind] = id;
    for (let n = 0; n < count; n++) insert.run(id++, readText(kind, n));
  }
  return first;
}

/** The texts of each hit, in the order in which `insert` takes them. All other texts are empty. */
const GIVEN = ['page', 'event', 'label', 'source', 'utm_source', 'country', 'device', 'browser', 'os'] as const;
const EMPTY = TEXT_FIELDS.filter((name) => !(GIVEN as readonly string[]).includes(name));

const INSERT = `INSERT INTO hit (site_id, import_id, day, second, visitor, engaged, ${[...GIVEN, ...EMPTY].join(', ')})
  VALUES (1, NULL, ?, ?, ?, NULL, ${[...GIVEN.map(() => '?'), ...EMPTY.map(() => '0')].join(', ')})`;

/** The hits of a day. `seconds` is how long the traffic lasts. It begins `from` seconds after 00:00 UTC of the date. */
export type Traffic = { day: number; from?: number; seconds: number; hits: number; visitors: number };

export const today = (): number => Math.floor(Date.now() / 1000 / DAY);

const HOUR = 3_600;
const EVENING = 20;

/**
 * Returns today until now, in a time zone where it is evening. What a day costs depends on how much of the day is over.
 */
export function evening(): Required<Pick<Traffic, 'day' | 'from' | 'seconds'>> & { timeZone: string } {
  const now = Math.floor(Date.now() / 1000);
  const hour = Math.floor(now / HOUR) % 24;
  const offset = ((EVENING - hour + 36) % 24) - 12;
  const day = Math.floor((now + offset * HOUR) / DAY);
  const from = -offset * HOUR;
  // In the names of these zones, a plus means behind UTC.
  const timeZone = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
  return { timeZone, day, from, seconds: now - day * DAY - from };
}

/** Writes hits into the file as the collector would. Sending ten million hits would take ten minutes. */
export function prepare(path: string, days: readonly Traffic[]): void {
  const file = new Database(path);
  file.pragma('synchronous = OFF');
  const next = random();
  const idOf = file.transaction(addTerms)(file);
  /** A few texts are frequent, and many are rare. */
  const pick = (kind: keyof typeof WORDS): number => idOf[kind] + Math.floor(next() ** 2 * WORDS[kind]);
  const insert = file.prepare(INSERT);
  const add = file.transaction(({ day, from = 0, seconds, hits, visitors }: Traffic, first: number, end: number) => {
    for (let i = first; i < end; i++) {
      const visitor = visitors >= hits ? i : Math.floor(next() * visitors);
      const isEvent = next() < 0.05;
      const of = (kind: keyof typeof WORDS): number => idOf[kind] + (visitor % WORDS[kind]);
      insert.run(
        ...[day, from + Math.floor((i / hits) * seconds), codeOf(visitor), pick('page')],
        ...[isEvent ? pick('event') : 0, isEvent ? pick('label') : 0],
        ...[next() < 0.5 ? 0 : pick('source'), next() < 0.9 ? 0 : pick('tag')],
        ...[of('country'), of('device'), of('browser'), of('os')],
      );
    }
  });
  for (const day of days) {
    for (let first = 0; first < day.hits; first += PER_TRANSACTION)
      add(day, first, Math.min(first + PER_TRANSACTION, day.hits));
  }
  file.close();
}

function numberIn(path: string, sql: string): number {
  const file = new Database(path, { readonly: true });
  const found = file.prepare(sql).pluck().get();
  file.close();
  return found as number;
}

/** Returns how many rows of today are in shards. */
export const rowsInShards = (path: string): number =>
  numberIn(path, "SELECT coalesce(min(row_count), 0) FROM open_shard WHERE state = 'shown'");

/** Returns how many hits are in sealed days. */
export const sealedHits = (path: string): number =>
  numberIn(path, "SELECT coalesce(sum(pageviews + events), 0) FROM sealed_day WHERE state = 'shown'");

/**
 * Moves the hits of today to yesterday, so that their day is over. Afterwards the file has no WAL, so it can be copied.
 */
export function toYesterday(path: string): void {
  const file = new Database(path);
  file.exec('UPDATE hit SET day = day - 1; UPDATE open_shard SET day = day - 1; UPDATE day_term SET day = day - 1');
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
}
