import type { Db } from '../store/statements.ts';
import { allVisits, beginOf, type Day, endsOf, type SomeVisits, startsOf } from './day.ts';
import { foldPart } from './fold.ts';
import { type LatestHits, latestHits, type Window } from './latest-hits.ts';
import type { OpenRows } from './open-days.ts';
import type { OpenPart } from './open-parts.ts';
import { emptyPartRows, type Part, type PartRows, rangesOf, rowsOfPart, type VisitorRange } from './part.ts';
import { type ReadColumn, readPart } from './part-pieces.ts';
import { addedBy, addRows, type Change, changeOf, layersWith, type Patch, patched, patchOf } from './patch.ts';
import { type Recent, readRecent } from './recent.ts';
import { scratchOf } from './splice.ts';

/** A part with what came to it, and what was made of both until more came. It knows the first `count` rows of the day. */
type Known = {
  id: number;
  count: number;
  patch: Patch;
  recent: Recent;
  begin?: number;
  added?: Part | undefined;
  change?: Change | undefined;
};

/** What is kept of an open day with parts. */
export type LargeDay = {
  day: number;
  ids: string;
  ranges: VisitorRange[];
  patches: Known[];
  /** What was counted of each part alone, by question and part. Parts do not change; others take their place. */
  answers: Map<string, Map<number, unknown>>;
  /** The latest hits of visitors, of the first `count` rows of the day. */
  latest?: { hits: LatestHits; count: number } | undefined;
};

export const isLarge = (day: Day | LargeDay): day is LargeDay => 'patches' in day;

function knownOf(db: Db, day: number, row: OpenPart, cached?: ReadColumn): Known {
  const part = readPart(db, day, row, cached);
  const recent = readRecent(db, part, row.id);
  return { id: row.id, count: row.count, patch: patchOf(part, recent), recent };
}

/** Begins with the parts of a day, or goes on with those that it still has. */
export function beginLarge(
  db: Db,
  day: number,
  parts: readonly OpenPart[],
  { cached, before }: { cached?: ReadColumn; before?: LargeDay | undefined } = {},
): LargeDay {
  const known = new Map(before?.patches.map((own) => [own.id, own]));
  return {
    day,
    ids: parts.map(({ id }) => id).join(),
    ranges: rangesOf(parts.map(({ from }) => from)),
    patches: parts.map((row) => {
      const own = known.get(row.id) ?? knownOf(db, day, row, cached);
      own.count = Math.max(own.count, row.count);
      return own;
    }),
    answers: before?.answers ?? new Map(),
    latest: before?.latest,
  };
}

function addedTo(own: Known): Part {
  own.added ??= addedBy(own.patch);
  return own.added;
}

/** Mostly all that a round has not put into parts, so that each part gets what came to it at once. */
const ROWS_AT_ONCE = 200_000;
/** More rows of a part are folded at once: unfolded they take ten times the memory, and a question reads all parts. */
const ROWS_WAITING = 4_000;

/** Takes in what was read since. `checkpoint`, after each portion, may throw: the next call then goes on from there. */
export function takeIn({ patches, ranges }: LargeDay, { rows, first }: OpenRows, checkpoint = () => {}): void {
  for (const [i, own] of patches.entries()) {
    while (own.count < first + rows.count) {
      const some = { ...rows, count: Math.min(rows.count, own.count - first + ROWS_AT_ONCE) };
      const came = rowsOfPart(some, ranges[i] as VisitorRange, { first, since: own.count });
      if (came.count > 0) {
        addRows(own.patch, came);
        own.added = undefined;
        own.change = undefined;
      }
      own.count = first + some.count;
      if (own.patch.rows.count > ROWS_WAITING) addedTo(own);
      checkpoint();
    }
  }
}

/** Whether anybody came. What comes may change a visit, and takes none away. */
export const hasVisits = ({ patches }: LargeDay): boolean =>
  patches.some((own) => own.patch.base.totals.visits > 0 || addedTo(own).totals.visits > 0);

/** The seconds at which the first hits of the parts came. Those of a part are read once, because every report after an outage asks. */
export function* beginsOf({ patches }: LargeDay): Generator<number> {
  for (const own of patches) {
    own.begin ??= beginOf(own.patch.base);
    yield Math.min(own.begin, beginOf(addedTo(own)));
  }
}

const scratch = scratchOf();

/** The parts of a large day, each with all its rows. Columns of one are valid until those of another are read. */
export const viewsOf = ({ patches }: LargeDay): Part[] =>
  patches.map((own) => patched(own.patch, addedTo(own), scratch));

const scratchesOfChange = { lost: scratchOf(), found: scratchOf() };

/** What came to the parts of a large day since they were folded. */
export function changesOf({ patches }: LargeDay): Record<'lost' | 'found', Day[]> {
  const changes = patches.flatMap((own) => {
    const added = addedTo(own);
    if (added.totals.visits === 0) return [];
    own.change ??= changeOf(own.patch, added, scratchesOfChange);
    return own.change;
  });
  return {
    lost: changes.map(({ lost }) => lost),
    found: changes.map(({ found }) => found),
  };
}

/** More rows are taken in: to look for what they touch is then not for one question only. */
const FEW_ROWS = 250;

/** What the parts have not taken in, unless it is much, which they do then. */
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
  const came = fewRows(large, open, checkpoint);
  let rows = emptyPartRows(0);
  const days = large.patches.flatMap(({ patch, recent }, i) => {
    const own = layersWith(patch, came[i] as PartRows, rows);
    rows = own.rows;
    return own.layers.map(({ base, touched }): SomeVisits => {
      const isRecent = base === patch.base && since >= recent.since;
      return isRecent
        ? { day: recent.part, counted: (some) => touched.leave(some, recent.visits) }
        : { day: base, counted: (some) => touched.leave(some) };
    });
  });
  return rows.count === 0 ? days : [...days, allVisits(foldPart(large.day, rows))];
}

/** The hits of parts by visits that were not over before a second of the day. */
function addSince({ patches }: LargeDay, from: number, { add }: LatestHits): void {
  for (const { patch, recent } of patches) {
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

/**
 * How many visitors have a hit in some seconds. What comes is added to what was known before, and is not made visits, which takes
 * ten times as long. Test: test/ledger/large-day.test.ts.
 */
export function visitorsIn(large: LargeDay, { rows, first }: OpenRows, window: Window): number {
  const { latest } = large;
  const isKnown = latest !== undefined && latest.count >= first && latest.hits.mayMove(window);
  const { hits, count } = isKnown ? latest : { hits: latestHits(window), count: first };
  if (isKnown) hits.move(window);
  else addSince(large, window.from, hits);
  for (let i = count - first; i < rows.count; i++) {
    if ((rows.engaged[i] as number) < 0) hits.add(rows.visitor[i] as number, rows.second[i] as number);
  }
  large.latest = { hits, count: first + rows.count };
  return hits.visitors();
}
