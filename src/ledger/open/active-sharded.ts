import { allVisits, endsOf, type SomeVisits, startsOf } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import { emptyPartRows, type PartRows, rowsOfPart, type VisitorRange } from '../day/shard.ts';
import { type LatestHits, latestHits, type Window } from './active-visitors.ts';
import { layersWith } from './delta.ts';
import type { OpenRows } from './row-sources.ts';
import { isInMemory, type LargeDay, type Latest, takeIn } from './sharded-day.ts';

/**
 * More rows are taken in, for the questions after this one too. To fold so many for one question takes half as long: not all that
 * came before is folded again with them.
 */
const FEW_ROWS = 5_000;

/** What the parts of a large day have not taken in, unless it is much, which they do then. */
function fewRows(large: LargeDay, open: OpenRows, checkpoint: () => void): PartRows[] {
  const { rows, first } = open;
  const came = large.patches.map(({ count }, i) =>
    rowsOfPart(rows, large.ranges[i] as VisitorRange, { first, since: count }),
  );
  if (came.reduce((sum, { count }) => sum + count, 0) <= FEW_ROWS) return came;
  takeIn(large, open, checkpoint);
  return came.map(() => emptyPartRows(0));
}

/**
 * The visits of a large day that were active since a second of it, and others. None of their visitors was active since then in two of
 * the days: what came to a visit, and what is less than `VISIT_GAP` from it, is with what was added.
 */
export function liveDaysOf(large: LargeDay, open: OpenRows, since: number, checkpoint = () => {}): SomeVisits[] {
  if (isInMemory(large)) takeIn(large, open, checkpoint);
  const came = fewRows(large, open, checkpoint);
  let rows = emptyPartRows(0);
  const days = large.patches.flatMap(({ patch, recent }, i) => {
    const own = layersWith(patch, came[i] as PartRows, rows);
    rows = own.rows;
    return own.layers.map(({ base, touched }): SomeVisits => {
      const isRecent = recent && base === patch.base && since >= recent.since;
      return isRecent
        ? { day: recent.part, counted: (some) => touched.leave(some, recent.visits) }
        : { day: base, counted: (some) => touched.leave(some) };
    });
  });
  return rows.count === 0 ? days : [...days, allVisits(sessionize(large.day, rows))];
}

/** The hits of parts by visits that were not over before a second of the day. */
function addSince({ patches }: LargeDay, from: number, { add }: LatestHits): void {
  for (const { patch, recent } of patches) {
    // The rows of a shard in memory are all there.
    if (!recent) continue;
    const part = from < recent.since ? patch.base : recent.part;
    const [ends, starts, codes] = [endsOf(part), startsOf(part), part.codes()];
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
 * Brings the latest hits of a large day up to date, so that the next question need not. Where nobody asks for them any more while
 * reports are asked, they are forgotten. Test: test/ledger/open/active-sharded.test.ts.
 */
export function keepLatest(large: LargeDay, open: OpenRows): void {
  const { latest } = large;
  if (!goesOn(latest, open)) return;
  addCame(latest, open);
  if (latest.hits.waiting() > MOST_WAITING) large.latest = undefined;
}

/** The latest hits of a large day as they were, in a window that has moved. */
function movedOn({ latest }: LargeDay, open: OpenRows, window: Window): Latest | undefined {
  if (!goesOn(latest, open) || !latest.hits.mayMove(window)) return undefined;
  latest.hits.move(window);
  return latest;
}

/** The same as if nobody had asked before. */
function fromParts(large: LargeDay, { first }: OpenRows, window: Window): Latest {
  const hits = latestHits(window);
  addSince(large, window.from, hits);
  return { hits, count: first };
}

/**
 * How many visitors have a hit in some seconds. What comes is added to what was known before, and is not made visits, which takes
 * ten times as long. Test: test/ledger/open/active-sharded.test.ts.
 */
export function visitorsIn(large: LargeDay, open: OpenRows, window: Window): number {
  const latest = movedOn(large, open, window) ?? fromParts(large, open, window);
  addCame(latest, open);
  large.latest = latest;
  return latest.hits.visitors();
}
