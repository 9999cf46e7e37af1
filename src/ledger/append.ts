import { type Activity, type Batch, type Drop, isHit } from '../engine.ts';
import { cached } from '../lib/cache.ts';
import { Problem, Refusal } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, DAY, monthOf } from '../lib/time.ts';
import { trouble } from '../lib/trouble.ts';
import type { Meters } from '../metrics/meters.ts';
import { addUsage } from '../store/accounts.ts';
import { findSiteAccount } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { addCrawl } from './crawls.ts';
import { addDrop } from './drops.ts';
import { gather } from './gather.ts';
import { addActivity } from './hits.ts';
import { open } from './reopened.ts';
import { dayIn, dayKey, idIn, type TermIndex, termIndex } from './term-index.ts';

const MAX_PER_TRANSACTION = 1_000;
/** Drop counts are written with the next batch, or after this time if none comes. */
const DROPS_WAIT_MS = 1_000;
const MAX_QUEUED = 10_000;

type QueuedBatch = Required<Omit<Batch, 'alongside'>> & {
  alongside: Batch['alongside'];
  size: number;
  done(): void;
  failed(error: Error): void;
};

const unavailable = (cause?: unknown) => new Problem('unavailable', { headers: { 'Retry-After': '1' }, cause });

/** Stores activities on their own day, or not at all: what came at one time must not count at another. Returns what was stored. */
function addActivities(db: Db, terms: TermIndex, activities: readonly Activity[]): Activity[] {
  const isOpen = cached((key: number) => open(db, idIn(key), dayIn(key)));
  return activities.filter((activity) => {
    const { siteId, day } = activity;
    const takesHits = isOpen(dayKey(siteId, day));
    if (takesHits) addActivity(db, activity, (field, text) => terms.idOf(siteId, day, field, text));
    else if (isHit(activity)) addDrop(db, { siteId, day, reason: 'too-late', hits: 1 });
    return takesHits;
  });
}

const monthOn = cached((day: number) => monthOf(day * DAY), { size: 100 });

/** Adds the hits to their accounts' usage of the month, with one write per account and UTC day. */
function countUsage(db: Db, activities: readonly Activity[], accountOf: (siteId: number) => number | undefined): void {
  const used = new Map<number, number>();
  for (const activity of activities) {
    const key = dayKey(accountOf(activity.siteId) ?? 0, activity.day + Math.floor(activity.second / DAY));
    if (isHit(activity)) used.set(key, (used.get(key) ?? 0) + 1);
  }
  for (const [key, events] of used) addUsage(db, idIn(key), monthOn(dayIn(key)), events);
}

/** Writes batches. Rows of a site that was deleted while they were queued are left out. */
function write(db: Db, terms: TermIndex, batches: readonly QueuedBatch[], dropped: readonly Drop[]): void {
  const accountOf = cached((siteId: number) => findSiteAccount(db, siteId));
  const siteExists = ({ siteId }: { siteId: number }) => accountOf(siteId) !== undefined;
  const arrived = batches.flatMap(({ activities }) => activities).filter(siteExists);
  const activities = addActivities(db, terms, arrived);
  countUsage(db, activities, accountOf);
  for (const crawl of batches.flatMap(({ crawls }) => crawls).filter(siteExists)) {
    addCrawl(db, crawl, terms.idOf(crawl.siteId, crawl.day, 'crawled', crawl.page));
  }
  for (const drop of [...batches.flatMap(({ drops }) => drops), ...dropped].filter(siteExists)) addDrop(db, drop);
  for (const { alongside } of batches) alongside?.();
}

/** Counts dropped hits in memory until they are written. */
function dropCounts() {
  let counts = new Map<string, Drop>();
  return {
    add({ siteId, day, reason, hits }: Drop): void {
      const key = `${siteId} ${day} ${reason}`;
      const count = counts.get(key);
      if (count) count.hits += hits;
      else counts.set(key, { siteId, day, reason, hits });
    },
    all: (): Drop[] => [...counts.values()],
    clear(): void {
      counts = new Map();
    },
  };
}

