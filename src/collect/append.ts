import { Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { monthOf } from '../lib/time.ts';
import { WORDS } from '../store/hits.ts';
import type { Db } from '../store/statements.ts';
import { dayKey, type Hit } from './hit.ts';
import { words } from './words.ts';

/** What the collector hands over besides hits: counted in memory, and written with the next hits or within a second. */
export type Drop = { siteId: number; day: number; reason: string };
export type Crawl = { siteId: number; day: number; crawler: string; page: string };

const AT_ONCE = 1_000;
/** How long a count of what was dropped may wait for a hit to be written with. */
const DROPS_WAIT_MS = 1_000;
const MOST_WAITING = 10_000;

const INSERT = `INSERT INTO hit (site_id, day, second, visitor, engaged, ${WORDS.join(', ')})
  VALUES (?, ?, ?, ?, ?, ${WORDS.map(() => '?').join(', ')})`;

type Waiting = {
  hits: readonly Hit[];
  crawls: readonly Crawl[];
  lost: readonly Drop[];
  done(): void;
  failed(error: Problem): void;
};

/**
 * The open days: what comes in is on the disk before anybody is told so. Everything that is waiting goes into one
 * transaction, so that a slow disk costs time and not throughput; when it fails, all in it are told, and the next try is
 * like the first. Held by test/collect/kill.test.ts and test/collect/append.test.ts.
 */
export function openDay(db: Db, log: Log) {
  const known = words(db);
  const queue: Waiting[] = [];
  let waiting = 0;
  let drops = new Map<string, Drop & { count: number }>();
  let isDue = false;
  let dropsTimer: NodeJS.Timeout | undefined;
  let today = 0;

  /** Sites that are there, with their accounts; a site may have been deleted since its hit was taken. */
  const accountOf = (siteId: number): number | undefined =>
    db.one<{ id: number }>('SELECT account_id AS id FROM site WHERE id = ?', siteId)?.id;

  function insert(hit: Hit): void {
    const { siteId, day, second, visitor, engaged } = hit;
    const ids = WORDS.map((word) => known.idOf(siteId, day, word, hit[word]));
    db.run(INSERT, siteId, day, second, visitor, engaged, ...ids);
  }

  function insertAll(batch: readonly Waiting[]): void {
    const accounts = new Map<number, number | undefined>();
    const used = new Map<number, { account: number; day: number; events: number }>();
    const account = (siteId: number): number | undefined => {
      if (!accounts.has(siteId)) accounts.set(siteId, accountOf(siteId));
      return accounts.get(siteId);
    };
    for (const { hits, crawls } of batch) {
      for (const hit of hits) {
        const owner = account(hit.siteId);
        if (owner === undefined) continue;
        insert(hit);
        if (hit.engaged !== null) continue;
        const key = dayKey(owner, hit.day);
        const before = used.get(key);
        if (before) before.events++;
        else used.set(key, { account: owner, day: hit.day, events: 1 });
      }
      for (const { siteId, day, crawler, page } of crawls) {
        if (account(siteId) === undefined) continue;
        db.run(
          `INSERT INTO crawl_day (site_id, day, crawler, page, requests) VALUES (?, ?, ?, ?, 1)
           ON CONFLICT DO UPDATE SET requests = requests + 1`,
          siteId,
          day,
          crawler,
          known.idOf(siteId, day, 'crawled', page),
        );
      }
    }
    for (const { account: id, day, events } of used.values()) {
      db.run(
        `INSERT INTO usage (account_id, month, events) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET events = events + excluded.events`,
        id,
        monthOf(day * 86_400),
        events,
      );
    }
    const lost = batch.flatMap((one) => one.lost.map((drop) => ({ ...drop, count: 1 })));
    for (const { siteId, day, reason, count } of [...drops.values(), ...lost]) {
      if (account(siteId) === undefined) continue;
      db.run(
        `INSERT INTO drop_day (site_id, day, reason, hits) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`,
        siteId,
        day,
        reason,
        count,
      );
    }
  }

  /** Takes from the queue what fits into one transaction. */
  function nextBatch(): Waiting[] {
    let count = 0;
    let taken = 0;
    for (const { hits, crawls } of queue) {
      if (count > 0 && count + hits.length + crawls.length > AT_ONCE) break;
      count += hits.length + crawls.length;
      taken++;
    }
    waiting -= count;
    return queue.splice(0, taken);
  }

  function flush(): void {
    isDue = false;
    clearTimeout(dropsTimer);
    dropsTimer = undefined;
    const batch = nextBatch();
    if (batch.length === 0 && drops.size === 0) return;
    try {
      db.write(() => insertAll(batch));
      drops = new Map();
      for (const { done } of batch) done();
    } catch (error) {
      known.forget();
      const { code = '', message } = error as Error & { code?: string };
      log('hits not stored', { code, message, hits: batch.length });
      const problem = new Problem('unavailable', { headers: { 'Retry-After': '1' } });
      for (const { failed } of batch) failed(problem);
    }
    if (queue.length > 0) soon();
  }

  /**
   * After what has arrived by now has been read. While the disk is busy more arrives, so that the next transaction is as big
   * as it has to be, and a quiet server does not keep anybody waiting.
   */
  function soon(): void {
    if (isDue) return;
    isDue = true;
    setImmediate(flush);
  }

  function add(hits: readonly Hit[], crawls: readonly Crawl[] = [], lost: readonly Drop[] = []): Promise<void> {
    const count = hits.length + crawls.length;
    if (waiting + count > MOST_WAITING) throw new Problem('unavailable', { headers: { 'Retry-After': '1' } });
    waiting += count;
    const day = hits[0]?.day ?? 0;
    if (day > today) {
      today = day;
      known.forgetBefore(day);
    }
    return new Promise((done, failed) => {
      queue.push({ hits, crawls, lost, done, failed });
      soon();
    });
  }

  return {
    /** Resolves when all of them are on the disk. */
    append: add,
    countDrop(drop: Drop): void {
      const key = `${drop.siteId} ${drop.day} ${drop.reason}`;
      const counted = drops.get(key);
      if (counted) counted.count++;
      else drops.set(key, { ...drop, count: 1 });
      dropsTimer ??= setTimeout(flush, DROPS_WAIT_MS);
    },
    /** Writes what is still waiting. */
    settle(): void {
      do flush();
      while (queue.length > 0);
    },
  };
}
