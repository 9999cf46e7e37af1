import { type Activity, type Batch, type Drop, isHit } from '../engine.ts';
import { Problem, Refusal } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { monthOf } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import { addUsage } from '../store/accounts.ts';
import { findSiteAccount } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { addCrawl } from './crawls.ts';
import { addDrop } from './drops.ts';
import { addActivity } from './hits.ts';
import { isSealed } from './sealed-days.ts';
import { dayIn, dayKey, idIn, type TermIndex, termIndex } from './term-index.ts';

const AT_ONCE = 1_000;
/** How long a count of what was dropped may wait for a batch to be written with. */
const DROPS_WAIT_MS = 1_000;
const MOST_WAITING = 10_000;

type Waiting = Required<Omit<Batch, 'alongside'>> & {
  alongside: Batch['alongside'];
  size: number;
  done(): void;
  failed(error: Error): void;
};

const unavailable = (cause?: unknown) => new Problem('unavailable', { headers: { 'Retry-After': '1' }, cause });

/** Asks once for each number. */
function asked<Answer>(ask: (number: number) => Answer): (number: number) => Answer {
  const known = new Map<number, Answer>();
  return (number) => {
    if (!known.has(number)) known.set(number, ask(number));
    return known.get(number) as Answer;
  };
}

/** A sealed day takes nothing more: after the clock was set back, what comes in counts for the next day that is open. */
function placed(db: Db, activity: Activity): Activity {
  const { siteId, day } = activity;
  return isSealed(db, siteId, day) ? placed(db, { ...activity, day: day + 1, second: 0 }) : activity;
}

function addActivities(db: Db, terms: TermIndex, activities: readonly Activity[]): void {
  const closed = asked((key) => isSealed(db, idIn(key), dayIn(key)));
  for (const activity of activities) {
    const own = closed(dayKey(activity.siteId, activity.day)) ? placed(db, activity) : activity;
    addActivity(db, own, (word, text) => terms.idOf(own.siteId, own.day, word, text));
  }
}

/** What an account used counts by month; a batch has hits of one or two days. */
function countUsage(db: Db, activities: readonly Activity[], accountOf: (siteId: number) => number | undefined): void {
  const used = new Map<number, number>();
  for (const activity of activities) {
    const key = dayKey(accountOf(activity.siteId) ?? 0, activity.day);
    if (isHit(activity)) used.set(key, (used.get(key) ?? 0) + 1);
  }
  for (const [key, events] of used) addUsage(db, idIn(key), monthOf(dayIn(key) * 86_400), events);
}

/** Writes batches. A site may have been deleted since its hit was taken; what is of it is left out. */
function write(db: Db, terms: TermIndex, batches: readonly Waiting[], lost: readonly Drop[]): void {
  const accountOf = asked((siteId) => findSiteAccount(db, siteId));
  const isThere = ({ siteId }: { siteId: number }) => accountOf(siteId) !== undefined;
  const activities = batches.flatMap((one) => one.activities).filter(isThere);
  addActivities(db, terms, activities);
  countUsage(db, activities, accountOf);
  for (const crawl of batches.flatMap((one) => one.crawls).filter(isThere)) {
    addCrawl(db, crawl, terms.idOf(crawl.siteId, crawl.day, 'crawled', crawl.page));
  }
  for (const drop of [...batches.flatMap((one) => one.drops), ...lost].filter(isThere)) addDrop(db, drop);
  for (const { alongside } of batches) alongside?.();
}

/** Counts of what was dropped, in memory until they are written. */
function dropCounts() {
  let counts = new Map<string, Drop>();
  return {
    add({ siteId, day, reason, hits }: Drop): void {
      const key = `${siteId} ${day} ${reason}`;
      const counted = counts.get(key);
      if (counted) counted.hits += hits;
      else counts.set(key, { siteId, day, reason, hits });
    },
    all: (): Drop[] => [...counts.values()],
    clear(): void {
      counts = new Map();
    },
  };
}

function meter(meters: Meters | undefined, batches: readonly Waiting[]): void {
  const activities = batches.flatMap((one) => one.activities);
  meters?.rows.observe(activities.length);
  meters?.accepted.add([], activities.filter(isHit).length);
}

/** Batches that wait for the disk, so many that one transaction can take them. */
function waitingBatches() {
  const queue: Waiting[] = [];
  let size = 0;
  return {
    size: () => size,
    isEmpty: () => queue.length === 0,
    hasRoom: (more: number): boolean => size === 0 || size + more <= MOST_WAITING,
    add(one: Waiting): void {
      size += one.size;
      queue.push(one);
    },
    /** Takes what fits into one transaction. */
    take(): Waiting[] {
      let sum = 0;
      let count = 0;
      for (const one of queue) {
        if (count > 0 && sum + one.size > AT_ONCE) break;
        sum += one.size;
        count++;
      }
      size -= sum;
      return queue.splice(0, count);
    },
  };
}

/**
 * What comes in is on the disk before anybody is told so. Everything that is waiting goes into one transaction, so that a slow
 * disk costs time and not throughput; when it fails, all in it are told, and the next try is like the first. Held by
 * test/collect/kill.test.ts and test/ledger/append.test.ts.
 */
export function appender(db: Db, log: Log, meters?: Meters) {
  const terms = termIndex(db);
  const waiting = waitingBatches();
  const drops = dropCounts();
  let isDue = false;
  let dropsTimer: NodeJS.Timeout | undefined;
  let today = 0;

  function flush(): void {
    isDue = false;
    clearTimeout(dropsTimer);
    dropsTimer = undefined;
    const batches = waiting.take();
    const lost = drops.all();
    if (batches.length === 0 && lost.length === 0) return;
    try {
      const commit = () => db.write(() => write(db, terms, batches, lost));
      if (meters) meters.commit(commit);
      else commit();
      drops.clear();
      meter(meters, batches);
      for (const { done } of batches) done();
    } catch (error) {
      terms.forget();
      const { code = '', message } = error as Error & { code?: string };
      log('hits not stored', { code, message, hits: batches.length });
      const told = error instanceof Refusal ? error : unavailable(error);
      for (const { failed } of batches) failed(told);
    }
    if (!waiting.isEmpty()) soon();
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

  return {
    append({ activities = [], crawls = [], drops = [], alongside }: Batch): Promise<void> {
      const size = activities.length + crawls.length;
      if (!waiting.hasRoom(size)) return Promise.reject(unavailable());
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>();
      waiting.add({ activities, crawls, drops, alongside, size, done, failed });
      // Logs go forward in time too, and may be read around midnight.
      const day = (activities[0] ?? crawls[0])?.day ?? 0;
      if (day > today) terms.forgetBefore(day - 1);
      today = Math.max(today, day);
      soon();
      return promise;
    },
    waiting: waiting.size,
    drop(drop: Drop): void {
      drops.add(drop);
      dropsTimer ??= setTimeout(flush, DROPS_WAIT_MS);
    },
    settle(): void {
      do flush();
      while (!waiting.isEmpty());
    },
  };
}