function meter({ rows, accepted }: Meters, batches: readonly QueuedBatch[]): void {
  const activities = batches.flatMap(({ activities }) => activities);
  rows.observe(activities.length);
  accepted.add([], activities.filter(isHit).length);
}

/** The queue of batches that are not on disk yet. */
function batchQueue() {
  const queue: QueuedBatch[] = [];
  let size = 0;
  return {
    size: () => size,
    batches: () => queue.length,
    hasRoom: (more: number): boolean => size === 0 || size + more <= MAX_QUEUED,
    add(batch: QueuedBatch): void {
      size += batch.size;
      queue.push(batch);
    },
    /** Takes the batches for one transaction: at least one, which may be larger than the limit. */
    take(): QueuedBatch[] {
      let sum = 0;
      let count = 0;
      for (const batch of queue) {
        if (count > 0 && sum + batch.size > MAX_PER_TRANSACTION) break;
        sum += batch.size;
        count++;
      }
      size -= sum;
      return queue.splice(0, count);
    },
  };
}

type Watchers = {
  log: Log;
  clock: Pick<Clock, 'tick'>;
  meters?: Meters | undefined;
  /** Called with what is on the disk now, before its senders are answered. */
  stored?: (activities: readonly Activity[]) => void;
};

/**
 * A batch is acknowledged only when it is on disk. All queued batches share one transaction, so that a slow disk adds latency but
 * does not limit throughput. If it fails, every batch in it is rejected, and the next transaction starts clean. Tests:
 * test/collect/kill.test.ts, test/ledger/append.test.ts.
 */
export function appender(db: Db, { log, clock, meters, stored }: Watchers) {
  const refusals = trouble(log, clock, 'hits not stored, in all');
  const terms = termIndex(db);
  const queue = batchQueue();
  const drops = dropCounts();
  let dropsTimer: NodeJS.Timeout | undefined;
  let today = 0;

  function flush(): void {
    clearTimeout(dropsTimer);
    dropsTimer = undefined;
    const batches = queue.take();
    const dropped = drops.all();
    if (batches.length === 0 && dropped.length === 0) return;
    try {
      const commit = () => db.write(() => write(db, terms, batches, dropped));
      if (meters) meters.commit(commit);
      else commit();
      drops.clear();
      refusals.worked();
      if (meters) meter(meters, batches);
      for (const { activities, done } of batches) {
        stored?.(activities);
        done();
      }
    } catch (error) {
      terms.forget();
      const { code = '', message } = error as Error & { code?: string };
      const details = { code, message, batches: batches.length };
      refusals.failed(code || message, 'hits not stored, their senders are asked to retry', details);
      const reason = error instanceof Refusal ? error : unavailable(error);
      for (const { failed } of batches) failed(reason);
    }
  }
  const flushes = gather(clock, flush, queue);

  return {
    append({ activities = [], crawls = [], drops = [], alongside }: Batch): Promise<void> {
      // An empty one waits too, for what was dropped.
      const size = Math.max(activities.length + crawls.length, 1);
      if (!queue.hasRoom(size)) return Promise.reject(unavailable());
      const { promise, resolve: done, reject: failed } = Promise.withResolvers<void>();
      queue.add({ activities, crawls, drops, alongside, size, done, failed });
      // The terms of yesterday are kept, because an access log may be read around midnight, and other sites may not be so far yet.
      const day = (activities[0] ?? crawls[0])?.day ?? 0;
      if (day > today) terms.forgetBefore(day - 2);
      today = Math.max(today, day);
      flushes.soon();
      return promise;
    },
    waiting: queue.size,
    drop(drop: Drop): void {
      drops.add(drop);
      dropsTimer ??= setTimeout(flushes.now, DROPS_WAIT_MS);
    },
    settle(): void {
      do flushes.now();
      while (queue.batches() > 0);
      refusals.settle();
    },
  };
}
