// A delta has the rows that arrived after a shard was built. The shard itself, the base, never changes. A visit of the
// base is touched if a new row extends the visit or joins it with another visit. Touched visits are turned back into
// rows, and sessionized together with the new rows.
// Invariant: the base without its touched visits, plus the added visits, equals the shard that all rows together give.
// Example: a base of 25,000 visits gets 20 hits. Twelve hits extend one visit each, and eight hits are of new visitors.
// The result is 20 added visits. A query adds these 20 and subtracts the 12 touched visits. It need not count the other
// visits of the base again.
// open-day.ts calls this file for queries, compaction.ts calls it to write shards. Test:
// test/ledger/open/delta.test.ts.
import { once } from '../../lib/once.ts';
import { VISIT_GAP } from '../../stats/definitions.ts';
import { findCode } from '../column/column.ts';
import { type Marks, makeMarks } from '../day/bitset.ts';
import type { Day } from '../day/day.ts';
import { sessionize } from '../day/sessionize.ts';
import {
  appendSome,
  emptyShard,
  emptyShardRows,
  findStartsIn,
  loadColumns,
  readValues,
  type Shard,
  type ShardRows,
  seekVisitor,
} from '../day/shard.ts';
import { restoreRows } from '../day/to-rows.ts';
import { type Scratch, spliceShard, takeExcerpt } from './merge-columns.ts';
import { keepMarked, keepUnmarked, planRuns, type Runs, type Some } from './merge-plan.ts';
import type { Recent } from './recent-visits.ts';

/**
 * A shard with marks on its visits. `touched` marks each visit that new rows extend or join. `shared` marks all visits
 * of visitors with new rows. `recent` has the latest visits of the shard.
 */
type Reached = { base: Shard; recent: Recent | undefined; touched: Marks; shared: Marks };

/**
 * A delta has two layers, so that a new row does not mean sessionizing all new rows again. `added` has the visits made
 * of earlier rows. `rows` has later rows that are not sessionized yet.
 */
