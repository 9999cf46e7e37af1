// An open day, as queries read it, is a list of shards. A shard has the visits of some visitors, and a delta with the
// rows that came later. A small day has one shard, which stays in memory. From 100,000 rows on, compaction writes
// shards into the file, each with a range of visitor codes.
// Invariant: the shards with their deltas have all rows that were read. No visitor is in two shards.
//
// Example: a day of 6,100 rows is one shard, and 20 more rows are in the delta. When the delta has 763 rows, an eighth
// of 6,100, a new shard is built from all 6,863 rows. Up to 5,000 rows, each query with new rows builds the shard
// again, because a delta would not be faster.
// open-day-cache.ts, the queries and upkeep/seal.ts call this file.
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
 * A shard (some visitors of a day) with its delta, the rows that came after the shard was built. Both together have the
 * first `count` rows of the day, as far as the rows are of these visitors. `begin` is the second of the shard's first
 * hit. `added` and `change` are results that stay valid until more rows come.
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

/**
 * The time of each visitor's latest hit, among the first `count` rows of the day. Later rows must be added before
 * active visitors are counted.
 */
export type Latest = { hits: LatestHits; count: number };

export type OpenDay = {
  day: number;
  ids: string;
  ranges: VisitorRange[];
  shards: OpenShard[];
  /**
   * Results of earlier queries for each shard (some visitors of the day), without its later rows. The first key is the
   * query, the second key is the shard id. A result stays valid, because a shard never changes: compaction makes a new
   * shard with a new id.
   */
  answers: Map<string, Map<number, unknown>>;
  latest?: Latest | undefined;
};

/**
 * Opens a day with its shards in the database file. Each shard has some visitors with all their hits. `before` is the
 * same day as it was opened earlier. Shards of `before` are used again, which saves reading them.
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
 * A shard has some visitors of a day. A small day has one shard in memory, and none in the database file. This function
 * finds or makes the one in memory. Caches know a shard by its `id`, so a shard that is built again needs another one.
 * Here the id is minus the number of rows of which the shard was built. Ids above 0 belong to shards in the file.
 */
const findShardInMemory = (day: number, before: OpenDay | undefined): OpenShard =>
  before?.shards.find(({ id }) => id <= 0) ?? { id: 0, count: 0, delta: beginDelta(emptyShard(day)) };

export const isInMemory = ({ ids }: OpenDay): boolean => ids === '';

/**
 * A shard has visits of a day, its delta the rows that came later. If the shard has up to 5,000 rows, building it again
 * takes no longer than using a delta.
 */
const FEW_ROWS = 5_000;
/**
 * A shard in memory has visits of a day. A new shard is built when one new row came for eight rows of the old shard.
 * Many new rows make queries slow, because a query counts each changed visit twice: once to subtract its old form, once
 * to add its new form.
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
 * A shard (some visitors of the day) takes in the day's new rows in portions of this size. Between two portions, a
 * query that takes too long can be stopped. Usually fewer rows are new, so there is one portion.
 */
const ROWS_AT_ONCE = 200_000;
/**
 * If a shard (some visitors of the day) has more new rows than this, the rows become visits immediately. A row takes
 * ten times the memory of a visit. A query reads all shards, so waiting rows of all shards would take too much memory.
 */
const ROWS_WAITING = 4_000;

/**
 * Takes the next `most` rows of the day that shard number `i` has not seen. A shard has some visitors, so only rows of
 * these visitors are added.
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
 * Adds all new rows of the day to the shards of their visitors. `checkpoint` is called after each portion of rows, and
 * throws to stop the query. The next call then continues with the next portion.
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
 * Each turn adds rows to a tenth of the shards (each has some visitors of the day). A query that comes during a turn
 * has to wait until the turn ends. With all shards in one turn, the query would wait ten times as long.
 */
const TURNS = 10;

/**
 * Adds new rows to the tenth of the shards that lag most behind. A shard has some visitors of the day. Each chosen
 * shard looks at up to `most` rows of the day. Called between two queries, so that the next query has less to do.
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
 * Returns whether the day has a visit. New rows may change a visit, but never remove a visit. So if there was a visit
 * before the new rows came, the new rows need not be read.
 */
export const hasVisits = ({ shards }: OpenDay): boolean =>
  shards.some((own) => own.delta.base.totals.visits > 0 || sessionizeAdded(own).totals.visits > 0);

/**
 * Yields the time of the first hit of each shard (some visitors of the day), in seconds of the day. The time of the
 * stored hits is noted in `begin`, so that later queries need not look for it again.
 */
export function* listFirstSeconds({ shards }: OpenDay): Generator<number> {
  for (const own of shards) {
    own.begin ??= findFirstSecond(own.delta.base);
    yield Math.min(own.begin, findFirstSecond(sessionizeAdded(own)));
  }
}

const scratch = makeScratch();

/**
 * Returns the shards, each with some visitors of the day and all their hits. All shards use the same buffers. Reading a
 * column of a shard overwrites the column of the shard before. So the caller must finish one shard before it reads the
 * next.
 */
export const readShards = ({ shards }: OpenDay): Shard[] =>
  shards.map((own) => applyDelta(own.delta, sessionizeAdded(own), scratch));

const scratchesOfChange = { lost: makeScratch(), found: makeScratch() };

/**
 * Returns how new rows change the counts of a day. `lost` has the old form of changed visits, to be subtracted. `found`
 * has their new form and new visits, to be added. So unchanged visits need not be counted again.
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
