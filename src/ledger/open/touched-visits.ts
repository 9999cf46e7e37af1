// Finds touched visits: the visits of a shard that new rows extend or join. Turns these visits back into rows.
//
// Invariant: a visit is turned into rows only once, when it is first touched. Its old form stays in the shard, and its
// index is in the set `touched`.
//
// Example: a visit lasts from 10:00 to 10:05, and a hit of the same visitor arrives at 10:20. The gap is below 30
// minutes, so the visit is touched. Its rows are put in front of the hit, and all of them are sessionized together.
// delta.ts calls this file.
import { once } from '../../lib/once.ts';
import { VISIT_GAP } from '../../stats/definitions.ts';
import { findCode } from '../column/column.ts';
import { appendSome, findStartsIn, readValues, type Shard, type ShardRows, seekVisitor } from '../day/shard.ts';
import { restoreRows } from '../day/to-rows.ts';
import { makeVisitSet, type VisitSet } from '../day/visit-set.ts';
import { orderRuns, type Runs, type Some } from './merge-runs.ts';
import type { Recent } from './recent-visits.ts';

/**
 * A shard with sets of its visits. `touched` has each visit that new rows extend or join. `shared` has all visits of
 * the visitors with new rows, touched or not. `recent` has copies of the shard's latest visits (recent-visits.ts).
 */
export type Reached = { base: Shard; recent: Recent | undefined; touched: VisitSet; shared: VisitSet };

export const trackReached = (base: Shard, recent?: Recent): Reached => {
  const makeEmpty = (): VisitSet => makeVisitSet(base.totals.visits);
  return { base, recent, touched: makeEmpty(), shared: makeEmpty() };
};

/**
 * Finds the visits that the new rows `came` touch, in each shard of `touchable`, and turns them back into rows. Returns
 * one list: `rows`, then the rows of touched visits, and then `came`.
 */
export function addTouching(touchable: readonly Reached[], came: ShardRows, rows: ShardRows): ShardRows {
  const indexes = listIndexes(came.count);
  const before = touchable.reduce((result, one) => unfold(one, touch(one, came, indexes), result), rows);
  return appendSome(before, came, indexes);
}

/**
 * Adds the heartbeats with the given `indexes` to `rows`. They belong to no visit of the shard. Such a heartbeat may
 * extend the visit of a new hit. Or it may lie between a stored visit and a new one, so that both become one visit. For
 * this reason, stored visits within 30 minutes of such a heartbeat become rows too.
 */
export function prependHeartbeats(
  one: Reached,
  idle: ShardRows,
  indexes: readonly number[],
  rows: ShardRows,
): ShardRows {
  if (indexes.length === 0) return rows;
  return unfold(one, touch(one, idle, indexes), appendSome(rows, idle, indexes));
}

export const orderDeltaRuns = (one: Reached, some: Some, added: Shard): Runs => {
  const { endsBefore } = compareTimes(one);
  return orderRuns(one.base, some, added, endsBefore);
};

/**
 * Compares times with the times of visits. `reaches` returns whether second `at` is within 30 minutes of a visit.
 * `endsBefore` returns whether a visit ended before second `end`. When base and delta are joined, the visits of a
 * visitor are sorted by `endsBefore`.
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
 * Compares times with the times of a shard's visits. `recent` has copies of the visits that ended at second `since` or
 * later. For these visits, only the copies are read. All other visits ended before `since`. A row at least 30 minutes
 * after `since` cannot extend these earlier visits, so the whole shard is not read for this row.
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
 * Adds visits to two sets. The set `touched` gets the visits that the rows extend or join. The set `shared` gets all
 * visits of the visitors of these rows. Returns the newly touched visits, so that each visit is turned into rows only
 * once.
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
 * Turns visits back into rows, and adds these rows to `rows`. `recent` has copies of the shard's latest visits. If a
 * visit has a copy, only the copy is read, because reading the columns of the whole shard takes longer.
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

export const listIndexes = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
