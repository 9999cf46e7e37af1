// Builds the columns of a shard from the visits of its base and the visits that were added later. The order of the
// visits is a list of runs. A run is several neighbouring visits, all from the base or all added (merge-runs.ts).
//
// Invariant: the dictionary of a column has all values of the base and of the added visits, ascending.
//
// Example: the base has the countries [3, 7], and the added visits have [7, 9]. The new dictionary is [3, 7, 9]. The
// codes 0 and 1 of the base stay unchanged. In the added visits, code 0 becomes 1, and code 1 becomes 2. delta.ts calls
// this file for queries and for compaction.

import { addTotals, noTotals, type Totals } from '../../stats/aggregates.ts';
import { isBounce } from '../../stats/definitions.ts';
import { hasDictionary, isHitColumn, type ShardColumn } from '../column/column.ts';
import { type Column, makeCodes, type Numbers } from '../column/packing.ts';
import type { Day } from '../day/day.ts';
import { readOnce, type Shard, seekVisitor } from '../day/shard.ts';
import type { VisitSet } from '../day/visit-set.ts';
import { copyRuns, correctAgain, countRunRows, HITS, type Runs, spliceCodes, usesBase, VISITS } from './merge-runs.ts';

/**
 * Returns the base without the visits in `taken`, together with the visits of `added`. Each column is built when a
 * query first reads it, because a query reads only a few columns.
 */
export function spliceShard(
  { base, runs, added, taken }: Both & { taken: VisitSet },
  scratch?: Scratch,
): Omit<Shard, 'idle'> {
  const put = (name: ShardColumn): Column => buildColumn(name, { base, runs, added }, scratch);
  let codes: Float64Array | undefined;
  return {
    day: base.day,
    totals: sumTotals(base, taken, added),
    column: scratch ? (name) => scratch.once(runs, name, () => put(name)) : readOnce(put),
    codes() {
      codes ??= spliceCodes(runs, base.codes(), added.codes());
      return codes;
    },
  };
}

/**
 * Returns the visits in `runs`, as a day. Of the totals, only the number of visits is set. If all new rows belong to
 * new visitors, no run has visits of the base. No column of the base is then read.
 */
export const takeExcerpt = (both: Both, scratch: Scratch): Day => ({
  day: both.base.day,
  totals: { ...noTotals(), visits: countRunRows(both.runs, VISITS) },
  column: usesBase(both.runs)
    ? (name) => scratch.once(both.runs, name, () => buildColumn(name, both, scratch))
    : both.added.column,
});

function sumTotals(base: Shard, taken: VisitSet, added: Shard): Totals {
  const totals = noTotals();
  addTotals(totals, base.totals);
  addTotals(totals, added.totals);
  const [codes, addedCodes] = [base.codes(), added.codes()];
  let place = 0;
  for (let visit = 0; visit < addedCodes.length; visit++) {
    if (addedCodes[visit] === addedCodes[visit - 1]) continue;
    place = seekVisitor(codes, addedCodes[visit] as number, place);
    if (codes[place] === addedCodes[visit]) totals.visitors--;
  }
  let visit = taken.next(true, 0);
  if (visit === taken.size) return totals;
  const hits = base.column('hits').codes;
  const [events, seconds] = [base.column('events'), base.column('seconds')];
  for (; visit < taken.size; visit = taken.next(true, visit + 1)) {
    const eventCount = events.terms[events.codes[visit] as number] as number;
    const hitCount = hits[visit] as number;
    totals.visits--;
    totals.pageviews -= hitCount - eventCount;
    totals.events -= eventCount;
    totals.seconds -= seconds.terms[seconds.codes[visit] as number] as number;
    if (isBounce(hitCount - eventCount, eventCount)) totals.bounces--;
  }
  return totals;
}

/**
 * Returns the list with the wider number type. Only the column `second` has negative numbers, which need Int32Array.
 */
const chooseWider = (a: Numbers, b: Numbers): Numbers =>
  !(b instanceof Int32Array) && (a instanceof Int32Array || a.BYTES_PER_ELEMENT >= b.BYTES_PER_ELEMENT) ? a : b;