export type Delta = Reached & {
  added: Reached;
  rows: ShardRows;
  /** The visits made of `rows` alone, kept for the next query. Undefined if new rows came since. */
  rowVisits?: Shard | undefined;
  /**
   * Heartbeats of the base outside any visit: by visitor code, their indexes in `base.idle`. Visitors with new rows are
   * left out, because `rows` has their heartbeats.
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

/** Adds rows to the delta. The rows must be of this shard's visitors, in the order of arrival. */
export function addRows(delta: Delta, came: ShardRows): void {
  const idle = delta.idle();
  const rows = prependHeartbeats(delta, delta.base.idle, listHeartbeats(idle, came), delta.rows);
  if (idle.size > 0) for (const visitor of came.visitor.subarray(0, came.count)) idle.delete(visitor);
  delta.rows = addTouching([delta, delta.added], came, rows);
  delta.rowVisits = undefined;
}

/**
 * Returns all visits of the delta: new visits, and touched visits in their new form. The old form is still in the base,
 * with a mark in `touched`. A query leaves out the marked visits, so no visit counts twice.
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

/** Called between two queries, so that the next query has fewer rows to sessionize. */
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
 * Returns two small days with the visitors that have new rows. `lost` has their visits without the new rows, `found`
 * has their visits with them. A query subtracts `lost` from its earlier counts, and adds `found`. Both days are in
 * shared buffers, which the next call overwrites.
 */
export function findChange(delta: Delta, added: Shard, scratch: Record<'lost' | 'found', Scratch>): Change {
  const { base, shared, touched } = delta;
  const none = emptyShard(base.day);
  return {
    lost: takeExcerpt({ base, runs: planDeltaRuns(delta, keepMarked(shared), none), added: none }, scratch.lost),
    found: takeExcerpt({ base, runs: planDeltaRuns(delta, keepMarked(shared, touched), added), added }, scratch.found),
  };
}

/**
 * Returns lists of visits, called layers, as if the delta also had the rows `came`. A query counts each layer. `rows`
 * has the rows that are in no layer. These are `others` (the `rows` of the shards before), rows of visits that `came`
 * changes, and `came`. After the last shard, the caller makes one more layer of `rows`.
 */
export function listLayersWith(delta: Delta, came: ShardRows, others: ShardRows): { layers: Layer[]; rows: ShardRows } {
  const layers = listLayers(delta);
  if (came.count === 0) return { layers, rows: others };
  // This function must not change the delta, so `touched` is copied. `shared` is not copied: its marks may change,
  // because the delta gets the new rows later anyway.
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

const trackReached = (base: Shard, recent?: Recent): Reached => {
  const marks = (): Marks => makeMarks(base.totals.visits);
  return { base, recent, touched: marks(), shared: marks() };
};

/**
 * `reaches` returns whether second `at` is within 30 minutes of a visit. `endsBefore` returns whether a visit ended
 * before second `end`. With `endsBefore`, the visits of a visitor are sorted when base and delta are joined.
 */
type VisitTimes = { reaches(visit: number, at: number): boolean; endsBefore(visit: number, end: number): boolean };

function compareAllTimes(shard: Shard): VisitTimes {
  const starts = findStartsIn(shard);
  const second = readValues(shard, 'second');
  const seconds = readValues(shard, 'seconds');
  const start = (visit: number): number => second(starts(visit));
  return {
    reaches: (visit, at) => at >= start(visit) - VISIT_GAP && at <= start(visit) + seconds(visit) + VISIT_GAP,
    endsBefore: (visit, end) => start(visit) + seconds(visit) < end,
  };
}

/**
 * Compares times with the small columns of `recent`, if possible. Visits that are not in `recent` ended before second
 * `since`. So a row 30 minutes after `since`, or later, cannot extend them. Then the columns of the whole shard are not
 * read.
 */
function compareTimes({ base, recent }: Reached): VisitTimes {
  const [inShard, inRecent] = [once(() => compareAllTimes(base)), once(() => compareAllTimes(recent?.shard ?? base))];
  if (!recent) return inShard();
  const { since, visits } = recent;
  return {
    reaches(visit, at) {
      const place = findCode(visits, visit);
      if (place >= 0) return inRecent().reaches(place, at);
      return at < since + VISIT_GAP && inShard().reaches(visit, at);
    },
    endsBefore(visit, end) {
      const place = findCode(visits, visit);
      if (place >= 0) return inRecent().endsBefore(place, end);
      return end >= since || inShard().endsBefore(visit, end);
    },
  };
}

/**
 * In `touched`, marks the visits that the rows extend or join. In `shared`, marks all visits of the visitors of these
 * rows. Returns the visits that were not touched before, so that each visit is turned into rows only once.
 */
function touch(one: Reached, rows: ShardRows, indexes: readonly number[]): number[] {
  const { base, touched, shared } = one;
  const codes = base.codes();
  const times = compareTimes(one);
  const found: number[] = [];
  for (const index of indexes) {
    const [visitor, at] = [rows.visitor[index] as number, rows.second[index] as number];
    for (let visit = seekVisitor(codes, visitor); codes[visit] === visitor; visit++) {
      shared.add(visit);
      if (touched.has(visit) || !times.reaches(visit, at)) continue;
      touched.add(visit);
      found.push(visit);
    }
  }
  return found;
}

/**
 * Turns visits back into rows and adds these to `rows`. The small columns of `recent` are used where possible, because
 * reading all visits takes longer.
 */
function unfold({ base, recent }: Reached, visits: readonly number[], rows: ShardRows): ShardRows {
  if (!recent) return restoreRows(base, visits, rows);
  const places = visits.map((visit) => findCode(recent.visits, visit));
  const others = visits.filter((_, i) => (places[i] as number) < 0);
  return restoreRows(
    base,
    others,
    restoreRows(
      recent.shard,
      places.filter((place) => place >= 0),
      rows,
    ),
  );
}

const listIndexes = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

const groupByVisitor = ({ visitor, count }: ShardRows): Map<number, number[]> =>
  Map.groupBy(listIndexes(count), (row) => visitor[row] as number);

/**
 * Adds heartbeats outside any visit to `rows`, because they may extend the visits of new hits. A heartbeat may also
 * close the gap between a stored visit and a visit of new hits. Then both become one visit. So stored visits within 30
 * minutes of such a heartbeat become rows too.
 */
function prependHeartbeats(one: Reached, idle: ShardRows, indexes: readonly number[], rows: ShardRows): ShardRows {
  if (indexes.length === 0) return rows;
  return unfold(one, touch(one, idle, indexes), appendSome(rows, idle, indexes));
}

/** Lists the heartbeats, by row number, of the visitors of `rows`. Heartbeats of other visitors change nothing. */
function listHeartbeats(idle: ReadonlyMap<number, number[]>, rows: ShardRows): number[] {
  if (idle.size === 0) return [];
  return [...new Set(rows.visitor.subarray(0, rows.count))].flatMap((visitor) => idle.get(visitor) ?? []);
}

/** Returns `rows`, then the rows of all visits in `touchable` that the new rows `came` extend or join, then `came`. */
function addTouching(touchable: readonly Reached[], came: ShardRows, rows: ShardRows): ShardRows {
  const indexes = listIndexes(came.count);
  const before = touchable.reduce((result, one) => unfold(one, touch(one, came, indexes), result), rows);
  return appendSome(before, came, indexes);
}

/**
 * New rows wait until their number is an eighth of the number of added visits, and at least 16. Then all of these rows
 * are sessionized, and their visits are put among the added visits. This step copies all added visits, so the step must
 * be rare.
 */
const SHARE = 1 / 8;
const FEW_ROWS = 16;

const planDeltaRuns = (one: Reached, some: Some, added: Shard): Runs => {
  const { endsBefore } = compareTimes(one);
  return planRuns(one.base, some, added, endsBefore);
};

export type Change = { lost: Day; found: Day };

/**
 * Returns the shard with the added visits. Touched visits are left out, because their new form is among the added
 * visits.
 */
function joinAdded(one: Reached, added: Shard, scratch?: Scratch): Shard {
  const { base, touched } = one;
  const runs = planDeltaRuns(one, keepUnmarked(touched), added);
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
