// A shard has some visitors of an open day with all their hits. A delta has the rows that came to a shard after the
// shard was built. The shard itself, the base, never changes.
// A visit is called touched if a new row extends the visit or joins it with another visit. For example, visits at 10:00
// and 10:40 become one when a late hit of 10:20 arrives. Touched visits are turned back into rows. These rows and the
// new rows are then turned into visits together. Other visits are more than 30 minutes from any new row of their
// visitor, so they stay as they are.
// Invariant: the base, without its touched visits and with the added visits, equals the shard that all rows together
// give. Test: test/ledger/open/delta.test.ts.
//
// Example: a base of 25,000 visits gets 20 hits. Twelve hits extend the only visit of their visitor, and eight are of
// new visitors. So 12 visits are touched. Their rows and the 20 hits become 20 visits. A query adds these 20 visits,
// subtracts the 12, and reads no other visit.
// open-day.ts calls this file for queries. compaction.ts calls this file and writes the result.
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
 * A shard (some visitors of a day with all their hits) with marks on its visits. `touched` marks each visit that new
 * rows extend or join with another visit. `shared` marks all visits of visitors with new rows. `recent` has the latest
 * visits of the shard, if known.
 */
type Reached = { base: Shard; recent: Recent | undefined; touched: Marks; shared: Marks };

/**
 * The rows that came after the shard `base` (some visitors of a day) was built. They are in two layers. `added` has the
 * visits made of the earlier rows. `rows` has the later rows, of which no visits are made yet. With one layer, a new
 * row would mean making visits of all earlier rows again.
 */
