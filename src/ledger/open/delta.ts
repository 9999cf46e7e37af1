// Adds new rows to a shard in memory. A delta has the rows that arrived after a shard was built. The shard itself, the
// base, never changes. A visit of the base is touched if a new row extends the visit or joins it with another visit.
// Touched visits are turned back into rows, and these rows are sessionized together with the new rows.
//
// Invariant: the base without its touched visits, plus the added visits, equals the shard that all rows together would
// give.
//
// Example: a base of 25,000 visits gets 20 hits. Twelve hits extend one visit each, and eight hits are of new visitors.
// The result is 20 added visits. A query adds these 20 visits and subtracts the 12 touched visits. The other visits of
// the base need not be counted again. open-day.ts calls this file for queries, and compaction.ts calls it to write
// shards. Test: test/ledger/open/delta.test.ts.
import { once } from '../../lib/once.ts';
import type { Day } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import { appendSome, emptyShard, emptyShardRows, loadColumns, type Shard, type ShardRows } from '../day/shard.ts';
import { type Scratch, spliceShard, takeExcerpt } from './merge-columns.ts';
import { keepOthers, keepSome } from './merge-runs.ts';
import type { Recent } from './recent-visits.ts';
import {
  addTouching,
  listIndexes,
  orderDeltaRuns,
  prependHeartbeats,
  type Reached,
  trackReached,
} from './touched-visits.ts';

/**
 * A delta has two layers. `added` has the visits from earlier rows. `rows` has later rows, and the rows of touched
 * visits. When new rows arrive, only `rows` is sessionized again. With one layer, each new row would require
 * sessionizing all rows of the delta again.
 */
export type Delta = Reached & {
  added: Reached;
  rows: ShardRows;
  /** The visits made from `rows` alone, kept for the next query. Undefined if new rows have arrived since then. */
  rowVisits?: Shard | undefined;
  /**
   * Lists the heartbeats of the base that belong to no visit. The key is the visitor code, and the value has the
   * heartbeats' indexes in `base.idle`. Visitors with rows in the delta are not listed, because their heartbeats were
   * already added to the delta.
   */
  idle(): Map<number, number[]>;
};

export function beginDelta(base: Shard, recent?: Recent): Delta {
  const own = trackReached(base, recent);
  return {
    ...own,
    added: trackReached(emptyShard(base.day)),
    rows: emptyShardRows(0),
    idle: once(() => groupByVisitor(base.idle)),
  };
}

/** Adds rows to the delta. The rows must belong to this shard's visitors, and must be in the order of arrival. */
export function addRows(delta: Delta, came: ShardRows): void {
  const idle = delta.idle();
  const rows = prependHeartbeats(delta, delta.base.idle, listHeartbeats(idle, came), delta.rows);
  if (idle.size > 0) for (const visitor of came.visitor.subarray(0, came.count)) idle.delete(visitor);
  delta.rows = addTouching([delta, delta.added], came, rows);
  delta.rowVisits = undefined;
}

/**
 * Returns all visits of the delta: new visits, and touched visits in their new form. The old form of a touched visit is
 * still in the base, and its index is in the set `touched`. A query leaves out these old forms, so no visit counts
 * twice.
 */
export function sessionizeDelta(delta: Delta): Shard {
  const { added, rows } = delta;
  if (rows.count === 0) return added.base;
  const rowVisits = sessionizeRows(delta);
  const together = added.base.totals.visits === 0 ? rowVisits : joinAdded(added, rowVisits);
  if (!areMany(delta)) return together;
  const settled = loadColumns(together);
  delta.added = trackReached(settled);
  delta.rows = prependHeartbeats(delta.added, settled.idle, listIndexes(settled.idle.count), emptyShardRows(0));
  delta.rowVisits = undefined;
  return settled;
}

/**
 * Sessionizes the rows that wait in the delta. This is also called between two queries, so that the next query has less
 * to do.
 */
export function settle(delta: Delta): void {
  if (areMany(delta)) sessionizeDelta(delta);
  else if (delta.rows.count > 0) sessionizeRows(delta);
}

/**
 * Merges a shard with its delta. The result is the same as if all rows were sessionized together. Test:
 * test/ledger/open/delta.test.ts.
 */
export function applyDelta(delta: Delta, added = sessionizeDelta(delta), scratch?: Scratch): Shard {
  const { base, idle } = delta;
  if (added.totals.visits + added.idle.count === 0) return base;
  const waiting = [...idle().values()].flat();
  const room = emptyShardRows(added.idle.count + waiting.length);
  const heartbeats = appendSome(appendSome(room, added.idle, listIndexes(added.idle.count)), base.idle, waiting);
  return { ...joinAdded(delta, added, scratch), idle: heartbeats };
}

