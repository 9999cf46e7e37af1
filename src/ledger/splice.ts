import { addTotals, noTotals, type Totals } from '../stats/measured.ts';
import type { Numbers } from './bytes.ts';
import { type Column, codeOf, hasDictionary, isOfHits, type PartColumn } from './columns.ts';
import { startsOf } from './day.ts';
import { firstVisitOf, type Part, startsIn } from './part.ts';

/**
 * Runs of visits and their hits, of the base or of what is added, each as five numbers. There are as many as visits that came, so
 * that objects would cost more than all else.
 */
type Runs = Uint32Array;
const [IS_ADDED, FROM, TO, FIRST_HIT, END_HIT] = [0, 1, 2, 3, 4];
const SIZE = 5;

/** Appends runs, and joins those that follow each other. */
function runList(capacity: number) {
  const runs = new Uint32Array(capacity * SIZE);
  let end = 0;
  return {
    put(isAdded: 0 | 1, from: number, to: number, starts: Uint32Array): void {
      const last = end - SIZE;
      if (end > 0 && runs[last + IS_ADDED] === isAdded && runs[last + TO] === from) {
        runs[last + TO] = to;
        runs[last + END_HIT] = starts[to] as number;
        return;
      }
      runs[end + IS_ADDED] = isAdded;
      runs[end + FROM] = from;
      runs[end + TO] = to;
      runs[end + FIRST_HIT] = starts[from] as number;
      runs[end + END_HIT] = starts[to] as number;
      end += SIZE;
    },
    all: (): Runs => runs.slice(0, end),
  };
}

/** The runs of visits by visitor and time, without those of the base that are taken out. */
function runsOf(base: Part, taken: Uint8Array, added: Part): Runs {
  const [codes, addedCodes] = [base.codes(), added.codes()];
  const second = added.column('second').codes;
  const addedStarts = startsOf(added).slice(0, addedCodes.length + 1);
  const baseStarts = codes.length > 0 ? startsIn(base) : new Uint32Array(1);
  const baseSecond = codes.length > 0 ? base.column('second').codes : new Uint8Array(0);
  let gaps = 0;
  for (let next = taken.indexOf(1); next >= 0; next = taken.indexOf(1, next + 1)) gaps++;
  const runs = runList(2 * addedCodes.length + gaps + 1);

  /** The next visit that is taken out, or the end. */
  const nextTaken = (from: number): number => {
    const next = taken.indexOf(1, from);
    return next < 0 ? codes.length : next;
  };
  let at = 0;
  let gap = nextTaken(0);
  function keepUntil(to: number): void {
    while (at < to) {
      if (at === gap) {
        at++;
        gap = nextTaken(at);
      } else {
        const end = Math.min(gap, to);
        runs.put(0, at, end, baseStarts);
        at = end;
      }
    }
  }
  for (let visit = 0; visit < addedCodes.length; visit++) {
    const code = addedCodes[visit] as number;
    let place = firstVisitOf(codes, code, at);
    const start = second[addedStarts[visit] as number] as number;
    while (codes[place] === code && (baseSecond[baseStarts[place] as number] as number) < start) place++;
    keepUntil(place);
    runs.put(1, visit, visit + 1, addedStarts);
  }
  keepUntil(codes.length);
  return runs.all();
}

function totalsOf(base: Part, taken: Uint8Array, added: Part): Totals {
  const totals = noTotals();
  addTotals(totals, base.totals);
  addTotals(totals, added.totals);
  const [codes, addedCodes] = [base.codes(), added.codes()];
  let place = 0;
  for (let visit = 0; visit < addedCodes.length; visit++) {
    if (addedCodes[visit] === addedCodes[visit - 1]) continue;
    place = firstVisitOf(codes, addedCodes[visit] as number, place);
    if (codes[place] === addedCodes[visit]) totals.visitors--;
  }
  let visit = taken.indexOf(1);
  if (visit < 0) return totals;
  const hits = base.column('hits').codes;
  const [events, seconds] = [base.column('events'), base.column('seconds')];
  for (; visit >= 0; visit = taken.indexOf(1, visit + 1)) {
    const eventCount = events.terms[events.codes[visit] as number] as number;
    const hitCount = hits[visit] as number;
    totals.visits--;
    totals.pageviews -= hitCount - eventCount;
    totals.events -= eventCount;
    totals.seconds -= seconds.terms[seconds.codes[visit] as number] as number;
    if (hitCount === 1 && eventCount === 0) totals.bounces--;
  }
  return totals;
}

const wider = (a: Numbers, b: Numbers): Numbers => (a.BYTES_PER_ELEMENT >= b.BYTES_PER_ELEMENT ? a : b);

/** An empty list of the same width. */
const listLike = (like: Numbers, length: number): Numbers =>
  new (like.constructor as new (length: number) => Numbers)(length);

/** An empty list of the width that the codes of a dictionary need. */
const codesFor = ({ length }: Numbers): Numbers =>
  length <= 256 ? new Uint8Array(0) : length <= 65_536 ? new Uint16Array(0) : new Uint32Array(0);

/**
 * Buffers for the columns of one part at a time, to save a hundred megabytes of garbage for each question. The next part that is put
 * together with the same scratch overwrites them, so whoever reads several parts at once must copy.
 */
export type Scratch = ReturnType<typeof scratchOf>;

