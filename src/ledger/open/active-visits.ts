import { findStarts, readEnds, type SomeVisits, takeAllVisits } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import { emptyShardRows, type ShardRows, takeShardRows, type VisitorRange } from '../day/shard.ts';
import { type LatestHits, latestHits, type Window } from './active-visitors.ts';
import { layersWith } from './delta.ts';
import { isInMemory, type Latest, type OpenDay, takeRows } from './open-day.ts';
import type { OpenRows } from './row-sources.ts';

/**
 * More rows are taken in, for the questions after this one too. To fold so many for one question takes half as long: not all that
 * came before is folded again with them.
 */
const FEW_ROWS = 5_000;

/** What the parts of a openDay day have not taken in, unless it is much, which they do then. */
function fewRows(openDay: OpenDay, open: OpenRows, checkpoint: () => void): ShardRows[] {
  const { rows, first } = open;
  const came = openDay.shards.map(({ count }, i) =>
    takeShardRows(rows, openDay.ranges[i] as VisitorRange, { first, since: count }),
  );
  if (came.reduce((sum, { count }) => sum + count, 0) <= FEW_ROWS) return came;
  takeRows(openDay, open, checkpoint);
  return came.map(() => emptyShardRows(0));
}

/**
 * The visits of a openDay day that were active since a second of it, and others. None of their visitors was active since then in two of
 * the days: what came to a visit, and what is less than `VISIT_GAP` from it, is with what was added.
 */
export function listActiveVisits(openDay: OpenDay, open: OpenRows, since: number, checkpoint = () => {}): SomeVisits[] {
  if (isInMemory(openDay)) takeRows(openDay, open, checkpoint);
  const came = fewRows(openDay, open, checkpoint);
  let rows = emptyShardRows(0);
  const days = openDay.shards.flatMap(({ delta, recent }, i) => {
    const own = layersWith(delta, came[i] as ShardRows, rows);
    rows = own.rows;
    return own.layers.map(({ base, touched }): SomeVisits => {
      const isRecent = recent && base === delta.base && since >= recent.since;
      return isRecent
        ? { day: recent.part, counted: (some) => touched.leave(some, recent.visits) }
        : { day: base, counted: (some) => touched.leave(some) };
    });
  });
  return rows.count === 0 ? days : [...days, takeAllVisits(sessionize(openDay.day, rows))];
}

/** The hits of parts by visits that were not over before a second of the day. */
function addSince({ shards }: OpenDay, from: number, { add }: LatestHits): void {
  for (const { delta, recent } of shards) {
    // The rows of a shard in memory are all there.
    if (!recent) continue;
    const part = from < recent.since ? delta.base : recent.part;
    const [ends, starts, codes] = [readEnds(part), findStarts(part), part.codes()];
    const second = part.column('second').codes;
    for (let visit = 0; visit < codes.length; visit++) {
      if ((ends[visit] as number) < from) continue;
      const end = starts[visit + 1] as number;
      for (let hit = starts[visit] as number; hit < end; hit++) add(codes[visit] as number, second[hit] as number);
    }
  }
}

/** Adds the hits that came since to the latest ones. */
function addCame(latest: Latest, { rows, first }: OpenRows): void {
  for (let i = latest.count - first; i < rows.count; i++) {
    if ((rows.engaged[i] as number) < 0) latest.hits.add(rows.visitor[i] as number, rows.second[i] as number);
  }
  latest.count = first + rows.count;
}

/** Whether the rows that came since are all there. Others have become parts meanwhile. */
const goesOn = (latest: Latest | undefined, { first }: OpenRows): latest is Latest =>
  latest !== undefined && latest.count >= first;

/** Of 2,000 hits a second those of a minute and a half. They take 3 MB. */
const MOST_WAITING = 200_000;

/**
 * Brings the latest hits of a openDay day up to date, so that the next question need not. Where nobody asks for them any more while
 * reports are asked, they are forgotten. Test: test/ledger/open/active-visits.test.ts.
 */
export function keepLatest(openDay: OpenDay, open: OpenRows): void {
  const { latest } = openDay;
  if (!goesOn(latest, open)) return;
  addCame(latest, open);
  if (latest.hits.waiting() > MOST_WAITING) openDay.latest = undefined;
}

/** The latest hits of a openDay day as they were, in a window that has moved. */
function movedOn({ latest }: OpenDay, open: OpenRows, window: Window): Latest | undefined {
  if (!goesOn(latest, open) || !latest.hits.mayMove(window)) return undefined;
  latest.hits.move(window);
  return latest;
}

/** The same as if nobody had asked before. */
function fromParts(openDay: OpenDay, { first }: OpenRows, window: Window): Latest {
  const hits = latestHits(window);
  addSince(openDay, window.from, hits);
  return { hits, count: first };
}

/**
 * How many visitors have a hit in some seconds. What comes is added to what was known before, and is not made visits, which takes
 * ten times as long. Test: test/ledger/open/active-visits.test.ts.
 */
export function visitorsIn(openDay: OpenDay, open: OpenRows, window: Window): number {
  const latest = movedOn(openDay, open, window) ?? fromParts(openDay, open, window);
  addCame(latest, open);
  openDay.latest = latest;
  return latest.hits.visitors();
}
