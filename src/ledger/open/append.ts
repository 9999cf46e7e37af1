// Writes batches of hits, heartbeats, crawls and drops into the file.
//
// Invariant: a hit of an existing site is stored on the day of the hit, or dropped with the reason `too-late`.
//
// Example: within 6 ms, 40 browsers each send a batch with one hit. One transaction writes the 40 hits. After this
// transaction, each browser gets a response. Batches wait for their transaction in the queue of
// src/commit/group-commit.ts.
import { makeCommitQueue, type QueuedBatch, type Watchers } from '../../commit/group-commit.ts';
import { countUsage } from '../../commit/plan-usage.ts';
import { type Activity, type Drop, isHit } from '../../engine/activity.ts';
import { cached } from '../../lib/cache.ts';
import { makeDayKey, readKeyDay, readKeyId } from '../../lib/day-key.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { assertNotOnCluster } from '../../store/cluster/cluster-servers.ts';
import type { Db } from '../../store/db.ts';
import { findSiteAccount } from '../../store/sites/sites.ts';
import { makeTermIndex, type TermIndex } from '../rows/capped-terms.ts';
import { addCrawl } from '../rows/crawls.ts';
import { addDrop } from '../rows/drops.ts';
import { addActivities } from '../rows/hits.ts';
import { open } from './reopen.ts';

/**
 * Makes the queue of batches. After a transaction, `stored` is called with all activities of each batch. Activities
 * that were too late are included. A batch is acknowledged only after its transaction, so an acknowledged hit is on the
 * disk.
 */
export function makeAppender(
  db: Db,
  { stored, clock, ...watchers }: Watchers & { clock: Clock; stored?: (activities: readonly Activity[]) => void },
) {
  const terms = makeTermIndex(db);
  return makeCommitQueue(
    {
      write: (batches, dropped) => db.write(() => write(db, terms, { batches, dropped, now: seconds(clock) })),
      stored: ({ activities }) => stored?.(activities),
      undone: terms.forget,
      // The terms of a day stay in memory for two more days, because hits of the day may still arrive. For example, the
      // day ends later in some time zones, and daybook may read an access log after midnight.
      begins: (day) => terms.forgetBefore(day - 2),
    },
    { ...watchers, clock },
  );
}

/**
 * Stores activities on the days on which they happened. A totals-only day accepts no hits, so its hits are dropped.
 * Returns the stored activities.
 */
function store(db: Db, terms: TermIndex, activities: readonly Activity[], now: number): Activity[] {
  const isOpen = cached((key: number) => open(db, readKeyId(key), readKeyDay(key), now));
  const onTime = activities.filter((activity) => {
    const { siteId, day } = activity;
    const takesHits = isOpen(makeDayKey(siteId, day));
    if (!takesHits && isHit(activity)) addDrop(db, { siteId, day, reason: 'too-late', hits: 1 });
    return takesHits;
  });
  addActivities(db, onTime, terms);
  return onTime;
}

type Written = { batches: readonly QueuedBatch[]; dropped: readonly Drop[]; now: number };

/**
 * Writes batches into the file. A site may be deleted while its hits wait in the queue. Nothing of a deleted site is
 * written. A command such as `daybook logs` may still run after the hits were moved to a cluster. It is refused, because
 * no report would show what it writes (test/cluster/move-logs.test.ts).
 */
function write(db: Db, terms: TermIndex, { batches, dropped, now }: Written): void {
  assertNotOnCluster(db);
  const findAccount = cached((siteId: number) => findSiteAccount(db, siteId));
  const siteExists = ({ siteId }: { siteId: number }) => findAccount(siteId) !== undefined;
  const arrived = join(batches, 'activities').filter(siteExists);
  const activities = store(db, terms, arrived, now);
  countUsage(db, activities, findAccount);
  for (const crawl of join(batches, 'crawls').filter(siteExists)) {
    addCrawl(db, crawl, terms.on(crawl.siteId, crawl.day)('crawled', crawl.page));
  }
  for (const drop of [...join(batches, 'drops'), ...dropped].filter(siteExists)) addDrop(db, drop);
  for (const { alongside } of batches) alongside?.();
}

/**
 * Joins the lists of all batches. Nearly every batch is one hit, for which `flatMap` would take several times as long.
 */
function join<Name extends 'activities' | 'crawls' | 'drops'>(
  batches: readonly QueuedBatch[],
  name: Name,
): QueuedBatch[Name][number][] {
  const all: QueuedBatch[Name][number][] = [];
  for (const batch of batches) {
    const some: QueuedBatch[Name] = batch[name];
    for (let i = 0; i < some.length; i++) all.push(some[i] as QueuedBatch[Name][number]);
  }
  return all;
}
