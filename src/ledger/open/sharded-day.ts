import { once } from '../../lib/once.ts';
import type { Db } from '../../store/db.ts';
import { beginOf, type Day, findEnds } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import { EVERYBODY, emptyPart, type Part, rangesOf, rowsOfPart, type VisitorRange } from '../day/shard.ts';
import type { LatestHits } from './active-visitors.ts';
import { addedBy, addRows, type Change, changeOf, type Patch, patched, patchOf, settle } from './delta.ts';
import { scratchOf } from './merge-columns.ts';
import { type Recent, readRecent } from './recent-visits.ts';
import type { OpenRows } from './row-sources.ts';
import { type ReadColumn, readPart } from './shard-format.ts';
import type { OpenPart } from './shard-table.ts';

/** A part with what came to it, and what was made of both until more came. It knows the first `count` rows of the day. */
type Known = {
  id: number;
  count: number;
  patch: Patch;
  recent?: Recent;
  begin?: number;
  added?: Part | undefined;
  change?: Change | undefined;
};

/** The latest hits of visitors, of the first `count` rows of the day. */
export type Latest = { hits: LatestHits; count: number };

/** What is kept of an open day with parts. */
export type LargeDay = {
  day: number;
  ids: string;
  ranges: VisitorRange[];
  patches: Known[];
  /** What was counted of each part alone, by question and part. Parts do not change; others take their place. */
  answers: Map<string, Map<number, unknown>>;
  latest?: Latest | undefined;
};

function knownOf(db: Db, day: number, row: OpenPart, cached?: ReadColumn): Known {
  const part = readPart(db, day, row, cached);
  const recent = readRecent(db, part, row.id);
  return { id: row.id, count: row.count, patch: patchOf(part, recent), recent };
}

/** The one shard of a day of which nothing is written. Its rows are all in memory; `id` says how many its base has, below 0. */
const shardInMemory = (day: number, before: LargeDay | undefined): Known =>
  before?.patches.find(({ id }) => id <= 0) ?? { id: 0, count: 0, patch: patchOf(emptyPart(day)) };

/** Whether the day is one shard in memory. */
export const isInMemory = ({ ids }: LargeDay): boolean => ids === '';

/** To sessionize so few rows takes no longer than to take in what came. */
const FEW_ROWS = 5_000;
/** What came is a delta until there is this share of the base: a query counts twice what it changes. */
const SHARE = 1 / 8;

/** Sessionizes all rows of a shard in memory again, instead of a delta that is large. */
function rebuild(large: LargeDay, { rows }: OpenRows): void {
  const [own] = large.patches;
  if (!own || !isInMemory(large) || own.count === rows.count) return;
  const inBase = -own.id;
  if (inBase > FEW_ROWS && rows.count - inBase < inBase * SHARE) return;
  const part = sessionize(large.day, rows);
  const base = { ...part, ends: once(() => findEnds(part)) };
  large.patches = [{ id: -rows.count, count: rows.count, patch: patchOf(base) }];
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
    ranges: parts.length === 0 ? [EVERYBODY] : rangesOf(parts.map(({ from }) => from)),
    patches:
      parts.length === 0
        ? [shardInMemory(day, before)]
        : parts.map((row) => {
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

/** Takes in up to `most` of the rows that came to a day since the part numbered `i` knew it. */
function takeSome({ patches, ranges }: LargeDay, { rows, first }: OpenRows, i: number, most: number): void {
  const own = patches[i] as Known;
  const some = { ...rows, count: Math.min(rows.count, own.count - first + most) };
  const came = rowsOfPart(some, ranges[i] as VisitorRange, { first, since: own.count });
  if (came.count > 0) {
    addRows(own.patch, came);
    own.added = undefined;
    own.change = undefined;
  }
  own.count = first + some.count;
}

/** Takes in what was read since. `checkpoint`, after each portion, may throw: the next call then goes on from there. */
export function takeIn(large: LargeDay, open: OpenRows, checkpoint = () => {}): void {
  rebuild(large, open);
  const end = open.first + open.rows.count;
  for (const [i, own] of large.patches.entries()) {
    while (own.count < end) {
      takeSome(large, open, i, ROWS_AT_ONCE);
      if (own.patch.rows.count > ROWS_WAITING) addedTo(own);
      checkpoint();
    }
  }
}

/** A tenth of the parts at once: who asks meanwhile waits for few, and each part has its turn every second. */
const TURNS = 10;

/** Takes in up to `most` rows for each of those parts that are furthest behind, so that the next question finds little to do. */
export function takeTurn(large: LargeDay, open: OpenRows, most: number): void {
  const { patches } = large;
  const end = open.first + open.rows.count;
  const turn = [...patches.entries()]
    .filter(([, { count }]) => count < end)
    .sort(([, one], [, other]) => one.count - other.count)
    .slice(0, Math.ceil(patches.length / TURNS));
  for (const [i, { patch }] of turn) {
    takeSome(large, open, i, most);
    settle(patch);
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
