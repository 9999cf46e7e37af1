import type { Rows } from '../../engine/import-content.ts';
import { once } from '../../lib/once.ts';
import { DAY } from '../../lib/time.ts';
import { isBounce, VISIT_GAP } from '../../stats/definitions.ts';
import { noTotals, type Totals } from '../../stats/measured.ts';
import { type ColumnName, isHitColumn, makeColumn } from '../column/column.ts';
import { idleIn, lazily, type Shard, type ShardRows, seekVisitor } from './shard.ts';

/** With fewer rows than this share of the keys, comparing them takes less time and memory than counting. */
const FEW = 1 / 8;

/** Stable sort of row numbers by key, in linear time. Keys are below `keys`. */
export function sortByKey(order: Uint32Array, keyOf: ArrayLike<number>, keys: number): Uint32Array {
  const { length } = order;
  if (length < keys * FEW) {
    const places = Float64Array.from(order, (row, place) => (keyOf[row] as number) * length + place).sort();
    return Uint32Array.from(places, (place) => order[place % length] as number);
  }
  const next = new Uint32Array(keys + 1);
  for (const i of order) next[(keyOf[i] as number) + 1] = (next[(keyOf[i] as number) + 1] as number) + 1;
  for (let key = 1; key <= keys; key++) next[key] = (next[key] as number) + (next[key - 1] as number);
  const result = new Uint32Array(order.length);
  for (const i of order) {
    const key = keyOf[i] as number;
    const place = next[key] as number;
    result[place] = i;
    next[key] = place + 1;
  }
  return result;
}

/** The same by the seconds of a day, which may begin before 00:00 UTC and end after it. */
export function sortByTime(order: Uint32Array, second: Int32Array): Uint32Array {
  let [first, last] = [0, DAY - 1];
  for (const row of order) {
    const at = second[row] as number;
    if (at < first) first = at;
    else if (at > last) last = at;
  }
  const from = first;
  return sortByKey(order, from === 0 ? second : second.map((at) => at - from), last - first + 1);
}

/** How visits are sorted: by the code of their visitor, or by the moment of the visitor's first hit. */
type Order = 'code' | 'time';

type Numbered = { numberOf: Uint32Array; count: number };

const HALF = 2 ** 32;
const GOLDEN = 0x9e37_79b1;

/**
 * Numbers visitors by their first hit of the day, or by their codes in ascending order. A table of two lists: 100,000 rows of 25,000
 * visitors take 6 ms, which a map takes 15 for.
 */
function numberVisitors(byTime: Uint32Array, codes: Float64Array, order: Order): Numbered {
  const mask = 2 ** Math.ceil(Math.log2(2 * byTime.length + 1)) - 1;
  /** By the hash of a code its number plus one; the next free place if another code has taken it. */
  const numbers = new Uint32Array(mask + 1);
  const known = new Float64Array(byTime.length);
  const numberOf = new Uint32Array(codes.length);
  let count = 0;
  for (const row of byTime) {
    const code = codes[row] as number;
    const mixed = Math.imul((code >>> 0) ^ Math.floor(code / HALF), GOLDEN);
    let place = (mixed ^ (mixed >>> 15)) & mask;
    while (numbers[place] !== 0 && known[(numbers[place] as number) - 1] !== code) place = (place + 1) & mask;
    if (numbers[place] === 0) {
      known[count] = code;
      numbers[place] = ++count;
    }
    numberOf[row] = (numbers[place] as number) - 1;
  }
  if (order === 'code') {
    const own = known.subarray(0, count);
    const sorted = own.slice().sort();
    const ranks = Uint32Array.from(own, (code) => seekVisitor(sorted, code));
    for (const row of byTime) numberOf[row] = ranks[numberOf[row] as number] as number;
  }
  return { numberOf, count };
}

/** A day cut into visits. `first` to `seconds` are by visit. */
type Cut = {
  visitors: number;
  visits: number;
  hits: number;
  /** The rows of the first and last hit of each visit. */
  first: Uint32Array;
  last: Uint32Array;
  /** 1 if the visit before is by the same visitor. */
  again: Uint32Array;
  pageviews: Uint32Array;
  events: Uint32Array;
  seconds: Uint32Array;
  /** The row of each hit, in the order of visits; and by row how many seconds its page was visible. */
  hitRows: Uint32Array;
  engaged: Int32Array;
  /** The signs of life outside any visit. */
  idle: number[];
};

const emptyCut = (rows: number): Cut => ({
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
  idle: [],
});

/**
 * The row of the latest hit on the page of a sign of life in the visit that ran when it came. The visit that there is now, up to the
 * sign, may have rows that came later, and have been several without them.
 */
function hitThen(visit: Uint32Array, { second, engaged, terms: { page } }: Rows): number | undefined {
  const sign = visit[visit.length - 1] as number;
  let next = sign;
  for (let place = visit.length - 2; place >= 0; place--) {
    const row = visit[place] as number;
    if (row > sign) continue;
    if ((second[next] as number) - (second[row] as number) > VISIT_GAP) return undefined;
    if ((engaged[row] as number) < 0 && page[row] === page[sign]) return row;
    next = row;
  }
  return undefined;
}