export function scratchOf() {
  const buffers = new Map<PartColumn, ArrayBuffer>();
  let owner: Runs | undefined;
  let columns = new Map<PartColumn, Column>();
  return {
    /** A column of the part with the runs, which is put together once as long as no other part is. */
    once(runs: Runs, name: PartColumn, put: () => Column): Column {
      if (owner !== runs) {
        owner = runs;
        columns = new Map();
      }
      const column = columns.get(name) ?? put();
      columns.set(name, column);
      return column;
    },
    list(name: PartColumn, like: Numbers, length: number): Numbers {
      const bytes = length * like.BYTES_PER_ELEMENT;
      let buffer = buffers.get(name);
      if (!buffer || buffer.byteLength < bytes) {
        buffer = new ArrayBuffer(2 ** Math.ceil(Math.log2(Math.max(bytes, 1024))));
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

/** The codes of one dictionary in another that has all its terms. */
function codesIn(terms: Numbers, all: Numbers): Uint32Array {
  let code = 0;
  return Uint32Array.from(terms, (term) => {
    while (all[code] !== term) code++;
    return code;
  });
}

/** The terms of both, ascending. */
function union(a: Numbers, b: Numbers): Numbers {
  const more = b.filter((term) => codeOf(a, term) < 0);
  return more.length === 0 ? a : Uint32Array.from([...a, ...more]).sort();
}

/** Copying a few numbers by themselves takes less time than telling where they are. */
const FEW = 24;

/** Puts runs of two lists together; a map gives the number for each that is found. */
function copyRuns(
  to: Numbers,
  runs: Runs,
  [from, end]: readonly [number, number],
  [base, added]: readonly [Numbers, Numbers],
  [baseMap, addedMap]: readonly [Uint32Array | undefined, Uint32Array | undefined],
): void {
  let at = 0;
  for (let run = 0; run < runs.length; run += SIZE) {
    const isAdded = runs[run + IS_ADDED] === 1;
    const [own, map] = [isAdded ? added : base, isAdded ? addedMap : baseMap];
    const [first, last] = [runs[run + from] as number, runs[run + end] as number];
    const shift = at - first;
    if (map) for (let i = first; i < last; i++) to[i + shift] = map[own[i] as number] as number;
    else if (last - first > FEW) to.set(own.subarray(first, last), at);
    else for (let i = first; i < last; i++) to[i + shift] = own[i] as number;
    at += last - first;
  }
}

/** How many rows the runs have. */
function rowsIn(runs: Runs, from: number, end: number): number {
  let rows = 0;
  for (let run = 0; run < runs.length; run += SIZE) rows += (runs[run + end] as number) - (runs[run + from] as number);
  return rows;
}

function splicedColumn(
  name: PartColumn,
  runs: Runs,
  base: Column,
  added: Column,
  scratch: Scratch | undefined,
): Column {
  const [from, end] = isOfHits(name) ? [FIRST_HIT, END_HIT] : [FROM, TO];
  const terms = union(base.terms, added.terms);
  const isPlain = !hasDictionary(name);
  const like = isPlain ? wider(base.codes, added.codes) : codesFor(terms);
  const rows = rowsIn(runs, from, end);
  const codes = scratch ? scratch.list(name, like, rows) : listLike(like, rows);
  const baseMap = isPlain || terms === base.terms ? undefined : codesIn(base.terms, terms);
  const addedMap = isPlain ? undefined : codesIn(added.terms, terms);
  copyRuns(codes, runs, [from, end], [base.codes, added.codes], [baseMap, addedMap]);
  return { terms, codes };
}

function splicedCodes(runs: Runs, base: Float64Array, added: Float64Array): Float64Array {
  const codes = new Float64Array(rowsIn(runs, FROM, TO));
  let at = 0;
  for (let run = 0; run < runs.length; run += SIZE) {
    const own = runs[run + IS_ADDED] === 1 ? added : base;
    const [from, to] = [runs[run + FROM] as number, runs[run + TO] as number];
    codes.set(own.subarray(from, to), at);
    at += to - from;
  }
  return codes;
}

/** Whether the visit before is by the same visitor changes only where one run ends and another begins. */
function joined({ terms, codes }: Column, runs: Runs, base: Float64Array, added: Float64Array): Column {
  let at = 0;
  let last = -1;
  for (let run = 0; run < runs.length; run += SIZE) {
    const own = runs[run + IS_ADDED] === 1 ? added : base;
    const [from, to] = [runs[run + FROM] as number, runs[run + TO] as number];
    codes[at] = own[from] === last ? 1 : 0;
    last = own[to - 1] as number;
    at += to - from;
  }
  return { terms, codes };
}

/** A part without some of its visits, and with those of another. Columns are put together when they are asked for. */
export function spliced(base: Part, taken: Uint8Array, added: Part, scratch?: Scratch): Part {
  const runs = runsOf(base, taken, added);
  const put = (name: PartColumn): Column => {
    const column = splicedColumn(name, runs, base.column(name), added.column(name), scratch);
    return name === 'again' ? joined(column, runs, base.codes(), added.codes()) : column;
  };
  let codes: Float64Array | undefined;
  return {
    day: base.day,
    totals: totalsOf(base, taken, added),
    column: (name) => (scratch ? scratch.once(runs, name, () => put(name)) : put(name)),
    codes() {
      codes ??= splicedCodes(runs, base.codes(), added.codes());
      return codes;
    },
    idle: added.idle,
  };
}
