// Finds the visitors and visits that are active now on an open day. A table in memory has the time of each visitor's
// latest hit (active-visitors.ts).
//
// Invariant: the answers are the same as if all rows of the day were sessionized.
//
// Example: a shard has 25,000 visits, and 300 hits arrived since the last query. `countVisitors` reads the times of
// these 300 hits and makes no visits. `listActiveVisits` makes visits only from the 300 hits, and from those visits
// that these hits extend. open-day-cache.ts calls this file. Test: test/ledger/open/active-visits.test.ts.
import { findStarts, readEnds, type SomeVisits, takeAllVisits } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import { emptyShardRows, type ShardRows, takeShardRows, type VisitorRange } from '../day/shard.ts';
import { type LatestHits, makeLatestHits, type Window } from './active-visitors.ts';
import { listLayersWith } from './delta.ts';
import { isInMemory, type Latest, type OpenDay, takeRows } from './open-day.ts';
import type { OpenRows } from './row-sources.ts';

/**
 * New rows are not added to the deltas at once. If at most this many rows wait, a query makes visits from them for
 * itself only. If more rows wait, the query first adds all of them to the deltas. Adding takes twice as long, but later
 * queries then find the visits in the deltas.
 */
const FEW_ROWS = 5_000;

/**
 * Returns lists with all visits that were active at second `since` or later. The lists also have some older visits,
 * which the caller skips. `since` is at most 30 minutes ago, and two visits of a visitor are more than 30 minutes
 * apart. A visitor therefore has at most one active visit, and the caller may add up the visitors of the lists.
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
 * Counts the visitors with a hit in a range of times, the window. The first query builds the table of latest hits. Most
 * later queries read only the hits that this table lacks. Sessionizing the day would take ten times as long.
 */
export function countVisitors(openDay: OpenDay, open: OpenRows, window: Window): number {
  const latest = moveOn(openDay, open, window) ?? readShardHits(openDay, open, window);
  addCame(latest, open);
  openDay.latest = latest;
  return latest.hits.visitors();
}

/**
 * Adds new hits to the table of latest hits, so that the next query has less to read. Hits after the end of the table's
 * window wait in a list. If too many hits wait (`MOST_WAITING`), the table is deleted to free its memory.
 */
export function keepLatest(openDay: OpenDay, open: OpenRows): void {
  const { latest } = openDay;
  if (!canContinue(latest, open)) return;
  addCame(latest, open);
  if (latest.hits.waiting() > MOST_WAITING) openDay.latest = undefined;
}

/**
 * Returns, for each shard, the new rows that its delta lacks. If there are more than 5,000 such rows (`FEW_ROWS`), they
 * are added to the deltas instead. The returned lists are then empty.
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

/** Adds the hits in stored shards to the table of latest hits. Visits that ended before second `from` are skipped. */
function addSince({ shards }: OpenDay, from: number, { add }: LatestHits): void {
  for (const { delta, recent } of shards) {
    // Each stored shard has a copy of its latest visits (`recent`, recent-visits.ts). A shard without this copy is not
    // stored, and is the only shard of its day. All rows of the day are then in memory, and the function `addCame` adds
    // their hits to the table.
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

/** Adds the hits that arrived since the last call. Heartbeats are not hits, so they are left out. */
function addCame(latest: Latest, { rows, first }: OpenRows): void {
  for (let i = latest.count - first; i < rows.count; i++) {
    if ((rows.engaged[i] as number) < 0) latest.hits.add(rows.visitor[i] as number, rows.second[i] as number);
  }
  latest.count = first + rows.count;
}

/**
 * True if the table of latest hits can be brought up to date: all rows that arrived after its last row are still in
 * memory. If compaction has moved some of these rows into shards, the table must be built again.
 */
const canContinue = (latest: Latest | undefined, { first }: OpenRows): latest is Latest =>
  latest !== undefined && latest.count >= first;

/**
 * Hits after the end of the window wait in a list of the table for the next query. If more than 200,000 such hits (3
 * MB) wait, the table is deleted, and the next query builds it again. At 2,000 hits a second, this happens 100 s after
 * the last query.
 */
const MOST_WAITING = 200_000;

/**
 * Moves the table of latest hits, which an earlier query built, to the times of `window`, and returns it. Returns
 * undefined if the table cannot be used, for example because `window` starts before the table's window.
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