/** Goes through the rows by visitor and time, and starts a visit after each gap of more than `VISIT_GAP`. */
function cutVisits(rows: SomeRows, by: Order): Cut {
  const { count, second, visitor, engaged, seen, terms } = rows;
  const { page, event } = terms;
  const byTime = sortByTime(
    new Uint32Array(count).map((_, i) => i),
    second,
  );
  const { numberOf, count: visitors } = numberVisitors(byTime, visitor, by);
  const cut = emptyCut(count);
  if (seen) cut.engaged.set(seen.subarray(0, count));
  const { first, last, again, pageviews, events, seconds, hitRows } = cut;
  /** By page, the index of its latest hit plus one. */
  const latestHit = new Uint32Array(page.reduce((largest, term) => Math.max(largest, term), 0) + 1);
  /** The index of the first hit of the running visit, its place in the order, and the row of the visit that came last. */
  let [firstHit, begin, newest] = [0, 0, 0];
  let visit = -1;
  let currentVisitor = -1;
  let lastActive = 0;

  const order = sortByKey(byTime, numberOf, visitors);
  for (let place = 0; place < count; place++) {
    const row = order[place] as number;
    const at = second[row] as number;
    const isRunning = numberOf[row] === currentVisitor && at - lastActive <= VISIT_GAP;
    if ((engaged[row] as number) >= 0) {
      // A sign of life outside a visit is ignored.
      if (!isRunning) {
        cut.idle.push(row);
        continue;
      }
      const index = (latestHit[page[row] as number] as number) - 1;
      if (index >= firstHit && engaged[row] !== 0) {
        // Nearly always all before it came before it.
        const hit = newest < row ? hitRows[index] : hitThen(order.subarray(begin, place + 1), rows);
        if (hit !== undefined) cut.engaged[hit] = (cut.engaged[hit] as number) + (engaged[row] as number);
      }
    } else {
      if (!isRunning) {
        visit++;
        again[visit] = numberOf[row] === currentVisitor ? 1 : 0;
        currentVisitor = numberOf[row] as number;
        first[visit] = row;
        [firstHit, begin, newest] = [cut.hits, place, row];
      }
      hitRows[cut.hits++] = row;
      latestHit[page[row] as number] = cut.hits;
      last[visit] = row;
      const counts = event[row] === 0 ? pageviews : events;
      counts[visit] = (counts[visit] as number) + 1;
    }
    newest = Math.max(newest, row);
    lastActive = at;
    seconds[visit] = at - (second[first[visit] as number] as number);
  }
  return { ...cut, visitors: visitorsIn(again, visit + 1), visits: visit + 1 };
}

function visitorsIn(again: Uint32Array, visits: number): number {
  let visitors = 0;
  for (let i = 0; i < visits; i++) if (again[i] === 0) visitors++;
  return visitors;
}

function totalsOf({ visitors, visits, pageviews, events, seconds }: Cut): Totals {
  const totals = { ...noTotals(), visitors, visits };
  for (let i = 0; i < visits; i++) {
    totals.pageviews += pageviews[i] as number;
    totals.events += events[i] as number;
    totals.seconds += seconds[i] as number;
    if (isBounce(pageviews[i] as number, events[i] as number)) totals.bounces++;
  }
  return totals;
}

/** The values of a column. By default a visit has the value of its first hit. */
function valuesOf(name: ColumnName, { second, terms }: Rows, cut: Cut): Uint32Array {
  const pick = (from: ArrayLike<number>, rows: Uint32Array, length: number) =>
    rows.slice(0, length).map((row) => from[row] as number);
  const ofVisits = (from: ArrayLike<number>, rows: Uint32Array) => pick(from, rows, cut.visits);
  const ofHits = (from: ArrayLike<number>) => pick(from, cut.hitRows, cut.hits);
  switch (name) {
    case 'again':
    case 'events':
    case 'seconds':
      return cut[name].subarray(0, cut.visits);
    case 'hits':
      return cut.pageviews.slice(0, cut.visits).map((n, i) => n + (cut.events[i] as number));
    case 'entry':
      return ofVisits(terms.page, cut.first);
    case 'exit':
      return ofVisits(terms.page, cut.last);
    case 'second':
      return ofHits(second);
    case 'engaged':
      return ofHits(cut.engaged);
    default:
      return isHitColumn(name) ? ofHits(terms[name]) : ofVisits(terms[name], cut.first);
  }
}

/** Rows of a day. Where they do not say when they arrived, they are all of the day, in the order of arrival. */
type SomeRows = Rows & Partial<Pick<ShardRows, 'seen' | 'arrival'>>;

/**
 * Turns rows into visits, in linear time: about 0.3 s for a million rows. The definitions are those of docs/read-the-statistics.md;
 * the test is test/stats/answers.test.ts.
 */
export function sessionize(day: number, rows: SomeRows, by: Order = 'code'): Shard {
  const cut = cutVisits(rows, by);
  const first = cut.first.subarray(0, cut.visits);
  const arrivals = () => first.map((row) => rows.arrival?.[row] ?? row);
  return {
    day,
    totals: totalsOf(cut),
    column: lazily((name) => makeColumn(name, name === 'arrival' ? arrivals() : valuesOf(name, rows, cut))),
    codes: once(() => Float64Array.from(first, (row) => rows.visitor[row] as number)),
    idle: idleIn(rows, cut.idle),
  };
}
