// The appender writes batches of hits, crawls and drops into the file. Its queue forms the batches (src/commit/group-commit.ts).
//
// Invariant: a hit is stored on its own day, or dropped with the reason `too-late`. A heartbeat of such a day is left out without a word.
//
// Example: 40 senders send a hit each within 6 ms. The batch is one transaction, and each sender gets its answer after it.
import { makeCommitQueue, type QueuedBatch, type Watchers } from '../../commit/group-commit.ts';
import { countUsage } from '../../commit/plan-usage.ts';
import { type Activity, type Drop, isHit } from '../../engine/activity.ts';
import { cached } from '../../lib/cache.ts';
import { makeDayKey, readKeyDay, readKeyId } from '../../lib/day-key.ts';
import type { Db } from '../../store/db.ts';
import { findSiteAccount } from '../../store/sites/sites.ts';
import { makeTermIndex, type TermIndex } from '../rows/capped-terms.ts';
import { addCrawl } from '../rows/crawls.ts';
import { addDrop } from '../rows/drops.ts';
import { addActivities } from '../rows/hits.ts';
import { open } from './reopen.ts';

/** Writes batches of hits into the file. `stored` is called with what is on the disk, before senders get their answer. */
export function makeAppender(
  db: Db,
  { stored, ...watchers }: Watchers & { stored?: (activities: readonly Activity[]) => void },
) {
  const terms = makeTermIndex(db);
  return makeCommitQueue(
    {
      write: (batches, dropped) => db.write(() => write(db, terms, batches, dropped)),
      stored: ({ activities }) => stored?.(activities),
      undone: terms.forget,
      // Terms of yesterday are kept: an access log may be read around midnight, and other time zones may be a day behind.
      begins: (day) => terms.forgetBefore(day - 2),
    },
    watchers,
  );
}

/**
 * Stores activities on their own day, or drops them if that day takes no hits: a hit must never count at another time. Returns what was
 * stored.
 */
function store(db: Db, terms: TermIndex, activities: readonly Activity[]): Activity[] {
  const isOpen = cached((key: number) => open(db, readKeyId(key), readKeyDay(key)));
  const onTime = activities.filter((activity) => {
    const { siteId, day } = activity;
    const takesHits = isOpen(makeDayKey(siteId, day));
    if (!takesHits && isHit(activity)) addDrop(db, { siteId, day, reason: 'too-late', hits: 1 });
    return takesHits;
  });
  addActivities(db, onTime, terms.on);
  return onTime;
}

/** Writes batches. Rows of a site that was deleted while they were queued are left out. */
function write(db: Db, terms: TermIndex, batches: readonly QueuedBatch[], dropped: readonly Drop[]): void {
  const findAccount = cached((siteId: number) => findSiteAccount(db, siteId));
  const siteExists = ({ siteId }: { siteId: number }) => findAccount(siteId) !== undefined;
  const arrived = batches.flatMap(({ activities }) => activities).filter(siteExists);
  const activities = store(db, terms, arrived);
  countUsage(db, activities, findAccount);
  for (const crawl of batches.flatMap(({ crawls }) => crawls).filter(siteExists)) {
    addCrawl(db, crawl, terms.on(crawl.siteId, crawl.day)('crawled', crawl.page));
  }
  for (const drop of [...batches.flatMap(({ drops }) => drops), ...dropped].filter(siteExists)) addDrop(db, drop);
  for (const { alongside } of batches) alongside?.();
}
