import { isBounce } from '../../stats/definitions.ts';
import { addTotals, noTotals, type Totals } from '../../stats/measured.ts';
import { type Column, hasDictionary, isHitColumn, type ShardColumn } from '../column/column.ts';
import type { Numbers } from '../column/packing.ts';
import type { Marks } from '../day/bitset.ts';
import type { Day } from '../day/day.ts';
import { readOnce, type Shard, seekVisitor } from '../day/shard.ts';
import { areOfBase, copyRuns, HITS, joined, type Runs, rowsIn, splicedCodes, VISITS } from './merge-plan.ts';

function totalsOf(base: Shard, taken: Marks, added: Shard): Totals {
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

/** The list of the two whose type holds the numbers of both; of those of a day only seconds may be negative. */
const wider = (a: Numbers, b: Numbers): Numbers =>
  !(b instanceof Int32Array) && (a instanceof Int32Array || a.BYTES_PER_ELEMENT >= b.BYTES_PER_ELEMENT) ? a : b;

/** An empty list of the same width. */
const listLike = (like: Numbers, length: number): Numbers =>
  new (like.constructor as new (length: number) => Numbers)(length);

/** An empty list of the width that the codes of a dictionary need. */
const codesFor = ({ length }: Numbers): Numbers =>
  length <= 256 ? new Uint8Array(0) : length <= 65_536 ? new Uint16Array(0) : new Uint32Array(0);

/** So that the next part fits too, if it is a little larger. */
const ROOM = 1.25;

/**
 * Buffers for the columns of one part at a time, to save a hundred megabytes of garbage for each question. The next part that is put
 * together with the same scratch overwrites them, so whoever reads several parts at once must copy.
 */
export type Scratch = ReturnType<typeof scratchOf>;

export function scratchOf() {
  const buffers = new Map<ShardColumn, ArrayBuffer>();
  let owner: Runs | undefined;
  let columns = new Map<ShardColumn, Column>();
  return {
    /** A column of the part with the runs, which is put together once as long as no other part is. */
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

/** The terms of two dictionaries, and the codes of each of them among these; undefined where they stay. */
function union(a: Numbers, b: Numbers): Union {
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

function splicedColumn(
  name: ShardColumn,
  runs: Runs,
  base: Column,
  added: Column,
  scratch: Scratch | undefined,
): Column {
  const ends = isHitColumn(name) ? HITS : VISITS;
  const isPlain = !hasDictionary(name);
  const { terms, maps } = union(base.terms, added.terms);
  const like = isPlain ? wider(base.codes, added.codes) : codesFor(terms);
  const rows = rowsIn(runs, ends);
  const codes = scratch ? scratch.list(name, like, rows) : listLike(like, rows);
  copyRuns(codes, runs, ends, [base.codes, added.codes], maps);
  return { terms, codes };
}

type Both = { base: Shard; runs: Runs; added: Shard };

function columnOf(name: ShardColumn, { base, runs, added }: Both, scratch?: Scratch): Column {
  const column = splicedColumn(name, runs, base.column(name), added.column(name), scratch);
  return name === 'again' ? joined(column, runs, base.codes(), added.codes()) : column;
}

/** A part without some of its visits, and with those of another. Columns are put together when they are asked for. */
export function spliced({ base, runs, added, taken }: Both & { taken: Marks }, scratch?: Scratch): Omit<Shard, 'idle'> {
  const put = (name: ShardColumn): Column => columnOf(name, { base, runs, added }, scratch);
  let codes: Float64Array | undefined;
  return {
    day: base.day,
    totals: totalsOf(base, taken, added),
    column: scratch ? (name) => scratch.once(runs, name, () => put(name)) : readOnce(put),
    codes() {
      codes ??= splicedCodes(runs, base.codes(), added.codes());
      return codes;
    },
  };
}

/**
 * The visits of the runs as a day, of whose totals only the number of visits is known. Where all are added, the columns of the base are
 * not read: no visitor of most parts has come again.
 */
export const excerpt = (both: Both, scratch: Scratch): Day => ({
  day: both.base.day,
  totals: { ...noTotals(), visits: rowsIn(both.runs, VISITS) },
  column: areOfBase(both.runs)
    ? (name) => scratch.once(both.runs, name, () => columnOf(name, both, scratch))
    : both.added.column,
});
