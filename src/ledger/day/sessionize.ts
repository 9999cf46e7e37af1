// Groups the rows of a day into visits. A million rows take about 0.3 s.
//
// Invariant: visits can be turned back into rows (to-rows.ts). Sessionizing these rows gives the same visits again.
//
// Example: a visitor has hits at second 0 and at second 3,000, and a heartbeat at second 1,500. No gap is longer than
// 1,800 s, so this is one visit of 3,000 s. Without the heartbeat, there would be two visits of 0 s. Open days, deltas,
// sealing and imports call `sessionize`. Test: test/stats/answers.long.test.ts.
import type { ImportedRows } from '../../engine/import-content.ts';
import { once } from '../../lib/once.ts';
import { noTotals, type Totals } from '../../stats/aggregates.ts';
import { isBounce, VISIT_GAP } from '../../stats/definitions.ts';
import { unpackBuckets, VITALS, type Vital } from '../../stats/vitals.ts';
import { type ColumnName, isHitColumn, makeColumn } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';
import { readOnce, type Shard, type ShardRows, takeHeartbeats } from './shard.ts';
import { numberRows, numberVisitors, type Order, sortByKey, sortByTime } from './sort-rows.ts';

export function sessionize(day: number, rows: SomeRows, by: Order = 'code'): Shard {
  const lists = formVisits(rows, by);
  const first = lists.first.subarray(0, lists.visits);
  const arrivals = () => (rows.arrival ? pick(rows.arrival, first) : first);
  return {
    day,
    totals: sumTotals(lists),
    column: readOnce((name) => makeColumn(name, name === 'arrival' ? arrivals() : gatherValues(name, rows, lists))),
    codes: once(() => pick(rows.visitor, first, new Float64Array(first.length))),
    idle: takeHeartbeats(rows, lists.idle),
  };
}

/**
 * The visits of a day while they are made. `first`, `last`, `again`, `pageviews`, `events` and `seconds` have one entry
 * for each visit. A row is given by its index in the list of all rows. `idle` has the rows of heartbeats that belong to
 * no visit.
 */
type VisitLists = {
  visitors: number;
  visits: number;
  hits: number;
  /** For each visit, the row of its first hit. */
  first: Uint32Array;
  last: Uint32Array;
  /** 1 if the previous visit is by the same visitor, and otherwise 0. */
  again: Uint32Array;
  pageviews: Uint32Array;
  events: Uint32Array;
  seconds: Uint32Array;
  /** The row of each hit, in the order of the visits. */
  hitRows: Uint32Array;
  /** For each row with a hit, the seconds for which its page was visible. */
  engaged: Int32Array;
  /** For each row with a hit, the depth in percent plus one, or 0 if the depth is unknown. */
  scroll: Uint8Array;
  /** For each row with a hit, its packed web vitals. Empty if no row has web vitals. */
  vitals: Float64Array;
  idle: number[];
};

const makeVisitLists = (rows: number, vitals: Float64Array): VisitLists => ({
  visitors: 0,
  visits: 0,
  hits: 0,
  first: new Uint32Array(rows),
  last: new Uint32Array(rows),
  again: new Uint32Array(rows),
  pageviews: new Uint32Array(rows),
  events: new Uint32Array(rows),
  seconds: new Uint32Array(rows),
  hitRows: new Uint32Array(rows),
  engaged: new Int32Array(rows),
  scroll: new Uint8Array(rows),
  vitals,
  idle: [],
});

/**
 * Finds the hit to which a heartbeat adds its values. The heartbeat is the last row of `visit`. Its seconds belong to
 * the latest hit of the page. Its depth and web vitals belong to the page's latest pageview, and the caller passes
 * `isView` to find this pageview. Rows that arrived after the heartbeat are ignored. If these rows counted, the result
 * would depend on when a shard was built.
 */
