import { addTotals, noTotals, type Totals } from '../stats/measured.ts';
import type { Numbers } from './bytes.ts';
import { type Column, codeOf, hasDictionary, isOfHits, type PartColumn } from './columns.ts';
import { startsOf } from './day.ts';
import { firstVisitOf, type Part } from './part.ts';

/** A run of visits and their hits, of the base or of what is put in. */
type Run = { isAdded: boolean; from: number; to: number; firstHit: number; endHit: number };

/** The runs of visits by visitor and time, without those of the base that are taken out. */
function runsOf(base: Part, taken: Uint8Array, added: Part): Run[] {
  const runs: Run[] = [];
  const [codes, addedCodes] = [base.codes(), added.codes()];
  const second = added.column('second').codes;
  const addedStarts = startsOf(added).slice(0, addedCodes.length + 1);
  const baseStarts = startsOf(base);
  const baseSecond = codes.length > 0 ? base.column('second').codes : new Uint8Array(0);

  function put(isAdded: boolean, from: number, to: number): void {
    const starts = isAdded ? addedStarts : baseStarts;
    const last = runs.at(-1);
    if (last?.isAdded === isAdded && last.to === from) {
      last.to = to;
      last.endHit = starts[to] as number;
    } else runs.push({ isAdded, from, to, firstHit: starts[from] as number, endHit: starts[to] as number });
  }
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
        put(false, at, end);
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
    put(true, visit, visit + 1);
  }
  keepUntil(codes.length);
  return runs;
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

/** The codes of one dictionary in another that has all its terms. */
const codesIn = (terms: Numbers, all: Numbers): Uint32Array => Uint32Array.from(terms, (term) => codeOf(all, term));

/** The terms of both, ascending. */
function union(a: Numbers, b: Numbers): Numbers {
  const more = b.filter((term) => codeOf(a, term) < 0);
  return more.length === 0 ? a : Uint32Array.from([...a, ...more]).sort();
}

function splicedColumn(name: PartColumn, runs: readonly Run[], base: Column, added: Column): Column {
  const terms = union(base.terms, added.terms);
  const isPlain = !hasDictionary(name);
  const like = isPlain ? wider(base.codes, added.codes) : codesFor(terms);
  const isHits = isOfHits(name);
  const length = runs.reduce((sum, run) => sum + (isHits ? run.endHit - run.firstHit : run.to - run.from), 0);
  const codes = listLike(like, length);
  const baseMap = isPlain || terms === base.terms ? undefined : codesIn(base.terms, terms);
  const addedMap = isPlain ? undefined : codesIn(added.terms, terms);
  let at = 0;
  for (const { isAdded, from, to, firstHit, endHit } of runs) {
    const [first, end] = isHits ? [firstHit, endHit] : [from, to];
    const own = isAdded ? added.codes : base.codes;
    const map = isAdded ? addedMap : baseMap;
    if (!map && end - first > 24) codes.set(own.subarray(first, end), at);
    else if (!map) for (let i = first; i < end; i++) codes[at + i - first] = own[i] as number;
    else for (let i = first; i < end; i++) codes[at + i - first] = map[own[i] as number] as number;
    at += end - first;
  }
  return { terms, codes };
}

function splicedCodes(runs: readonly Run[], base: Float64Array, added: Float64Array): Float64Array {
  const codes = new Float64Array(runs.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { isAdded, from, to } of runs) {
    codes.set((isAdded ? added : base).subarray(from, to), at);
    at += to - from;
  }
  return codes;
}

/** Whether the visit before is by the same visitor changes only where one run ends and another begins. */
function joined({ terms, codes }: Column, runs: readonly Run[], base: Float64Array, added: Float64Array): Column {
  let at = 0;
  let last = -1;
  for (const { isAdded, from, to } of runs) {
    const own = isAdded ? added : base;
    codes[at] = own[from] === last ? 1 : 0;
    last = own[to - 1] as number;
    at += to - from;
  }
  return { terms, codes };
}

/** A part without some of its visits, and with those of another. Columns are put together when they are asked for. */
export function spliced(base: Part, taken: Uint8Array, added: Part): Part {
  const runs = runsOf(base, taken, added);
  let codes: Float64Array | undefined;
  return {
    day: base.day,
    totals: totalsOf(base, taken, added),
    column(name) {
      const column = splicedColumn(name, runs, base.column(name), added.column(name));
      return name === 'again' ? joined(column, runs, base.codes(), added.codes()) : column;
    },
    codes() {
      codes ??= splicedCodes(runs, base.codes(), added.codes());
      return codes;
    },
    idle: added.idle,
  };
}