const makeListLike = (like: Numbers, length: number): Numbers =>
  new (like.constructor as new (length: number) => Numbers)(length);

/**
 * A buffer is made a quarter larger than needed. A slightly larger column of the next shard then fits into it too.
 */
const ROOM = 1.25;

/**
 * Buffers for the columns of one shard at a time. New buffers would become a hundred megabytes of garbage for each
 * query. The next shard overwrites the buffers. A caller that needs several shards must therefore copy the columns.
 */
export type Scratch = ReturnType<typeof makeScratch>;

export function makeScratch() {
  const buffers = new Map<ShardColumn, ArrayBuffer>();
  let owner: Runs | undefined;
  let columns = new Map<ShardColumn, Column>();
  return {
    /**
     * Builds a column at the first call, and returns the built column after that. A call with other `runs` overwrites
     * the buffers, so the columns of the previous runs are no longer valid.
     */
    once(runs: Runs, name: ShardColumn, put: () => Column): Column {
      if (owner !== runs) {
        owner = runs;
        columns = new Map();
      }
      const column = columns.get(name) ?? put();
      columns.set(name, column);
      return column;
    },
    list(name: ShardColumn, like: Numbers, length: number): Numbers {
      const bytes = length * like.BYTES_PER_ELEMENT;
      let buffer = buffers.get(name);
      if (!buffer || buffer.byteLength < bytes) {
        buffer = new ArrayBuffer(Math.max(1024, 4 * Math.ceil((bytes * ROOM) / 4)));
        buffers.set(name, buffer);
      }
      return new (like.constructor as new (buffer: ArrayBuffer, from: number, length: number) => Numbers)(
        buffer,
        0,
        length,
      );
    },
  };
}

type Union = { terms: Numbers; maps: [Uint32Array | undefined, Uint32Array | undefined] };

/**
 * Joins two dictionaries: [3, 7] and [7, 9] become [3, 7, 9]. `maps` has the new code for each old code, here [0, 1]
 * and [1, 2]. If an old dictionary is empty or equals the new one, its codes stay unchanged, and its map is undefined.
 */
function unite(a: Numbers, b: Numbers): Union {
  const terms = new Uint32Array(a.length + b.length);
  const [ofA, ofB] = [new Uint32Array(a.length), new Uint32Array(b.length)];
  let [count, i, j] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const one = a[i] as number;
    const other = b[j] as number;
    if (one <= other) ofA[i++] = count;
    if (other <= one) ofB[j++] = count;
    terms[count++] = one < other ? one : other;
  }
  for (; i < a.length; ofA[i++] = count++) terms[count] = a[i] as number;
  for (; j < b.length; ofB[j++] = count++) terms[count] = b[j] as number;
  const isAll = (length: number): boolean => length === count || length === 0;
  const all = count === a.length ? a : count === b.length ? b : terms.slice(0, count);
  return { terms: all, maps: [isAll(a.length) ? undefined : ofA, isAll(b.length) ? undefined : ofB] };
}

function spliceColumn(
  name: ShardColumn,
  runs: Runs,
  base: Column,
  added: Column,
  scratch: Scratch | undefined,
): Column {
  const ends = isHitColumn(name) ? HITS : VISITS;
  const isPlain = !hasDictionary(name);
  const { terms, maps } = unite(base.terms, added.terms);
  const like = isPlain ? chooseWider(base.codes, added.codes) : makeCodes(terms.length, 0);
  const rows = countRunRows(runs, ends);
  const codes = scratch ? scratch.list(name, like, rows) : makeListLike(like, rows);
  // In most columns, all values are equal. All codes are then 0.
  if (terms.length === 1) codes.fill(0);
  else copyRuns(codes, runs, ends, [base.codes, added.codes], maps);
  return { terms, codes };
}

type Both = { base: Shard; runs: Runs; added: Shard };

function buildColumn(name: ShardColumn, { base, runs, added }: Both, scratch?: Scratch): Column {
  const column = spliceColumn(name, runs, base.column(name), added.column(name), scratch);
  return name === 'again' ? correctAgain(column, runs, base.codes(), added.codes()) : column;
}
