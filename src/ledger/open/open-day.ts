// Represents an open day in the form in which queries read it: a list of shards, each with its delta. A small day has
// one shard, which stays in memory. From 100,000 rows on, compaction writes shards into the file.
//
// Invariant: the shards with their deltas have all rows that were read. No visitor is in two shards.
//
// Example: a day has one shard of 6,100 rows. New rows go into the delta, the list of rows since the shard was built.
// When the delta has 763 rows, an eighth of 6,100, a new shard is built with all 6,863 rows. open-day-cache.ts, the
// queries and upkeep/seal.ts call this file.
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
 * A shard with its delta. Together, they have all rows of the shard's visitors among the first `count` rows of the day.
 * `begin` is the time of the base's first hit, in seconds. `added` has the visits of the delta. `change` is the result
 * of `findChange`. When rows are added to the delta, `added` and `change` are deleted, and computed again at the next
 * use.
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

/** The time of each visitor's latest hit, in seconds. Only the first `count` rows of the day are included. */
export type Latest = { hits: LatestHits; count: number };

export type OpenDay = {
  day: number;
  ids: string;
  ranges: VisitorRange[];
  shards: OpenShard[];
  /**
   * What earlier queries counted in the bases of the shards. The first key is a text with the query and the ids of the
   * exclusions. The second key is the shard id. These counts stay valid, because a base never changes: compaction makes
   * a new shard with a new id.
   */
  answers: Map<string, Map<number, unknown>>;
  latest?: Latest | undefined;
};

/**
 * Prepares an open day for a query. `shards` lists the day's shards in the file, and is empty for a small day. `before`
 * is the result of an earlier query. Shards that are already in `before` are taken from there, so they need not be read
 * again.
 */
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
  const recent = readRecent(db, shard, row);
  return { id: row.id, count: row.count, delta: beginDelta(shard, recent), recent };
}

/**
 * Finds or makes the shard of a small day. Caches identify a shard by its `id`, so each new shard needs another id. The
 * id of a shard in memory is minus the number of its rows. Ids above 0 belong to shards in the file.
 */
const findShardInMemory = (day: number, before: OpenDay | undefined): OpenShard =>
  before?.shards.find(({ id }) => id <= 0) ?? { id: 0, count: 0, delta: beginDelta(emptyShard(day)) };

export const isInMemory = ({ ids }: OpenDay): boolean => ids === '';

/**
 * If a base has at most this many rows, a query with new rows always builds a new base. With so few rows, a delta would
 * not be faster.
 */
const FEW_ROWS = 5_000;
/**
 * The shard of a small day is built again when its delta has an eighth of the rows of the base. A query counts each
 * touched visit twice, once to subtract and once to add, so large deltas make queries slow.
 */
const SHARE = 1 / 8;

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

/**
 * New rows are added to a shard in portions of this many rows. Between two portions, a query that takes too long can be
 * stopped.
 */
const ROWS_AT_ONCE = 200_000;
/**
 * If more new rows than this wait in a delta, visits are made from them before more rows are read. A row takes ten
 * times the memory of a visit.
 */
const ROWS_WAITING = 4_000;

/**
 * Looks through the next `most` rows of the day. If the visitor of a row belongs to shard `i`, the row is added to the
 * delta of this shard.
 */
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
 * Adds all new rows to the shards of their visitors. `checkpoint` is called after each portion of rows, and may throw
 * to stop the query. The next call continues with the next portion.
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

/**
 * Between two queries, new rows are added to a tenth of the shards. A query that arrives during this work must wait. If
 * new rows were added to all shards, the query would wait ten times as long.
 */
const TURNS = 10;

/**
 * Adds new rows to a tenth of the shards: those that lack the most rows. Called between two queries, so that the next
 * query has less to do.
 */
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

/**
 * True if the day has visits. If the base of a shard has a visit, the rows in the delta need not be sessionized. New
 * rows may extend or join visits, but at least one visit always remains.
 */
export const hasVisits = ({ shards }: OpenDay): boolean =>
  shards.some((own) => own.delta.base.totals.visits > 0 || sessionizeAdded(own).totals.visits > 0);

/**
 * Yields the time of the first hit of each shard, in seconds. `begin` stores this time for the base. The added visits
 * are searched at each call, because a new row may be earlier.
 */
export function* listFirstSeconds({ shards }: OpenDay): Generator<number> {
  for (const own of shards) {
    own.begin ??= findFirstSecond(own.delta.base);
    yield Math.min(own.begin, findFirstSecond(sessionizeAdded(own)));
  }
}

const scratch = makeScratch();

/** Returns all shards. All shards share buffers, so the caller must finish one shard before it reads the next. */
export const readShards = ({ shards }: OpenDay): Shard[] =>
  shards.map((own) => applyDelta(own.delta, sessionizeAdded(own), scratch));

const scratchesOfChange = { lost: makeScratch(), found: makeScratch() };

/**
 * Returns how new rows change the counts of a day. `lost` has all earlier visits of the visitors with new rows, as they
 * were without these rows. `found` has all visits of these visitors, with the new rows. The caller subtracts the counts
 * of `lost` and adds the counts of `found`.
 */
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