function hitThen(
  visit: Uint32Array,
  { second, engaged, terms: { page, event } }: ImportedRows,
  isView: boolean,
): number | undefined {
  const sign = visit[visit.length - 1] as number;
  let next = sign;
  for (let place = visit.length - 2; place >= 0; place--) {
    const row = visit[place] as number;
    if (row > sign) continue;
    if ((second[next] as number) - (second[row] as number) > VISIT_GAP) return undefined;
    const isHit = (engaged[row] as number) < 0 && (!isView || event[row] === 0);
    if (isHit && page[row] === page[sign]) return row;
    next = row;
  }
  return undefined;
}

/** Returns the packed web vitals of all rows, or an empty list if no row has any. */
const copyVitals = ({ vitals, count }: ImportedRows): Float64Array => {
  const own = vitals.subarray(0, count);
  return own.some((packed) => packed !== 0) ? own.slice() : new Float64Array(0);
};

/**
 * Makes visits in one loop over the rows, which are sorted by visitor and time. A gap of more than 30 minutes
 * (`VISIT_GAP`) starts a new visit.
 */
function formVisits(rows: SomeRows, by: Order): VisitLists {
  const { count, second, visitor, engaged, scroll, seen, terms } = rows;
  const { page, event } = terms;
  const byTime = sortByTime(numberRows(count), second);
  const { visitorByRow, count: visitors } = numberVisitors(byTime, visitor, by);
  const lists = makeVisitLists(count, copyVitals(rows));
  if (seen) lists.engaged.set(seen.subarray(0, count));
  lists.scroll.set(scroll.subarray(0, count));
  const { first, last, again, pageviews, events, seconds, hitRows, vitals } = lists;
  /**
   * For each page, 1 plus the index in `hitRows` of the page's latest hit, or 0 if the page had no hit. `latestView`
   * has 1 plus the index of the page's latest pageview, or 0.
   */
  const latestHit = new Uint32Array(findLargest(page) + 1);
  const latestView = new Uint32Array(latestHit.length);
  /**
   * Three numbers of the current visit. `firstHit` is its first index in `hitRows`, and `begin` is its first index in
   * `order`. `newest` is the visit's row that arrived last.
   */
  let [firstHit, begin, newest] = [0, 0, 0];
  let visit = -1;
  let currentVisitor = -1;
  let lastActive = 0;

  const order = sortByKey(byTime, visitorByRow, visitors);
  for (let place = 0; place < count; place++) {
    const row = order[place] as number;
    const at = second[row] as number;
    const isRunning = visitorByRow[row] === currentVisitor && at - lastActive <= VISIT_GAP;
    if ((engaged[row] as number) >= 0) {
      // A heartbeat that belongs to no visit does not count yet. Perhaps its hit has not arrived yet. The heartbeat
      // counts as soon as this hit arrives.
      if (!isRunning) {
        lists.idle.push(row);
        continue;
      }
      const index = (latestHit[page[row] as number] as number) - 1;
      if (index >= firstHit && engaged[row] !== 0) {
        // The heartbeat's seconds belong to the latest hit of its page. Hits that arrived after the heartbeat are
        // ignored. Only if a row of the visit arrived after the heartbeat, the slower `hitThen` is needed.
        const hit = newest < row ? hitRows[index] : hitThen(order.subarray(begin, place + 1), rows, false);
        if (hit !== undefined) lists.engaged[hit] = (lists.engaged[hit] as number) + (engaged[row] as number);
      }
      const view = (latestView[page[row] as number] as number) - 1;
      if (view >= firstHit && (scroll[row] !== 0 || vitals[row])) {
        const hit = newest < row ? hitRows[view] : hitThen(order.subarray(begin, place + 1), rows, true);
        if (hit !== undefined) {
          lists.scroll[hit] = Math.max(lists.scroll[hit] as number, scroll[row] as number);
          if (vitals[row]) vitals[hit] = Math.max(vitals[hit] as number, vitals[row] as number);
        }
      }
    } else {
      if (!isRunning) {
        visit++;
        again[visit] = visitorByRow[row] === currentVisitor ? 1 : 0;
        currentVisitor = visitorByRow[row] as number;
        first[visit] = row;
        [firstHit, begin, newest] = [lists.hits, place, row];
      }
      hitRows[lists.hits++] = row;
      latestHit[page[row] as number] = lists.hits;
      if (event[row] === 0) latestView[page[row] as number] = lists.hits;
      last[visit] = row;
      const counts = event[row] === 0 ? pageviews : events;
      counts[visit] = (counts[visit] as number) + 1;
    }
    newest = Math.max(newest, row);
    lastActive = at;
    seconds[visit] = at - (second[first[visit] as number] as number);
  }
  return { ...lists, visitors: visitorsIn(again, visit + 1), visits: visit + 1 };
}

