import { dayIn, dayKey, type Hit, idIn } from '../collect/hit.ts';
import { Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { monthOf } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import { WORDS } from '../store/hits.ts';
import type { Db } from '../store/statements.ts';
import { words } from './terms.ts';

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

/** Asks once for each number. */
function asked<Answer>(ask: (number: number) => Answer): (number: number) => Answer {
  const known = new Map<number, Answer>();
  return (number) => {
    if (!known.has(number)) known.set(number, ask(number));
    return known.get(number) as Answer;
  };
}

/**
 * The open days: what comes in is on the disk before anybody is told so. Everything that is waiting goes into one
 * transaction, so that a slow disk costs time and not throughput; when it fails, all in it are told, and the next try is
 * like the first. Held by test/collect/kill.test.ts and test/ledger/append.test.ts.
 */
export function openDay(db: Db, log: Log, meters?: Meters) {
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

  const isSealed = (siteId: number, day: number): boolean =>
    db.one('SELECT 1 FROM sealed_day WHERE site_id = ? AND day = ? AND shown = 1', siteId, day) !== undefined;

  /** A sealed day takes nothing more: after the clock was set back, what comes in counts for the next day that is open. */
  const placed = (hit: Hit): Hit =>
    isSealed(hit.siteId, hit.day) ? placed({ ...hit, day: hit.day + 1, second: 0 }) : hit;

  function insert(hit: Hit): void {
    const { siteId, day, second, visitor, engaged } = hit;
    const ids = WORDS.map((word) => known.idOf(siteId, day, word, hit[word]));
    db.run(INSERT, siteId, day, second, visitor, engaged, ...ids);
  }

  function insertHits(hits: readonly Hit[]): void {
    const closed = asked((key) => isSealed(idIn(key), dayIn(key)));
    for (const hit of hits) insert(closed(dayKey(hit.siteId, hit.day)) ? placed(hit) : hit);
  }

  function insertCrawl({ siteId, day, crawler, page }: Crawl): void {
    db.run(
      `INSERT INTO crawl_day (site_id, day, crawler, page, requests) VALUES (?, ?, ?, ?, 1)
       ON CONFLICT DO UPDATE SET requests = requests + 1`,
      siteId,
      day,
      crawler,
      known.idOf(siteId, day, 'crawled', page),
    );
  }

  function insertDrop({ siteId, day, reason }: Drop, count: number): void {
    db.run(
      `INSERT INTO drop_day (site_id, day, reason, hits) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET hits = hits + excluded.hits`,
      siteId,
      day,
      reason,
      count,
    );
  }

  /** What an account used counts by month; a batch has hits of one or two days. */
  function countUsage(hits: readonly Hit[], accountOf: (siteId: number) => number | undefined): void {
    const used = new Map<number, number>();
    for (const { siteId, day, engaged } of hits) {
      const key = dayKey(accountOf(siteId) ?? 0, day);
      if (engaged === null) used.set(key, (used.get(key) ?? 0) + 1);
    }
    for (const [key, events] of used) {
      db.run(
        `INSERT INTO usage (account_id, month, events) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET events = events + excluded.events`,
        idIn(key),
        monthOf(dayIn(key) * 86_400),
        events,
      );
    }
  }

  function insertAll(batch: readonly Waiting[]): void {
    const owner = asked(accountOf);
    const isThere = ({ siteId }: { siteId: number }) => owner(siteId) !== undefined;
    const hits = batch.flatMap((one) => one.hits).filter(isThere);
    insertHits(hits);
    countUsage(hits, owner);
    for (const crawl of batch.flatMap((one) => one.crawls).filter(isThere)) insertCrawl(crawl);
    for (const drop of batch.flatMap((one) => one.lost).filter(isThere)) insertDrop(drop, 1);
    for (const { count, ...drop } of drops.values()) if (isThere(drop)) insertDrop(drop, count);
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

  function count(batch: readonly Waiting[]): void {
    if (!meters) return;
    const hits = batch.flatMap((one) => one.hits);
    meters.rows.observe(hits.length);
    meters.accepted.add([], hits.filter(({ engaged }) => engaged === null).length);
  }

  function flush(): void {
    isDue = false;
    clearTimeout(dropsTimer);
    dropsTimer = undefined;
    const batch = nextBatch();
    if (batch.length === 0 && drops.size === 0) return;
    try {
      const store = () => db.write(() => insertAll(batch));
      if (meters) meters.commit(store);
      else store();
      drops = new Map();
      count(batch);
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
    /** How many hits are not on the disk yet. */
    waiting: () => waiting,
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
