import { BREAKDOWNS, type Breakdown, DIMENSIONS, sinceOf } from '../stats/dimensions.ts';
import type { Db } from '../store/statements.ts';
import { addDay, type Count, keepsEmpty } from './breakdowns.ts';
import { type Numbers, narrow, pack, unpack } from './bytes.ts';
import type { Column, ColumnName } from './columns.ts';
import type { Day } from './day.ts';
import { findPiece, missing } from './pieces.ts';
import type { SealedDay } from './sealed-days.ts';
import { emptySums, everyVisit, type Selection } from './tally.ts';

const NONE = new Uint8Array(0);

/** A count as it is kept; of labels, with the event of each, by which they are sorted first. */
export type Rollup = Count & { events: ArrayLike<number> };

/** A day whose column has its codes for terms, so that what is counted by them takes no more room than the day has terms. */
function byCode(day: Day, name: ColumnName): Day {
  const { terms, codes } = day.column(name);
  const own: Column = { terms: Uint32Array.from(terms.keys()), codes };
  return { ...day, column: (other) => (other === name ? own : day.column(other)) };
}

function countOf(day: Day, breakdown: Breakdown, all: Selection, event?: number): Count {
  const name = BREAKDOWNS[breakdown];
  const { terms } = day.column(name);
  const narrowing = event === undefined ? {} : { event };
  const sums = emptySums(terms.length);
  addDay(sums, byCode(day, name), breakdown, all, narrowing);
  const codes: number[] = [];
  for (let code = 0; code < terms.length; code++) {
    if (sums.visitors[code] !== 0 && (keepsEmpty(breakdown) || terms[code] !== 0)) codes.push(code);
  }
  const pick = (list: ArrayLike<number>) => codes.map((code) => list[code] as number);
  return { terms: pick(terms), visitors: pick(sums.visitors), hits: pick(sums.hits) };
}

/** Every count of a day that needs no filter, so that a range without one is a sum of these. */
export function rollupOf(day: Day, breakdown: Breakdown): Rollup {
  const all = everyVisit(day);
  if (breakdown !== 'event_labels') return { ...countOf(day, breakdown, all), events: NONE };
  const named = [...day.column('event').terms].filter((event) => event !== 0);
  const counts = named.map((event) => countOf(day, breakdown, all, event));
  const flat = (list: (one: Count) => ArrayLike<number>) => counts.flatMap((one) => Array.from(list(one)));
  return {
    events: counts.flatMap(({ terms }, i) => new Array<number>(terms.length).fill(named[i] as number)),
    terms: flat(({ terms }) => terms),
    visitors: flat(({ visitors }) => visitors),
    hits: flat(({ hits }) => hits),
  };
}

/** Which lists of a rollup are kept: of most breakdowns no hits are counted. */
function listsOf(breakdown: Breakdown): (keyof Rollup)[] {
  if (breakdown === 'event_labels') return ['terms', 'visitors', 'events'];
  return DIMENSIONS[BREAKDOWNS[breakdown]].kind === 'hit' ? ['terms', 'visitors', 'hits'] : ['terms', 'visitors'];
}

export const packRollup = (breakdown: Breakdown, rollup: Rollup): Buffer =>
  pack(listsOf(breakdown).map((list) => narrow(rollup[list])));

export function unpackRollup(breakdown: Breakdown, bytes: Uint8Array): Rollup {
  const lists = unpack(bytes);
  const names = listsOf(breakdown);
  if (lists.length !== names.length) throw new RangeError(`${lists.length} lists in place of ${names.length}`);
  const found: Record<keyof Rollup, Numbers> = { terms: NONE, visitors: NONE, hits: NONE, events: NONE };
  names.forEach((list, i) => {
    found[list] = lists[i] as Numbers;
  });
  return found;
}

/** The breakdowns that a day was sealed with: those of its time. */
export const isKept = (breakdown: Breakdown, { format }: Pick<SealedDay, 'format'>): boolean =>
  sinceOf(BREAKDOWNS[breakdown]) <= format;

/** A day that was sealed before there was a dimension: nobody has a value of it. */
const withoutValues = (breakdown: Breakdown, { visitors }: SealedDay): Rollup =>
  keepsEmpty(breakdown) && visitors > 0
    ? { terms: [0], visitors: [visitors], hits: [0], events: NONE }
    : { terms: NONE, visitors: NONE, hits: NONE, events: NONE };

/** A rollup of a sealed day; throws where it is missing or its bytes have changed, because a wrong figure is worse than none. */
export function readRollup(db: Db, day: SealedDay, breakdown: Breakdown): Rollup {
  if (!isKept(breakdown, day)) return withoutValues(breakdown, day);
  const bytes = findPiece(db, 'rollup', day.id, breakdown);
  if (!bytes) throw missing('rollup', day.id, breakdown);
  return unpackRollup(breakdown, bytes);
}