function visitorsIn(again: Uint32Array, visits: number): number {
  let visitors = 0;
  for (let i = 0; i < visits; i++) if (again[i] === 0) visitors++;
  return visitors;
}

function sumTotals({ visitors, visits, pageviews, events, seconds }: VisitLists): Totals {
  const totals = { ...noTotals(), visitors, visits };
  for (let i = 0; i < visits; i++) {
    totals.pageviews += pageviews[i] as number;
    totals.events += events[i] as number;
    totals.seconds += seconds[i] as number;
    if (isBounce(pageviews[i] as number, events[i] as number)) totals.bounces++;
  }
  return totals;
}

/**
 * Reads the values of a column. Most columns of hits have a text of each hit, such as its page. Most columns of visits
 * have the value of each visit's first hit, such as its country. All other columns have a case of their own here.
 */
function gatherValues(name: ColumnName, { second, terms }: ImportedRows, lists: VisitLists): Uint32Array {
  const ofVisits = (from: Numbers, rows: Uint32Array) => pick(from, rows.subarray(0, lists.visits));
  const ofHits = (from: Numbers) => pick(from, lists.hitRows.subarray(0, lists.hits));
  switch (name) {
    case 'again':
    case 'events':
    case 'seconds':
      return lists[name].subarray(0, lists.visits);
    case 'hits':
      return lists.pageviews.slice(0, lists.visits).map((n, i) => n + (lists.events[i] as number));
    case 'entry':
      return ofVisits(terms.page, lists.first);
    case 'exit':
      return ofVisits(terms.page, lists.last);
    case 'second':
      return ofHits(second);
    case 'engaged':
    case 'scroll':
      return ofHits(lists[name]);
    default:
      if (isVital(name))
        return lists.vitals.length === 0 ? new Uint32Array(lists.hits) : ofHits(readBuckets(name, lists));
      return isHitColumn(name) ? ofHits(terms[name]) : ofVisits(terms[name], lists.first);
  }
}

/** Copies the values of some rows. A loop takes a fraction of the time of the method `map`. */
function pick(from: Numbers, rows: Uint32Array): Uint32Array;
function pick<List extends Numbers>(from: Numbers, rows: Uint32Array, to: List): List;
function pick(from: Numbers, rows: Uint32Array, to: Numbers = new Uint32Array(rows.length)): Numbers {
  for (let i = 0; i < rows.length; i++) to[i] = from[rows[i] as number] as number;
  return to;
}

function findLargest(list: Numbers): number {
  let largest = 0;
  for (let i = 0; i < list.length; i++) if ((list[i] as number) > largest) largest = list[i] as number;
  return largest;
}

const isVital = (name: ColumnName): name is Vital => (VITALS as readonly string[]).includes(name);

function readBuckets(vital: Vital, { vitals }: VisitLists): Uint32Array {
  const place = VITALS.indexOf(vital);
  return Uint32Array.from(vitals, (packed) => (packed === 0 ? 0 : (unpackBuckets(packed)[place] as number)));
}

/**
 * Rows of a day. Rows of a shard also have `seen` and `arrival` (`ShardRows`). Without `arrival`, the rows are in the
 * order in which they arrived.
 */
type SomeRows = ImportedRows & Partial<Pick<ShardRows, 'seen' | 'arrival'>>;