export type Delta = Reached & {
  added: Reached;
  rows: ShardRows;
  /** The visits made of `rows` alone, kept for the next query. Undefined if rows came since these visits were made. */
  rowVisits?: Shard | undefined;
  /**
   * Returns heartbeats of the shard: messages that a page is still visible. Only heartbeats outside any visit are
   * returned. The key is a visitor code, and the value has the row numbers of that visitor's heartbeats. Visitors with
   * new rows are left out, because `rows` has their heartbeats.
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

/**
 * Adds rows to the delta, which has the rows that came after the shard was built. The rows must be in the order of
 * arrival, and all of visitors of this shard.
 */
export function addRows(delta: Delta, came: ShardRows): void {
  const idle = delta.idle();
  const rows = prependHeartbeats(delta, delta.base.idle, listHeartbeats(idle, came), delta.rows);
  if (idle.size > 0) for (const visitor of came.visitor.subarray(0, came.count)) idle.delete(visitor);
  delta.rows = addTouching([delta, delta.added], came, rows);
  delta.rowVisits = undefined;
}

/**
 * Makes visits of the rows in `rows`, and merges them with `added`, the visits of earlier rows. The result has new
 * visits, and old visits in the form that new rows gave them. The old forms are still in the shard, with a mark in
 * `touched`. A query adds the result and leaves out the marked visits, so no visit counts twice.
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
 * Called between two queries, so that the next query has less to do. Makes visits of the rows (hits and heartbeats)
 * that wait in `rows`. If many rows wait, these visits are merged into `added`, the visits of earlier rows.
 */
export function settle(delta: Delta): void {
  if (areMany(delta)) sessionizeDelta(delta);
  else if (delta.rows.count > 0) sessionizeRows(delta);
}

/**
 * Merges a shard (some visitors of a day) with its delta, the rows that came after the shard was built. The result is
 * the same as if visits were made of all rows together. Test: test/ledger/open/delta.test.ts.
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
 * Returns two small days with all visits of the visitors with new rows. `lost` has these visits before the new rows,
 * `found` after them. The current counts are those before the new rows, minus `lost`, plus `found`. Both days have all
 * visits of a visitor, because a visitor counts only once. The days are in shared buffers, so the caller must count
 * them before the next call.
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
 * Returns lists of visits, called layers, as if the rows `came` had been added to the shard's delta. A query counts
 * each layer, because joining the layers would take longer. The caller calls this for each shard and makes one last
 * layer of the rows of all shards. `others` has these rows for earlier shards. The returned `rows` are `others`,
 * `came`, and the rows of visits that `came` extends.
 */
export function listLayersWith(delta: Delta, came: ShardRows, others: ShardRows): { layers: Layer[]; rows: ShardRows } {
  const layers = listLayers(delta);
  if (came.count === 0) return { layers, rows: others };
  // The delta must stay as it is, so `touched`, the marks on changed visits, is copied. `shared` marks all visits of
  // visitors with new rows. New marks there are right, because the delta will get the rows `came` later.
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
 * Compares the times of a shard's visits. `reaches` says whether second `at` is within 30 minutes of a visit. Then a
 * row of that second belongs to the visit. `endsBefore` says whether a visit ended before second `end`, at which
 * another visit of the visitor ended. A merge sorts the visits of a visitor by this.
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
 * Compares times with the fewest columns. The shard's latest visits are stored a second time, in small columns
 * (`recent`). All other visits ended before second `since`. So a row at least 30 minutes after `since` cannot reach
 * them, and their columns are not read. For an earlier row they are read, which takes longer.
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
 * Finds the visits that the rows extend or join, and marks them in `touched`. Marks all visits of the rows' visitors in
 * `shared`. Returns the visits that were not touched before, so that the caller turns each visit into rows only once.
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
 * Turns the given visits back into rows and adds these to `rows`. If the shard's latest visits are stored a second time
 * in small columns (`recent`), these columns are used. Reading the columns of all visits would take longer.
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
 * Adds heartbeats (messages that a page is still visible) to `rows`. They were outside any visit, but may now belong to
 * a visit of new hits. A heartbeat may also join this visit with a stored one. So stored visits within 30 minutes of a
 * heartbeat become rows too. The caller adds the new hits last, because `rows` must be in the order of arrival.
 */
function prependHeartbeats(one: Reached, idle: ShardRows, indexes: readonly number[], rows: ShardRows): ShardRows {
  if (indexes.length === 0) return rows;
  return unfold(one, touch(one, idle, indexes), appendSome(rows, idle, indexes));
}

/**
 * Returns the row numbers of heartbeats that are outside any visit. A heartbeat is a message that a page is still
 * visible. Only heartbeats of the visitors of `rows` are listed, because only visits of these visitors can change.
 */
function listHeartbeats(idle: ReadonlyMap<number, number[]>, rows: ShardRows): number[] {
  if (idle.size === 0) return [];
  return [...new Set(rows.visitor.subarray(0, rows.count))].flatMap((visitor) => idle.get(visitor) ?? []);
}

/**
 * Finds the visits in each list of `touchable` that the new rows `came` extend or join. Turns these visits back into
 * rows. Returns `rows`, then the rows of those visits, then the new rows. Visits can then be made of all these rows
 * together.
 */
function addTouching(touchable: readonly Reached[], came: ShardRows, rows: ShardRows): ShardRows {
  const indexes = listIndexes(came.count);
  const before = touchable.reduce((result, one) => unfold(one, touch(one, came, indexes), result), rows);
  return appendSome(before, came, indexes);
}

/**
 * New rows of a shard wait as rows until their number is an eighth of the visits made earlier. Only then are they
 * turned into visits and merged. A merge copies all earlier visits, so it must be rare. Fewer than 16 rows always wait.
 */
const SHARE = 1 / 8;
const FEW_ROWS = 16;

const planDeltaRuns = (one: Reached, some: Some, added: Shard): Runs => {
  const { endsBefore } = compareTimes(one);
  return planRuns(one.base, some, added, endsBefore);
};

export type Change = { lost: Day; found: Day };

/**
 * Returns the shard (some visitors of a day) with the added visits. Visits that new rows extended or joined are left
 * out, because their new form is among the added visits. Otherwise they would count twice.
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
 * Returns up to three lists of visits: the shard's visits before new rows came, `added`, and the visits of `rows`. In
 * each list, a query must leave out the visits marked in `touched`. A later list has these visits in their new form.
 */
function listLayers(delta: Delta): Reached[] {
  settle(delta);
  return [delta, delta.added, ...(delta.rows.count > 0 ? [trackReached(sessionizeRows(delta))] : [])];
}

type Layer = Pick<Reached, 'base' | 'touched'>;
