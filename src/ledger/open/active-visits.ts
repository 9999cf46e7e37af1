// This file finds the visitors and visits that are active now on an open day. Only the latest rows are turned into visits.
// Invariant: the answers are the same as if all rows of the day were turned into visits (test/ledger/open/active-visits.test.ts).
//
// Example: a shard has 25,000 visits, and 300 hits came since the last query. `countVisitors` reads the times of these 300 hits and makes
// no visits. `listActiveVisits`, for queries with filters, makes visits of the 300 hits and of the visits that these hits extend.
// open-day-cache.ts calls this file.
import { findStarts, readEnds, type SomeVisits, takeAllVisits } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import { emptyShardRows, type ShardRows, takeShardRows, type VisitorRange } from '../day/shard.ts';
import { type LatestHits, makeLatestHits, type Window } from './active-visitors.ts';
import { listLayersWith } from './delta.ts';
import { isInMemory, type Latest, type OpenDay, takeRows } from './open-day.ts';
import type { OpenRows } from './row-sources.ts';

/**
 * Up to 5,000 new rows are turned into visits for one query only. This takes half the time of adding the rows to the shards' deltas. More
 * rows are added to the deltas, so that later queries need not do the work again.
 */
const FEW_ROWS = 5_000;

/**
 * Returns several lists of visits. Together they have at least the visits that were active at second `since` of the day or later. No
 * visitor has such visits in two lists. The last list has the visits of new hits, and the older visits that new hits extend.
 */
export function listActiveVisits(openDay: OpenDay, open: OpenRows, since: number, checkpoint = () => {}): SomeVisits[] {
  if (isInMemory(openDay)) takeRows(openDay, open, checkpoint);
  const came = readFewRows(openDay, open, checkpoint);
  let rows = emptyShardRows(0);
  const days = openDay.shards.flatMap(({ delta, recent }, i) => {
    const own = listLayersWith(delta, came[i] as ShardRows, rows);
    rows = own.rows;
    return own.layers.map(({ base, touched }): SomeVisits => {
      const isRecent = recent && base === delta.base && since >= recent.since;
      return isRecent
        ? { day: recent.shard, counted: (some) => touched.leave(some, recent.visits) }
        : { day: base, counted: (some) => touched.leave(some) };
    });
  });
  return rows.count === 0 ? days : [...days, takeAllVisits(sessionize(openDay.day, rows))];
}

/**
 * Counts the visitors with a hit in a window of seconds. Hits that earlier queries have read are not read again. Counting by visits would
 * take ten times as long, because visits must first be made of the new hits. Test: test/ledger/open/active-visits.test.ts.
 */
export function countVisitors(openDay: OpenDay, open: OpenRows, window: Window): number {
  const latest = moveOn(openDay, open, window) ?? readShardHits(openDay, open, window);
  addCame(latest, open);
  openDay.latest = latest;
  return latest.hits.visitors();
}

/**
 * Adds new rows to the latest hits between two queries, so that the next query has less to do. If no query has asked for active visitors
 * for some time, the latest hits are deleted from memory. Test: test/ledger/open/active-visits.test.ts.
 */
export function keepLatest(openDay: OpenDay, open: OpenRows): void {
  const { latest } = openDay;
  if (!canContinue(latest, open)) return;
  addCame(latest, open);
  if (latest.hits.waiting() > MOST_WAITING) openDay.latest = undefined;
}

/**
 * Returns the rows of each shard that the shard's delta does not have. If there are more than `FEW_ROWS`, the deltas take in the rows, and
 * the returned lists are empty.
 */
function readFewRows(openDay: OpenDay, open: OpenRows, checkpoint: () => void): ShardRows[] {
  const { rows, first } = open;
  const came = openDay.shards.map(({ count }, i) =>
    takeShardRows(rows, openDay.ranges[i] as VisitorRange, { first, since: count }),
  );
  if (came.reduce((sum, { count }) => sum + count, 0) <= FEW_ROWS) return came;
  takeRows(openDay, open, checkpoint);
  return came.map(() => emptyShardRows(0));
}

/** Adds the hits of each visit that ended at second `from` of the day or later to the table of latest hits. */
function addSince({ shards }: OpenDay, from: number, { add }: LatestHits): void {
  for (const { delta, recent } of shards) {
    // A shard without `recent` is not in the database file. All rows of this shard are in `open`, and `addCame` adds them.
    if (!recent) continue;
    const shard = from < recent.since ? delta.base : recent.shard;
    const [ends, starts, codes] = [readEnds(shard), findStarts(shard), shard.codes()];
    const second = shard.column('second').codes;
    for (let visit = 0; visit < codes.length; visit++) {
      if ((ends[visit] as number) < from) continue;
      const end = starts[visit + 1] as number;
      for (let hit = starts[visit] as number; hit < end; hit++) add(codes[visit] as number, second[hit] as number);
    }
  }
}

/** Adds the hits among the rows that `latest` does not have yet. Heartbeats are left out. */
function addCame(latest: Latest, { rows, first }: OpenRows): void {
  for (let i = latest.count - first; i < rows.count; i++) {
    if ((rows.engaged[i] as number) < 0) latest.hits.add(rows.visitor[i] as number, rows.second[i] as number);
  }
  latest.count = first + rows.count;
}

/**
 * Returns whether all rows that `latest` does not have are in memory. This is false if compaction has moved some of these rows into shards.
 */
const canContinue = (latest: Latest | undefined, { first }: OpenRows): latest is Latest =>
  latest !== undefined && latest.count >= first;

/**
 * At most this many hits wait in memory for the window to move. If more wait, all of them are dropped, and the next query reads them from
 * the database file. At 2,000 hits a second that happens after 100 seconds. 200,000 hits take 3 MB.
 */
const MOST_WAITING = 200_000;

/** Moves the window of the latest hits that an earlier query has read. Returns undefined if the latest hits cannot be used. */
function moveOn({ latest }: OpenDay, open: OpenRows, window: Window): Latest | undefined {
  if (!canContinue(latest, open) || !latest.hits.mayMove(window)) return undefined;
  latest.hits.move(window);
  return latest;
}

function readShardHits(openDay: OpenDay, { first }: OpenRows, window: Window): Latest {
  const hits = makeLatestHits(window);
  addSince(openDay, window.from, hits);
  return { hits, count: first };
}
