// An open day, as queries read it, is a list of shards, each with its delta. A small day has one shard in memory, which is never written.
// From 100,000 rows on compaction writes shards, each of a range of visitors.
// Invariant: the shards with their deltas have all rows that were read, and no visitor is in two shards.
//
// Example: a day of 6,100 rows is one shard. 20 more rows are a delta. At 763 more, an eighth, all 6,863 rows are sessionized again. Below
// 5,000 rows that happens at each query, because it takes no longer than a delta.
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
import { makeScratch } from './merge-columns.ts';
import { type Recent, readRecent } from './recent-visits.ts';
import type { OpenRows } from './row-sources.ts';
import { type ReadColumn, readShard } from './shard-format.ts';
import type { ShardRow } from './shard-table.ts';

/**
 * A shard with its delta, and with what was made of both until more rows come. The shard has taken in the first `count` rows of the
 * day.
 */
type OpenShard = {
  id: number;
  count: number;
  delta: Delta;
  recent?: Recent;
  begin?: number;
  added?: Shard | undefined;
  change?: Change | undefined;
};

/** The latest hit of each visitor, from the first `count` rows of the day. */
export type Latest = { hits: LatestHits; count: number };

/** An open day in memory: its shards, and what earlier queries counted of them. */
export type OpenDay = {
  day: number;
  ids: string;
  ranges: VisitorRange[];
  shards: OpenShard[];
  /**
   * What each query counted of each shard without its delta: by query, then by shard. A shard never changes; compaction replaces it by
   * a new one.
   */
  answers: Map<string, Map<number, unknown>>;
  latest?: Latest | undefined;
};

/** Opens a day with its written shards. Shards that `before` has too are taken from there. */
export function beginOpenDay(
  db: Db,
  day: number,
  shards: readonly ShardRow[],
  { cached, before }: { cached?: ReadColumn; before?: OpenDay | undefined } = {},
): OpenDay {
  const known = new Map(before?.shards.map((own) => [own.id, own]));
  return {
    day,
    ids: shards.map(({ id }) => id).join(),
    ranges: shards.length === 0 ? [ALL_VISITORS] : listVisitorRanges(shards.map(({ from }) => from)),
    shards:
      shards.length === 0
        ? [findShardInMemory(day, before)]
        : shards.map((row) => {
            const own = known.get(row.id) ?? openShard(db, day, row, cached);
            own.count = Math.max(own.count, row.count);
            return own;
          }),
    answers: before?.answers ?? new Map(),
    latest: before?.latest,
  };
}

function openShard(db: Db, day: number, row: ShardRow, cached?: ReadColumn): OpenShard {
  const shard = readShard(db, day, row, cached);
  const recent = readRecent(db, shard, row.id);
  return { id: row.id, count: row.count, delta: beginDelta(shard, recent), recent };
}

/** The one shard of a day without written shards. Its `id` is minus the number of rows in its base. */
const findShardInMemory = (day: number, before: OpenDay | undefined): OpenShard =>
  before?.shards.find(({ id }) => id <= 0) ?? { id: 0, count: 0, delta: beginDelta(emptyShard(day)) };

/** Whether the day is one shard in memory. */
export const isInMemory = ({ ids }: OpenDay): boolean => ids === '';

/** Sessionizing so few rows takes no longer than adding rows to a delta. */
const FEW_ROWS = 5_000;
/** The base is built again when the delta has this share of its rows. A query counts each changed visit twice, so a large delta is slow. */
const SHARE = 1 / 8;

/** Sessionizes all rows of a shard in memory again, unless a delta is cheaper. */
function rebuild(openDay: OpenDay, { rows }: OpenRows): void {
  const [own] = openDay.shards;
  if (!own || !isInMemory(openDay) || own.count === rows.count) return;
  const inBase = -own.id;
  if (inBase > FEW_ROWS && rows.count - inBase < inBase * SHARE) return;
  const shard = sessionize(openDay.day, rows);
  const base = { ...shard, ends: once(() => findEnds(shard)) };
  openDay.shards = [{ id: -rows.count, count: rows.count, delta: beginDelta(base) }];
}

function sessionizeAdded(own: OpenShard): Shard {
  own.added ??= sessionizeDelta(own.delta);
  return own.added;
}

/** Mostly all rows that are in no written shard, so that each shard takes its rows in at once. */
const ROWS_AT_ONCE = 200_000;
/** From so many new rows on, a shard sessionizes them at once. Rows take ten times the memory of visits, and a query reads all shards. */
const ROWS_WAITING = 4_000;

/** Adds new rows of the day to shard number `i`, up to `most` rows of the day. */
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

/**
 * Adds all rows that were read to their shards. `checkpoint` is called after each portion and may throw. The next call then goes on
 * from there.
 */
export function takeRows(openDay: OpenDay, open: OpenRows, checkpoint = () => {}): void {
  rebuild(openDay, open);
  const end = open.first + open.rows.count;
  for (const [i, own] of openDay.shards.entries()) {
    while (own.count < end) {
      takeSome(openDay, open, i, ROWS_AT_ONCE);
      if (own.delta.rows.count > ROWS_WAITING) sessionizeAdded(own);
      checkpoint();
    }
  }
}

/** A tenth of the shards takes in rows at once. So a query waits for few of them, and each shard has its turn every second. */
const TURNS = 10;

/** Adds up to `most` rows to each of the shards that are furthest behind. So the next query finds little to do. */
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

/** Whether the day has a visit. New rows may change a visit but never remove one. */
export const hasVisits = ({ shards }: OpenDay): boolean =>
  shards.some((own) => own.delta.base.totals.visits > 0 || sessionizeAdded(own).totals.visits > 0);

/** The second of the first hit of each shard. The second of a base is kept, because every report after an outage asks for it. */
export function* listFirstSeconds({ shards }: OpenDay): Generator<number> {
  for (const own of shards) {
    own.begin ??= findFirstSecond(own.delta.base);
    yield Math.min(own.begin, findFirstSecond(sessionizeAdded(own)));
  }
}

const scratch = makeScratch();

/** The shards of an open day, each with all its rows. Columns of a shard are valid until those of another shard are read. */
export const readShards = ({ shards }: OpenDay): Shard[] =>
  shards.map((own) => applyDelta(own.delta, sessionizeAdded(own), scratch));

const scratchesOfChange = { lost: makeScratch(), found: makeScratch() };

/** The changes of all shards by their deltas: visits to take off, and visits to add. */
export function findChanges({ shards }: OpenDay): Record<'lost' | 'found', Day[]> {
  const changes = shards.flatMap((own) => {
    const added = sessionizeAdded(own);
    if (added.totals.visits === 0) return [];
    own.change ??= findChange(own.delta, added, scratchesOfChange);
    return own.change;
  });
  return {
    lost: changes.map(({ lost }) => lost),
    found: changes.map(({ found }) => found),
  };
}