/**
 * Returns two small days with the visits of those visitors who have new rows. `lost` has their visits without the new
 * rows, and `found` has their visits with the new rows. A query subtracts `lost` from its earlier counts, and adds
 * `found`. The columns of `lost` and `found` are in the buffers `scratch`, which the next call overwrites.
 */
export function findChange(delta: Delta, added: Shard, scratch: Record<'lost' | 'found', Scratch>): Change {
  const { base, shared, touched } = delta;
  const none = emptyShard(base.day);
  return {
    lost: takeExcerpt({ base, runs: orderDeltaRuns(delta, keepSome(shared), none), added: none }, scratch.lost),
    found: takeExcerpt({ base, runs: orderDeltaRuns(delta, keepSome(shared, touched), added), added }, scratch.found),
  };
}

/**
 * Lists the visits of a shard for a query with the new rows `came`, without adding `came` to the delta. The visits are
 * in up to three layers: of the base, of `added`, and of `rows`. A query counts those visits of each layer that are not
 * touched. If `came` changes a visit, the visit is marked as touched in its layer, and turned back into rows.
 *
 * The caller calls this function for one shard after another. `others` has the rows that the previous call returned.
 * Each call adds the rows of the changed visits, and `came`. If a visitor in `came` has heartbeats that belong to no
 * visit, these heartbeats are added too. At the end, the caller sessionizes all rows that were returned.
 */
export function listLayersWith(delta: Delta, came: ShardRows, others: ShardRows): { layers: Layer[]; rows: ShardRows } {
  const layers = listLayers(delta);
  if (came.count === 0) return { layers, rows: others };
  // This function must not mark visits of the delta as touched, so it marks visits in a copy of the set `touched`. The
  // set `shared` (all visits of visitors with new rows) is not copied. Putting visits into `shared` early does no
  // harm, because `addRows` puts the same visits there when the rows `came` are added to the delta.
  const own = layers.map((one) => ({ ...one, touched: one.touched.copy() }));
  const [base = delta, , rowVisits] = own;
  let rows = prependHeartbeats(base, delta.base.idle, listHeartbeats(delta.idle(), came), others);
  if (rowVisits)
    rows = prependHeartbeats(
      rowVisits,
      rowVisits.base.idle,
      listHeartbeats(groupByVisitor(rowVisits.base.idle), came),
      rows,
    );
  return { layers: own, rows: addTouching(own, came, rows) };
}

const groupByVisitor = ({ visitor, count }: ShardRows): Map<number, number[]> =>
  Map.groupBy(listIndexes(count), (row) => visitor[row] as number);

/**
 * Lists the indexes of those heartbeats that belong to visitors of `rows`. All other heartbeats cannot change a visit
 * of these visitors.
 */
function listHeartbeats(idle: ReadonlyMap<number, number[]>, rows: ShardRows): number[] {
  if (idle.size === 0) return [];
  return [...new Set(rows.visitor.subarray(0, rows.count))].flatMap((visitor) => idle.get(visitor) ?? []);
}

/**
 * When `Delta.rows` has enough rows, their visits are put among the visits in `Delta.added`. Enough means at least 16
 * rows, and at least one row for every eight visits in `Delta.added`. This step copies all visits in `Delta.added`, so
 * it must be rare.
 */
const SHARE = 1 / 8;
const FEW_ROWS = 16;

export type Change = { lost: Day; found: Day };

/**
 * Returns the shard together with the added visits. Touched visits are left out, because their new form is among the
 * added visits.
 */
function joinAdded(one: Reached, added: Shard, scratch?: Scratch): Shard {
  const { base, touched } = one;
  const runs = orderDeltaRuns(one, keepOthers(touched), added);
  return { ...spliceShard({ base, runs, added, taken: touched }, scratch), idle: added.idle };
}

const areMany = ({ added, rows }: Delta): boolean => rows.count >= Math.max(FEW_ROWS, SHARE * added.base.totals.visits);

function sessionizeRows(delta: Delta): Shard {
  delta.rowVisits ??= sessionize(delta.base.day, delta.rows);
  return delta.rowVisits;
}

/**
 * Returns up to three lists of visits: of the base, of `added`, and of `rows`. A query must leave out the touched
 * visits of each list, because a later list has their new form.
 */
function listLayers(delta: Delta): Reached[] {
  settle(delta);
  return [delta, delta.added, ...(delta.rows.count > 0 ? [trackReached(sessionizeRows(delta))] : [])];
}

type Layer = Pick<Reached, 'base' | 'touched'>;
