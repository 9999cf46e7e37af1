import type { Rows } from '../store/hits.ts';
import { type Column, type ColumnName, columnOf } from './columns.ts';
import type { Day, Totals } from './day.ts';

/** A gap of so many seconds does not end a visit; a longer one does. */
export const VISIT_GAP = 1_800;

/** The places of items in the order of their keys; of equal keys in the order in which they were. Keys are below `keys`. */
function sorted(order: Uint32Array, keyOf: ArrayLike<number>, keys: number): Uint32Array {
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

/** Visitors by number, in the order in which they first came, so that the number says nothing else. */
function numbered(order: Uint32Array, codes: Float64Array): { of: Uint32Array; count: number } {
  const numbers = new Map<number, number>();
  const of = new Uint32Array(codes.length);
  for (const i of order) {
    const code = codes[i] as number;
    let number = numbers.get(code);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(code, number);
    }
    of[i] = number;
  }
  return { of, count: numbers.size };
}

const FROM_FIRST = [
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'country',
  'device',
  'browser',
  'os',
] as const satisfies readonly ColumnName[];

/**
 * Makes visits of the rows of a day: takes a time that grows with the rows and not faster, about 0.3 s for a million.
 * The definitions are those of README's "What is counted", held by test/stats/answers.test.ts.
 */
export function fold(day: number, rows: Rows): Day {
  const { count, second, engaged, words } = rows;
  const arrived = new Uint32Array(count).map((_, i) => i);
  const inTime = sorted(arrived, second, 86_400);
  const visitors = numbered(inTime, rows.visitor);
  const order = sorted(inTime, visitors.of, visitors.count);

  const hits = { page: words.page, event: words.event, label: words.label, second, engaged: new Int32Array(count) };
  /** The row of each hit, in order; the first and the last hit of each visit, and what else is only known at its end. */
  const hitRows = new Uint32Array(count);
  const first = new Uint32Array(count);
  const last = new Uint32Array(count);
  const again = new Uint32Array(count);
  const pageviews = new Uint32Array(count);
  const events = new Uint32Array(count);
  const seconds = new Uint32Array(count);
  const totals: Totals = { visitors: 0, visits: 0, pageviews: 0, events: 0, bounces: 0, seconds: 0 };

  let hitCount = 0;
  let visit = -1;
  let who = -1;
  let active = 0;

  /** By page one more than the place of the latest hit on it, and the place of the first hit of the running visit. */
  const latest = new Uint32Array(words.page.reduce((largest, page) => Math.max(largest, page), 0) + 1);
  let begun = 0;

  /** Its seconds go to the latest hit on its page in the running visit. */
  function engage(row: number): void {
    const place = (latest[words.page[row] as number] as number) - 1;
    if (place < begun) return;
    const hit = hitRows[place] as number;
    hits.engaged[hit] = (hits.engaged[hit] as number) + (engaged[row] as number);
  }

  for (const row of order) {
    const at = second[row] as number;
    const isRunning = visitors.of[row] === who && at - active <= VISIT_GAP;
    if ((engaged[row] as number) >= 0) {
      // Where no visit is running it is nobody's.
      if (!isRunning) continue;
      engage(row);
    } else {
      if (!isRunning) {
        visit++;
        if (visitors.of[row] === who) again[visit] = 1;
        else totals.visitors++;
        who = visitors.of[row] as number;
        first[visit] = row;
        begun = hitCount;
      }
      hitRows[hitCount++] = row;
      latest[words.page[row] as number] = hitCount;
      last[visit] = row;
      const counts = words.event[row] === 0 ? pageviews : events;
      counts[visit] = (counts[visit] as number) + 1;
    }
    active = at;
    seconds[visit] = at - (second[first[visit] as number] as number);
  }

  totals.visits = visit + 1;
  for (let i = 0; i < totals.visits; i++) {
    totals.pageviews += pageviews[i] as number;
    totals.events += events[i] as number;
    totals.seconds += seconds[i] as number;
    if (pageviews[i] === 1 && events[i] === 0) totals.bounces++;
  }

  const pick = (from: Int32Array, by: Uint32Array, length: number): Uint32Array =>
    by.slice(0, length).map((row) => from[row] as number);
  const values: Record<ColumnName, () => Uint32Array> = {
    ...(Object.fromEntries(FROM_FIRST.map((name) => [name, () => pick(words[name], first, totals.visits)])) as Record<
      (typeof FROM_FIRST)[number],
      () => Uint32Array
    >),
    again: () => again.subarray(0, totals.visits),
    entry: () => pick(words.page, first, totals.visits),
    exit: () => pick(words.page, last, totals.visits),
    hits: () => pageviews.slice(0, totals.visits).map((n, i) => n + (events[i] as number)),
    events: () => events.subarray(0, totals.visits),
    seconds: () => seconds.subarray(0, totals.visits),
    page: () => pick(hits.page, hitRows, hitCount),
    event: () => pick(hits.event, hitRows, hitCount),
    label: () => pick(hits.label, hitRows, hitCount),
    second: () => pick(hits.second, hitRows, hitCount),
    engaged: () => pick(hits.engaged, hitRows, hitCount),
  };
  const made = new Map<ColumnName, Column>();
  return {
    day,
    totals,
    column(name) {
      const known = made.get(name) ?? columnOf(name, values[name]());
      made.set(name, known);
      return known;
    },
  };
}
