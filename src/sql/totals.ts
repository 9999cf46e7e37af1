// Adds up the aggregates of groups, such as `count(*)` and `sum(pageviews)`.
//
// Invariant: an aggregate has the value, and the type, that SQLite computes from the same rows. Sums of numbers with
// decimals are corrected after each addition, as in SQLite (Kahan, Babuška and Neumaier).
//
// Example: the group 3 has the amounts 19.99, 5 and NULL. `count(revenue)` is 2, and `sum(revenue)` is 24.99.

import { compareCodePoints } from '../lib/code-points.ts';
import { type Codes, makePairs } from './codes.ts';
import type { Aggregate } from './shape.ts';
import type { SqlValue } from './tables.ts';

export type Value = SqlValue | bigint;

/**
 * The rows of one table that are added. `groups` has the group of each row, as a number below `size`. `codes` are
 * indexes into `values`. `numbers` has the number of each row's visitor or visit. No number is used on two days.
 */
type Added = { groups: Codes; codes: Codes; values: readonly Value[]; numbers: Codes; size: number };

export type Totals = { add(rows: Added): void; read(group: number): Value };

/** Thrown if the groups might not give the result of SQLite. The statement is then answered from rows. */
export class Unsuitable extends Error {}

export function makeTotals({ name }: Aggregate): Totals {
  switch (name) {
    case 'rows':
      return countRows();
    case 'count':
    case 'sum':
    case 'avg':
      return addValues(name);
    case 'min':
    case 'max':
      return findExtreme(name === 'min' ? -1 : 1);
    case 'values':
      return countDistinct();
    case 'visitor':
    case 'visit':
      return countNumbers();
  }
}

/** A list of numbers that grows with the number of groups. */
function makeList() {
  let list = new Float64Array(1024);
  return (size: number): Float64Array => {
    if (size <= list.length) return list;
    const longer = new Float64Array(2 ** Math.ceil(Math.log2(size)));
    longer.set(list);
    list = longer;
    return list;
  };
}

function countRows(): Totals {
  const counts = makeList();
  return {
    add: ({ groups, size }) => countAll(counts(size), groups),
    read: (group) => BigInt(counts(group + 1)[group] as number),
  };
}

// Most loops over rows are in functions at the top level. V8 keeps the compiled code of such functions for the rows of
// the next day.

function countAll(list: Float64Array, groups: Codes): void {
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] as number;
    list[group] = (list[group] as number) + 1;
  }
}

function addValues(name: 'count' | 'sum' | 'avg'): Totals {
  const [counts, sums, rests, decimals] = [makeList(), makeList(), makeList(), makeList()];
  return {
    add({ groups, codes, values, size }) {
      if (name !== 'count' && values.some((value) => !isNumber(value))) throw new Unsuitable();
      const numbers = values.map((value) => (value === null ? Number.NaN : name === 'count' ? 0 : Number(value)));
      const lists = { count: counts(size), sum: sums(size), rest: rests(size) };
      addAll(lists, groups, codes, new Float64Array(numbers));
      const isDecimal = values.map((value) => Number(typeof value === 'number'));
      if (isDecimal.includes(1)) markAll(decimals(size), groups, codes, isDecimal);
    },
    read(group) {
      const count = counts(group + 1)[group] as number;
      if (name === 'count') return BigInt(count);
      if (count === 0) return null;
      const sum = (sums(group + 1)[group] as number) + (rests(group + 1)[group] as number);
      const isDecimal = decimals(group + 1)[group] === 1;
      if (!isDecimal && !Number.isSafeInteger(sum)) throw new Unsuitable();
      if (name === 'avg') return sum / count;
      return isDecimal ? sum : BigInt(sum);
    },
  };
}

type Sums = Record<'count' | 'sum' | 'rest', Float64Array>;

/** Adds the numbers of the rows. NaN stands for NULL, which does not count. */
function addAll({ count, sum, rest }: Sums, groups: Codes, codes: Codes, numbers: Float64Array): void {
  for (let row = 0; row < groups.length; row++) {
    const value = numbers[codes[row] as number] as number;
    if (Number.isNaN(value)) continue;
    const group = groups[row] as number;
    const before = sum[group] as number;
    const after = before + value;
    const lost = Math.abs(before) > Math.abs(value) ? before - after + value : value - after + before;
    sum[group] = after;
    rest[group] = (rest[group] as number) + lost;
    count[group] = (count[group] as number) + 1;
  }
}

function markAll(list: Float64Array, groups: Codes, codes: Codes, isMarked: Codes): void {
  for (let row = 0; row < groups.length; row++)
    if (isMarked[codes[row] as number] === 1) list[groups[row] as number] = 1;
}

const isNumber = (value: Value): boolean =>
  value === null || (typeof value === 'bigint' ? isSafe(value) : typeof value === 'number' && Number.isFinite(value));
const isSafe = (value: bigint): boolean => Number.isSafeInteger(Number(value));

/** Finds the smallest or the largest value. Numbers come before texts. */
function findExtreme(sign: number): Totals {
  const best: Value[] = [];
  return {
    add({ groups, codes, values }) {
      for (let row = 0; row < groups.length; row++) {
        const [group, value] = [groups[row] as number, values[codes[row] as number] as Value];
        const known = best[group] ?? null;
        if (value !== null && (known === null || sign * compareValues(value, known) > 0)) best[group] = value;
      }
    },
    read: (group) => best[group] ?? null,
  };
}

function compareValues(one: Value, other: Value): number {
  if (typeof one === 'string' && typeof other === 'string') return compareCodePoints(one, other);
  if (typeof one === 'string' || typeof other === 'string') return typeof one === 'string' ? 1 : -1;
  return Number(one) - Number(other);
}

/** Counts distinct values: the pairs of a group and a value. */
function countDistinct(): Totals {
  const pairs = makePairs();
  const ids = new Map<Value, number>();
  const counts = makeList();
  return {
    add({ groups, codes, values, size }) {
      const list = counts(size);
      const own = values.map((value) => {
        const key = typeof value === 'bigint' && isSafe(value) ? Number(value) : value;
        if (!ids.has(key)) ids.set(key, ids.size);
        return key === null ? -1 : (ids.get(key) as number);
      });
      for (let row = 0; row < groups.length; row++) {
        const [group, id] = [groups[row] as number, own[codes[row] as number] as number];
        if (id < 0) continue;
        const before = pairs.firsts.length;
        if (pairs.find(group, id) < before) continue;
        list[group] = (list[group] as number) + 1;
      }
    },
    read: (group) => BigInt(counts(group + 1)[group] as number),
  };
}

/**
 * Counts the distinct visitors or visits of each group. Their numbers ascend from row to row. So a number is new to a
 * group if it is not the latest number of that group.
 */
function countNumbers(): Totals {
  const [latest, counts] = [makeList(), makeList()];
  return {
    add: ({ groups, numbers, size }) => countNew(latest(size), counts(size), groups, numbers),
    read: (group) => BigInt(counts(group + 1)[group] as number),
  };
}

function countNew(latest: Float64Array, list: Float64Array, groups: Codes, numbers: Codes): void {
  for (let row = 0; row < groups.length; row++) {
    const group = groups[row] as number;
    const number = numbers[row] as number;
    const known = latest[group] as number;
    if (known === number) continue;
    if (known > number) throw new Unsuitable();
    latest[group] = number;
    list[group] = (list[group] as number) + 1;
  }
}
