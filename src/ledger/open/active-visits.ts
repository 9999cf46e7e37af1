// Answers which visitors and visits of an open day are active now, without sessionizing more than the latest rows.
// Invariant: the answers are those of all rows sessionized at once (test/ledger/open/active-visits.test.ts).
//
// Example: a shard has 25,000 visits, and 300 hits came since. `visitorsIn` reads the seconds of 300 hits and forms no visits.
// `listActiveVisits`, for filters, forms visits of 300 hits and of those that they extend.
// Called by open-day-cache.ts.
import { findStarts, readEnds, type SomeVisits, takeAllVisits } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import { emptyShardRows, type ShardRows, takeShardRows, type VisitorRange } from '../day/shard.ts';
import { type LatestHits, makeLatestHits, type Window } from './active-visitors.ts';
import { listLayersWith } from './delta.ts';
import { isInMemory, type Latest, type OpenDay, takeRows } from './open-day.ts';
import type { OpenRows } from './row-sources.ts';

/**
 * More rows than these are added to the deltas, for later queries too. Sessionizing so many for one query takes half as long as adding
 * them.
 */
const FEW_ROWS = 5_000;

/**
 * Visits of an open day, among them all that were active since a second. No visitor active since then is in two of the returned lists.
 * New hits and the visits that they extend are in the last list.
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
 * How many visitors have a hit in a window of seconds. New hits are added to those known before. Forming visits of them would take ten
 * times as long. Test: test/ledger/open/active-visits.test.ts.
 */
export function countVisitors(openDay: OpenDay, open: OpenRows, window: Window): number {
  const latest = moveOn(openDay, open, window) ?? readShardHits(openDay, open, window);
  addCame(latest, open);
  openDay.latest = latest;
  return latest.hits.visitors();
}

/**
 * Adds new rows to the latest hits, so that the next query need not. If nobody asks for active visitors any more, the latest hits are
 * forgotten. Test: test/ledger/open/active-visits.test.ts.
 */
export function keepLatest(openDay: OpenDay, open: OpenRows): void {
  const { latest } = openDay;
  if (!canContinue(latest, open)) return;
  addCame(latest, open);
  if (latest.hits.waiting() > MOST_WAITING) openDay.latest = undefined;
}

/** The rows of each shard that its delta does not have. If they are many, the deltas take them in, and no rows are left. */
function readFewRows(openDay: OpenDay, open: OpenRows, checkpoint: () => void): ShardRows[] {
  const { rows, first } = open;
  const came = openDay.shards.map(({ count }, i) =>
    takeShardRows(rows, openDay.ranges[i] as VisitorRange, { first, since: count }),
  );
  if (came.reduce((sum, { count }) => sum + count, 0) <= FEW_ROWS) return came;
  takeRows(openDay, open, checkpoint);
  return came.map(() => emptyShardRows(0));
}

/** Adds the hits of visits in shards that were not over before a second of the day. */
function addSince({ shards }: OpenDay, from: number, { add }: LatestHits): void {
  for (const { delta, recent } of shards) {
    // The rows of a shard in memory are all in `open`, and are added from there.
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

/** Adds the hits of new rows to the latest hits. */
function addCame(latest: Latest, { rows, first }: OpenRows): void {
  for (let i = latest.count - first; i < rows.count; i++) {
    if ((rows.engaged[i] as number) < 0) latest.hits.add(rows.visitor[i] as number, rows.second[i] as number);
  }
  latest.count = first + rows.count;
}

/** Whether all rows since `latest` are still in memory. Compaction may have put some into shards. */
const canContinue = (latest: Latest | undefined, { first }: OpenRows): latest is Latest =>
  latest !== undefined && latest.count >= first;

/** With 2,000 hits a second these are the hits of a minute and a half, and 3 MB. */
const MOST_WAITING = 200_000;

/** The latest hits of the query before, with the window moved on. Undefined if they cannot be used. */
function moveOn({ latest }: OpenDay, open: OpenRows, window: Window): Latest | undefined {
  if (!canContinue(latest, open) || !latest.hits.mayMove(window)) return undefined;
  latest.hits.move(window);
  return latest;
}

/** The latest hits from the shards, for a first query. */
function readShardHits(openDay: OpenDay, { first }: OpenRows, window: Window): Latest {
  const hits = makeLatestHits(window);
  addSince(openDay, window.from, hits);
  return { hits, count: first };
}
