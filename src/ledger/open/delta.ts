// What came to a shard since it was built. The base never changes: visits that new rows reach are turned back into rows and
// sessionized together with them, and all others stay where they are, because no row is within `VISIT_GAP` of them.
// Invariant: base without `touched`, and with what was added, is the shard that all rows at once would give (test/ledger/open/delta.test.ts).
//
// Example: a base of 25,000 visits gets 20 hits. Twelve extend a running visit, eight begin one. Then `touched` has 12 marks, and the
// rows of 12 visits and 20 hits give 20 visits. A query adds these, takes off 12, and reads no other visit.
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
import { excerpt, type Scratch, spliced } from './merge-columns.ts';
import { allBut, among, type Runs, runsOf, type Some } from './merge-plan.ts';
import type { Recent } from './recent-visits.ts';

/**
 * A part to which rows came: `touched` marks the visits that they may extend or join, and `shared` all visits of their visitors.
 */
type Reached = { base: Shard; recent: Recent | undefined; touched: Marks; shared: Marks };

/**
 * What came to a part since it was folded. Visits that new rows touch are turned back into rows and folded again with them; all
 * others stay as they are, because no row is within `VISIT_GAP` of them. `added` is what was folded so far, and `rows` what came
 * after that, so that what comes costs little however much has come before. `idle` are the signs of life of the part, by visitor,
 * of which no visitor came again.
 */
export type Delta = Reached & {
  added: Reached;
  rows: ShardRows;
  /** The rows as they were folded by themselves, until more come. */
  folded?: Shard | undefined;
  idle(): Map<number, number[]>;
};

const reached = (base: Shard, recent?: Recent): Reached => {
  const marks = (): Marks => makeMarks(base.totals.visits);
  return { base, recent, touched: marks(), shared: marks() };
};

/** When visits are, in comparison with what comes. */
type Times = { reaches(visit: number, at: number): boolean; endsBefore(visit: number, end: number): boolean };

function timesIn(part: Shard): Times {
  const starts = findStartsIn(part);
  const second = readValues(part, 'second');
  const seconds = readValues(part, 'seconds');
  const start = (visit: number): number => second(starts(visit));
  return {
    reaches: (visit, at) => at >= start(visit) - VISIT_GAP && at <= start(visit) + seconds(visit) + VISIT_GAP,
    endsBefore: (visit, end) => start(visit) + seconds(visit) < end,
  };
}

/** The same for a part of which the recent visits are known. All others are read only for what comes very late. */
function timesOf({ base, recent }: Reached): Times {
  const [all, lately] = [once(() => timesIn(base)), once(() => timesIn(recent?.part ?? base))];
  if (!recent) return all();
  const { since, visits } = recent;
  return {
    reaches(visit, at) {
      const place = findCode(visits, visit);
      if (place >= 0) return lately().reaches(place, at);
      return at < since + VISIT_GAP && all().reaches(visit, at);
    },
    endsBefore(visit, end) {
      const place = findCode(visits, visit);
      if (place >= 0) return lately().endsBefore(place, end);
      return end >= since || all().endsBefore(visit, end);
    },
  };
}

