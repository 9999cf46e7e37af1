// An open day as queries read it: a list of shards, each with its delta. A small day has one shard in memory, which is never written.
// From 100,000 rows on compaction writes shards, each of a range of visitors.
// Invariant: the shards with their deltas have all rows that were read, and no visitor is in two of them.
//
// Example: a day of 6,100 rows is one shard. 20 more are a delta; at 762 more, an eighth, all 6,862 are sessionized again. Below 5,000
// rows that happens at each query, because it takes no longer than a delta.
// Called by open-day-cache.ts, by the queries, and by upkeep/seal.ts.
import { once } from '../../lib/once.ts';
import type { Db } from '../../store/db.ts';
import { type Day, findEnds, findFirstSecond } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import {
  ALL_VISITORS,
  emptyShard,
  listVisitorRanges,
  type Shard,
  takeShardRows,
  type VisitorRange,
} from '../day/shard.ts';
import type { LatestHits } from './active-visitors.ts';
import {
  addRows,
  applyDelta,
  beginDelta,
  type Change,
  type Delta,
  findChange,
  sessionizeDelta,
  settle,
} from './delta.ts';
import { scratchOf } from './merge-columns.ts';
import { type Recent, readRecent } from './recent-visits.ts';
import type { OpenRows } from './row-sources.ts';
import { type ReadColumn, readShard } from './shard-format.ts';
import type { ShardRow } from './shard-table.ts';

/** A part with what came to it, and what was made of both until more came. It knows the first `count` rows of the day. */
type OpenShard = {
  id: number;
  count: number;
  delta: Delta;
  recent?: Recent;
  begin?: number;
  added?: Shard | undefined;
  change?: Change | undefined;
};

/** The latest hits of visitors, of the first `count` rows of the day. */
export type Latest = { hits: LatestHits; count: number };

/** What is kept of an open day with parts. */
export type OpenDay = {
  day: number;
  ids: string;
  ranges: VisitorRange[];
  shards: OpenShard[];
  /** What was counted of each part alone, by question and part. Parts do not change; others take their place. */
  answers: Map<string, Map<number, unknown>>;
  latest?: Latest | undefined;
};

function knownOf(db: Db, day: number, row: ShardRow, cached?: ReadColumn): OpenShard {
  const part = readShard(db, day, row, cached);
  const recent = readRecent(db, part, row.id);
  return { id: row.id, count: row.count, delta: beginDelta(part, recent), recent };
}

/** The one shard of a day of which nothing is written. Its rows are all in memory; `id` says how many its base has, below 0. */
const shardInMemory = (day: number, before: OpenDay | undefined): OpenShard =>
  before?.shards.find(({ id }) => id <= 0) ?? { id: 0, count: 0, delta: beginDelta(emptyShard(day)) };

/** Whether the day is one shard in memory. */
export const isInMemory = ({ ids }: OpenDay): boolean => ids === '';

/** To sessionize so few rows takes no longer than to take in what came. */
const FEW_ROWS = 5_000;
/** What came is a delta until there is this share of the base: a query counts twice what it changes. */
const SHARE = 1 / 8;

/** Sessionizes all rows of a shard in memory again, instead of a delta that is openDay. */
function rebuild(openDay: OpenDay, { rows }: OpenRows): void {
  const [own] = openDay.shards;
  if (!own || !isInMemory(openDay) || own.count === rows.count) return;
  const inBase = -own.id;
  if (inBase > FEW_ROWS && rows.count - inBase < inBase * SHARE) return;
  const part = sessionize(openDay.day, rows);
  const base = { ...part, ends: once(() => findEnds(part)) };
  openDay.shards = [{ id: -rows.count, count: rows.count, delta: beginDelta(base) }];
}

