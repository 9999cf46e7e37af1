// A delta has what came to a shard since it was built. The base shard never changes. Visits that new rows extend or join are turned back
// into rows. They are sessionized together with the new rows. All other visits stay, because no new row is within `VISIT_GAP` of them.
// Invariant: the base without its touched visits, plus the added visits, is the shard that all rows at once would give
// (test/ledger/open/delta.test.ts).
//
// Example: a base of 25,000 visits gets 20 hits. Twelve hits extend a running visit, and eight begin one. Then `touched` has 12 marks. The
// rows of 12 visits and 20 hits are sessionized to 20 visits. A query adds these 20, takes off 12, and reads no other visit.
// Called by open-day.ts for queries, and by compaction.ts, which writes the result.
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
 * A shard to which rows came. `touched` marks the visits that new rows extend or join. `shared` marks all visits of the visitors of new
 * rows. `recent` has the shard's latest visits, if they are known.
 */
type Reached = { base: Shard; recent: Recent | undefined; touched: Marks; shared: Marks };

/**
 * The delta of the shard `base`. `added` has the new visits that were sessionized so far. `rows` came after that. Two layers keep a new
 * row cheap, however many rows came before it.
 */
export type Delta = Reached & {
  added: Reached;
  rows: ShardRows;
  /** The visits that `rows` alone give, until more rows come. */
  rowVisits?: Shard | undefined;
  /** Heartbeats of the shard without a visit, as row numbers by visitor. Visitors with new rows are left out. */
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

/** Adds rows in order of arrival. The rows must be of visitors of the shard. */
export function addRows(delta: Delta, came: ShardRows): void {
  const idle = delta.idle();
  const rows = prependHeartbeats(delta, delta.base.idle, listHeartbeats(idle, came), delta.rows);
  if (idle.size > 0) for (const visitor of came.visitor.subarray(0, came.count)) idle.delete(visitor);
  delta.rows = addTouching([delta, delta.added], came, rows);
  delta.rowVisits = undefined;
}

/** All visits that a query adds to the base shard: new visits, and the touched visits in their new form. */
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

/** Sessionizes the waiting rows, so that the next query need not. Many rows are joined with the visits that were added before. */
export function settle(delta: Delta): void {
  if (areMany(delta)) sessionizeDelta(delta);
  else if (delta.rows.count > 0) sessionizeRows(delta);
}

/** The shard as if all its rows had been sessionized at once. Test: test/ledger/open/delta.test.ts. */
export function applyDelta(delta: Delta, added = sessionizeDelta(delta), scratch?: Scratch): Shard {
  const { base, idle } = delta;
  if (added.totals.visits + added.idle.count === 0) return base;
  const waiting = [...idle().values()].flat();
  const room = emptyShardRows(added.idle.count + waiting.length);
  const heartbeats = appendSome(appendSome(room, added.idle, listIndexes(added.idle.count)), base.idle, waiting);
  return { ...joinAdded(delta, added, scratch), idle: heartbeats };
}

/**
 * The delta as two small days, for visitors with new rows: `lost` has their visits of before, `found` their visits of now. Counts of
 * the shard minus `lost` plus `found` are the counts of today. Columns of a change are valid until those of another change are read.
 * Test: test/ledger/open/delta.test.ts.
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
 * The visits of a delta as layers, as if the rows `came` had been added. Joining the layers would take longer than counting each.
 * Returns also `others` with `came` and the rows of the visits that these touch. The caller sessionizes them into one more layer. Test:
 * test/ledger/open/delta.test.ts.
 */
export function listLayersWith(delta: Delta, came: ShardRows, others: ShardRows): { layers: Layer[]; rows: ShardRows } {
  const layers = listLayers(delta);
  if (came.count === 0) return { layers, rows: others };
  // Only `touched` is copied. Marks in `shared` may stay, because the rows `came` will be added to the delta later.
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

/** Compares the time of visits with seconds of the day. */
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

/** Compares times by the recent visits where they suffice. All visits of the shard are read only for rows that come very late. */
function compareTimes({ base, recent }: Reached): VisitTimes {
  const [listIndexes, lately] = [once(() => compareAllTimes(base)), once(() => compareAllTimes(recent?.shard ?? base))];
  if (!recent) return listIndexes();
  const { since, visits } = recent;
  return {
    reaches(visit, at) {
      const place = findCode(visits, visit);
      if (place >= 0) return lately().reaches(place, at);
      return at < since + VISIT_GAP && listIndexes().reaches(visit, at);
    },
    endsBefore(visit, end) {
      const place = findCode(visits, visit);
      if (place >= 0) return lately().endsBefore(place, end);
      return end >= since || listIndexes().endsBefore(visit, end);
    },
  };
}

/** Marks all visits of the visitors of rows, and the visits that the rows extend or join. Returns the visits that become touched now. */
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

/** Turns visits back into rows. Recent visits are read from their own small columns. */
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
 * Rows with some heartbeats before them. A heartbeat without a visit is older than all hits, because an older hit would have given it a
 * visit.
 */
function prependHeartbeats(one: Reached, idle: ShardRows, indexes: readonly number[], rows: ShardRows): ShardRows {
  if (indexes.length === 0) return rows;
  return unfold(one, touch(one, idle, indexes), appendSome(rows, idle, indexes));
}

/** The heartbeats without a visit of the visitors of some rows, as row numbers. */
function listHeartbeats(idle: ReadonlyMap<number, number[]>, rows: ShardRows): number[] {
  if (idle.size === 0) return [];
  return [...new Set(rows.visitor.subarray(0, rows.count))].flatMap((visitor) => idle.get(visitor) ?? []);
}

/** Rows with new rows behind them, and with the rows of the visits that these extend or join. */
function addTouching(touchable: readonly Reached[], came: ShardRows, rows: ShardRows): ShardRows {
  const indexes = listIndexes(came.count);
  const before = touchable.reduce((result, one) => unfold(one, touch(one, came, indexes), result), rows);
  return appendSome(before, came, indexes);
}

/** Added visits are sessionized again together with the waiting rows, when there is this share of rows for each visit. */
const SHARE = 1 / 8;
const FEW_ROWS = 16;

/** The runs of some visits of a shard and of the added visits. */
const planDeltaRuns = (one: Reached, some: Some, added: Shard): Runs => {
  const { endsBefore } = compareTimes(one);
  return planRuns(one.base, some, added, endsBefore);
};

export type Change = { lost: Day; found: Day };

/** The shard with the added visits, and without the visits that new rows extended or joined. */
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

/** The visits of a shard in up to three layers: base, added visits, visits of the waiting rows. A layer leaves out its touched visits. */
function listLayers(delta: Delta): Reached[] {
  settle(delta);
  return [delta, delta.added, ...(delta.rows.count > 0 ? [trackReached(sessionizeRows(delta))] : [])];
}

type Layer = Pick<Reached, 'base' | 'touched'>;
