// Finds the visitors and visits that are active now on an open day, a day that still takes hits. A row is one hit or
// one heartbeat, a message that a page is still visible. Making visits of all rows would be slow, so visits are made
// only of the latest rows.
// Invariant: the answers are the same as if all rows of the day were turned into visits
// (test/ledger/open/active-visits.test.ts).
//
// Example: a shard has some visitors of the day with all their hits. One shard has 25,000 visits, and 300 hits came
// since the last query. `countVisitors` reads the times of these 300 hits and makes no visits. `listActiveVisits`, for
// queries with filters, makes visits of the 300 hits and of the visits that these hits extend.
// open-day-cache.ts calls this file.
import { findStarts, readEnds, type SomeVisits, takeAllVisits } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import { emptyShardRows, type ShardRows, takeShardRows, type VisitorRange } from '../day/shard.ts';
import { type LatestHits, makeLatestHits, type Window } from './active-visitors.ts';
import { listLayersWith } from './delta.ts';
import { isInMemory, type Latest, type OpenDay, takeRows } from './open-day.ts';
import type { OpenRows } from './row-sources.ts';

/**
 * Up to 5,000 new rows are turned into visits for one query and then dropped. Adding these rows to the deltas takes
 * twice the time, but keeps the visits for later queries. If more rows are new, they are added to the deltas. Otherwise
 * each query would do the same large work again.
 */
const FEW_ROWS = 5_000;

/**
 * Returns lists with all visits that were active at second `since` or later, and some older ones. `since` is at most 30
 * minutes ago, and two visits of a visitor are further apart. So a visitor has only one active visit and is in one list
 * only. The caller may add up the visitors of the lists. The last list has the visits of new hits, and the older visits
 * that new hits extend.
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
 * Counts the visitors with a hit in a window of seconds. Hits that earlier queries have read are not read again.
 * Counting by visits would take ten times as long, because visits must first be made of the new hits. Test:
 * test/ledger/open/active-visits.test.ts.
 */
export function countVisitors(openDay: OpenDay, open: OpenRows, window: Window): number {
  const latest = moveOn(openDay, open, window) ?? readShardHits(openDay, open, window);
  addCame(latest, open);
  openDay.latest = latest;
  return latest.hits.visitors();
}

/**
 * The table `latest` has the time of each visitor's latest hit. Called between two queries, this function adds new rows
 * to the table, so the next query has less to do. If no query has asked for active visitors for some time, the table is
 * dropped to free its memory.
 */
export function keepLatest(openDay: OpenDay, open: OpenRows): void {
  const { latest } = openDay;
  if (!canContinue(latest, open)) return;
  addCame(latest, open);
  if (latest.hits.waiting() > MOST_WAITING) openDay.latest = undefined;
}

/**
 * A shard has some visitors of a day. Its delta has the rows that came after the shard was built. This function
 * returns, for each shard, the new rows that its delta does not have yet. If there are more than 5,000 (`FEW_ROWS`),
 * the deltas take in the rows, and the returned lists are empty.
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

/**
 * Adds hits of stored visits to the table of latest hits. Visits that ended before second `from` of the day are
 * skipped, because all their hits are older.
 */
function addSince({ shards }: OpenDay, from: number, { add }: LatestHits): void {
  for (const { delta, recent } of shards) {
    // A shard (some visitors of the day) without `recent` is only in memory, not in the database file. Its hits are
    // also among the day's rows in memory, which `addCame` adds. So this loop skips the shard.
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

/**
 * Adds the hits that came since the last call to the table of latest hits. Heartbeats, messages that a page is still
 * visible, are left out, because they are no hits.
 */
function addCame(latest: Latest, { rows, first }: OpenRows): void {
  for (let i = latest.count - first; i < rows.count; i++) {
    if ((rows.engaged[i] as number) < 0) latest.hits.add(rows.visitor[i] as number, rows.second[i] as number);
  }
  latest.count = first + rows.count;
}

/**
 * Returns whether the table of latest hits can be brought up to date. All rows that the table lacks must be in memory.
 * Compaction may have moved some of these rows into packed form in the database file. Then the result is false, and the
 * table is built again.
 */
const canContinue = (latest: Latest | undefined, { first }: OpenRows): latest is Latest =>
  latest !== undefined && latest.count >= first;

/**
 * At most this many hits wait in memory for the window to move: the seconds in which active visitors count. The window
 * moves at each query. If more hits wait, the table is dropped, and the next query builds it again. At 2,000 hits a
 * second, this happens 100 s after the last query. 200,000 hits take 3 MB.
 */
const MOST_WAITING = 200_000;

/**
 * Moves the window, the range of seconds in which hits count. Returns undefined if the table from an earlier query
 * cannot be used, for example because the window would move back. The caller then builds a new table.
 */
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