/** Marks all visits of the visitors of rows, and those visits that the rows touch; gives those that were not touched before. */
function touch(one: Reached, rows: ShardRows, indexes: readonly number[]): number[] {
  const { base, touched, shared } = one;
  const codes = base.codes();
  const times = timesOf(one);
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

/** Turns visits back into rows, recent ones from where these are. */
function unfold({ base, recent }: Reached, visits: readonly number[], rows: ShardRows): ShardRows {
  if (!recent) return restoreRows(base, visits, rows);
  const places = visits.map((visit) => findCode(recent.visits, visit));
  const others = visits.filter((_, i) => (places[i] as number) < 0);
  return restoreRows(
    base,
    others,
    restoreRows(
      recent.part,
      places.filter((place) => place >= 0),
      rows,
    ),
  );
}

const all = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

const byVisitor = ({ visitor, count }: ShardRows): Map<number, number[]> =>
  Map.groupBy(all(count), (row) => visitor[row] as number);

/** Signs of life that had no visit yet stand before all hits: one that arrived earlier would have given them a visit. */
function withIdle(one: Reached, idle: ShardRows, indexes: readonly number[], rows: ShardRows): ShardRows {
  if (indexes.length === 0) return rows;
  return unfold(one, touch(one, idle, indexes), appendSome(rows, idle, indexes));
}

export function beginDelta(base: Shard, recent?: Recent): Delta {
  const own = reached(base, recent);
  return {
    ...own,
    added: reached(emptyShard(base.day)),
    rows: emptyShardRows(0),
    idle: once(() => byVisitor(base.idle)),
  };
}

/** Those of some signs of life that are of visitors of rows. */
function signsOf(idle: ReadonlyMap<number, number[]>, rows: ShardRows): number[] {
  if (idle.size === 0) return [];
  return [...new Set(rows.visitor.subarray(0, rows.count))].flatMap((visitor) => idle.get(visitor) ?? []);
}

/** Rows with what came after them, and with the visits that this touches. */
function withCame(touchable: readonly Reached[], came: ShardRows, rows: ShardRows): ShardRows {
  const indexes = all(came.count);
  const before = touchable.reduce((result, one) => unfold(one, touch(one, came, indexes), result), rows);
  return appendSome(before, came, indexes);
}

/** Adds rows in order of arrival. They must be of visitors of the part. */
export function addRows(delta: Delta, came: ShardRows): void {
  const idle = delta.idle();
  const rows = withIdle(delta, delta.base.idle, signsOf(idle, came), delta.rows);
  if (idle.size > 0) for (const visitor of came.visitor.subarray(0, came.count)) idle.delete(visitor);
  delta.rows = withCame([delta, delta.added], came, rows);
  delta.folded = undefined;
}

/** What was folded is folded again together with the rows when these have grown to this share of it. */
const SHARE = 1 / 8;
const FEW_ROWS = 16;

/** The runs of some visits of a part with what was added to it. */
const runsWith = (one: Reached, some: Some, added: Shard): Runs => {
  const { endsBefore } = timesOf(one);
  return runsOf(one.base, some, added, endsBefore);
};

export type Change = { lost: Day; found: Day };

/** A part with what was added to it, without what that touched. */
function whole(one: Reached, added: Shard, scratch?: Scratch): Shard {
  const { base, touched } = one;
  const runs = runsWith(one, allBut(touched), added);
  return { ...spliced({ base, runs, added, taken: touched }, scratch), idle: added.idle };
}

const areMany = ({ added, rows }: Delta): boolean => rows.count >= Math.max(FEW_ROWS, SHARE * added.base.totals.visits);

function foldedOf(delta: Delta): Shard {
  delta.folded ??= sessionize(delta.base.day, delta.rows);
  return delta.folded;
}

/** All visits of a delta that are not those of its part: what came, with the visits that it touched. */
export function sessionizeDelta(delta: Delta): Shard {
  const { added, rows } = delta;
  if (rows.count === 0) return added.base;
  const folded = foldedOf(delta);
  const together = added.base.totals.visits === 0 ? folded : whole(added, folded);
  if (!areMany(delta)) return together;
  const settled = loadColumns(together);
  delta.added = reached(settled);
  delta.rows = withIdle(delta.added, settled.idle, all(settled.idle.count), emptyShardRows(0));
  delta.folded = undefined;
  return settled;
}

/** Folds what came, and puts it together with what had been folded before where it has grown to be much. */
export function settle(delta: Delta): void {
  if (areMany(delta)) sessionizeDelta(delta);
  else if (delta.rows.count > 0) foldedOf(delta);
}

/** The visits of a part, of what was added to it and of what came after that, each without those that what came later touches. */
function layersOf(delta: Delta): Reached[] {
  settle(delta);
  return [delta, delta.added, ...(delta.rows.count > 0 ? [reached(foldedOf(delta))] : [])];
}

type Layer = Pick<Reached, 'base' | 'touched'>;

/**
 * The visits of a delta where they are, because to put them together takes longer than to count them, as if a few rows had been added.
 * These stand behind some others, with what they touch: folded they are one layer more. Test: test/ledger/open/delta.test.ts.
 */
export function layersWith(delta: Delta, came: ShardRows, others: ShardRows): { layers: Layer[]; rows: ShardRows } {
  const layers = layersOf(delta);
  if (came.count === 0) return { layers, rows: others };
  // Who came again stays marked as such, because these rows will be added.
  const own = layers.map((one) => ({ ...one, touched: one.touched.copy() }));
  const [base = delta, , folded] = own;
  let rows = withIdle(base, delta.base.idle, signsOf(delta.idle(), came), others);
  if (folded) rows = withIdle(folded, folded.base.idle, signsOf(byVisitor(folded.base.idle), came), rows);
  return { layers: own, rows: withCame(own, came, rows) };
}

/** The part as if all its rows had been folded at once. Test: test/ledger/open/delta.test.ts. */
export function applyDelta(delta: Delta, added = sessionizeDelta(delta), scratch?: Scratch): Shard {
  const { base, idle } = delta;
  if (added.totals.visits + added.idle.count === 0) return base;
  const waiting = [...idle().values()].flat();
  const room = emptyShardRows(added.idle.count + waiting.length);
  const signs = appendSome(appendSome(room, added.idle, all(added.idle.count)), base.idle, waiting);
  return { ...whole(delta, added, scratch), idle: signs };
}

/**
 * What came to a part as two small days: the visits in it of the visitors who came again, and the visits that these have now.
 * Other visitors are as they were, so that everything that is counted adds up. Columns are valid until those of another such day
 * of the same kind are read. Test: test/ledger/open/delta.test.ts.
 */
export function findChange(delta: Delta, added: Shard, scratch: Record<'lost' | 'found', Scratch>): Change {
  const { base, shared, touched } = delta;
  const none = emptyShard(base.day);
  return {
    lost: excerpt({ base, runs: runsWith(delta, among(shared), none), added: none }, scratch.lost),
    found: excerpt({ base, runs: runsWith(delta, among(shared, touched), added), added }, scratch.found),
  };
}