/** Begins with the parts of a day, or goes on with those that it still has. */
export function beginOpenDay(
  db: Db,
  day: number,
  parts: readonly ShardRow[],
  { cached, before }: { cached?: ReadColumn; before?: OpenDay | undefined } = {},
): OpenDay {
  const known = new Map(before?.shards.map((own) => [own.id, own]));
  return {
    day,
    ids: parts.map(({ id }) => id).join(),
    ranges: parts.length === 0 ? [ALL_VISITORS] : listVisitorRanges(parts.map(({ from }) => from)),
    shards:
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

function addedTo(own: OpenShard): Shard {
  own.added ??= sessionizeDelta(own.delta);
  return own.added;
}

/** Mostly all that a round has not put into parts, so that each part gets what came to it at once. */
const ROWS_AT_ONCE = 200_000;
/** More rows of a part are folded at once: unfolded they take ten times the memory, and a question reads all parts. */
const ROWS_WAITING = 4_000;

/** Takes in up to `most` of the rows that came to a day since the part numbered `i` knew it. */
function takeSome({ shards, ranges }: OpenDay, { rows, first }: OpenRows, i: number, most: number): void {
  const own = shards[i] as OpenShard;
  const some = { ...rows, count: Math.min(rows.count, own.count - first + most) };
  const came = takeShardRows(some, ranges[i] as VisitorRange, { first, since: own.count });
  if (came.count > 0) {
    addRows(own.delta, came);
    own.added = undefined;
    own.change = undefined;
  }
  own.count = first + some.count;
}

/** Takes in what was read since. `checkpoint`, after each portion, may throw: the next call then goes on from there. */
export function takeRows(openDay: OpenDay, open: OpenRows, checkpoint = () => {}): void {
  rebuild(openDay, open);
  const end = open.first + open.rows.count;
  for (const [i, own] of openDay.shards.entries()) {
    while (own.count < end) {
      takeSome(openDay, open, i, ROWS_AT_ONCE);
      if (own.delta.rows.count > ROWS_WAITING) addedTo(own);
      checkpoint();
    }
  }
}

/** A tenth of the parts at once: who asks meanwhile waits for few, and each part has its turn every second. */
const TURNS = 10;

/** Takes in up to `most` rows for each of those parts that are furthest behind, so that the next question finds little to do. */
export function takeTurn(openDay: OpenDay, open: OpenRows, most: number): void {
  const { shards } = openDay;
  const end = open.first + open.rows.count;
  const turn = [...shards.entries()]
    .filter(([, { count }]) => count < end)
    .sort(([, one], [, other]) => one.count - other.count)
    .slice(0, Math.ceil(shards.length / TURNS));
  for (const [i, { delta }] of turn) {
    takeSome(openDay, open, i, most);
    settle(delta);
  }
}

/** Whether anybody came. What comes may change a visit, and takes none away. */
export const hasVisits = ({ shards }: OpenDay): boolean =>
  shards.some((own) => own.delta.base.totals.visits > 0 || addedTo(own).totals.visits > 0);

/** The seconds at which the first hits of the parts came. Those of a part are read once, because every report after an outage asks. */
export function* beginsOf({ shards }: OpenDay): Generator<number> {
  for (const own of shards) {
    own.begin ??= findFirstSecond(own.delta.base);
    yield Math.min(own.begin, findFirstSecond(addedTo(own)));
  }
}

const scratch = scratchOf();

/** The parts of a openDay day, each with all its rows. Columns of one are valid until those of another are read. */
export const readShards = ({ shards }: OpenDay): Shard[] =>
  shards.map((own) => applyDelta(own.delta, addedTo(own), scratch));

const scratchesOfChange = { lost: scratchOf(), found: scratchOf() };

/** What came to the parts of a openDay day since they were folded. */
export function findChanges({ shards }: OpenDay): Record<'lost' | 'found', Day[]> {
  const changes = shards.flatMap((own) => {
    const added = addedTo(own);
    if (added.totals.visits === 0) return [];
    own.change ??= findChange(own.delta, added, scratchesOfChange);
    return own.change;
  });
  return {
    lost: changes.map(({ lost }) => lost),
    found: changes.map(({ found }) => found),
  };
}
