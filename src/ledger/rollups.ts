import type { Db } from '../store/statements.ts';
import { type Numbers, narrow, pack, sound, unpack } from './bytes.ts';
import type { Column, ColumnName } from './columns.ts';
import type { Day } from './day.ts';
import { addDay, type Count, DIMENSIONS, type Dimension } from './dimensions.ts';
import { emptySums, everyVisit, type Selection } from './tally.ts';

export const ROLLUPS = Object.keys(DIMENSIONS) as Dimension[];

const NONE = new Uint8Array(0);

/** A count as it is kept; of labels, with the event of each, by which they are sorted first. */
export type Rollup = Count & { events: ArrayLike<number> };

/** A day whose column has its codes for terms, so that what is counted by them takes no more room than the day has terms. */
function byCode(day: Day, name: ColumnName): Day {
  const { terms, codes } = day.column(name);
  const own: Column = { terms: Uint32Array.from(terms.keys()), codes };
  return { ...day, column: (other) => (other === name ? own : day.column(other)) };
}

function counted(day: Day, dimension: Dimension, all: Selection, event?: number): Count {
  const { column, keepsNone } = DIMENSIONS[dimension];
  const { terms } = day.column(column);
  const narrowing = event === undefined ? {} : { event };
  const sums = emptySums(terms.length);
  addDay(sums, byCode(day, column), dimension, all, narrowing);
  const codes: number[] = [];
  for (let code = 0; code < terms.length; code++) {
    if (sums.visitors[code] !== 0 && (keepsNone || terms[code] !== 0)) codes.push(code);
  }
  const pick = (list: ArrayLike<number>) => codes.map((code) => list[code] as number);
  return { terms: pick(terms), visitors: pick(sums.visitors), hits: pick(sums.hits) };
}

/** Every count of a day that needs no filter, so that a range without one is a sum of these. */
export function rollupOf(day: Day, dimension: Dimension): Rollup {
  const all = everyVisit(day);
  if (dimension !== 'event_labels') return { ...counted(day, dimension, all), events: NONE };
  const named = [...day.column('event').terms].filter((event) => event !== 0);
  const counts = named.map((event) => counted(day, dimension, all, event));
  const flat = (list: (one: Count) => ArrayLike<number>) => counts.flatMap((one) => Array.from(list(one)));
  return {
    events: counts.flatMap(({ terms }, i) => new Array<number>(terms.length).fill(named[i] as number)),
    terms: flat(({ terms }) => terms),
    visitors: flat(({ visitors }) => visitors),
    hits: flat(({ hits }) => hits),
  };
}

const LISTS: Partial<Record<Dimension, (keyof Rollup)[]>> = {
  pages: ['terms', 'visitors', 'hits'],
  events: ['terms', 'visitors', 'hits'],
  event_labels: ['terms', 'visitors', 'events'],
};
const listsOf = (dimension: Dimension): (keyof Rollup)[] => LISTS[dimension] ?? ['terms', 'visitors'];

export const packRollup = (dimension: Dimension, rollup: Rollup): Buffer =>
  pack(listsOf(dimension).map((list) => narrow(rollup[list])));

export function unpackRollup(dimension: Dimension, bytes: Uint8Array): Rollup {
  const lists = unpack(bytes);
  const names = listsOf(dimension);
  if (lists.length !== names.length) throw new RangeError(`${lists.length} lists in place of ${names.length}`);
  const found: Record<keyof Rollup, Numbers> = { terms: NONE, visitors: NONE, hits: NONE, events: NONE };
  names.forEach((list, i) => {
    found[list] = lists[i] as Numbers;
  });
  return found;
}

/** A rollup of a sealed day; throws where it is missing or its bytes have changed, because a wrong figure is worse than none. */
export function readRollup(db: Db, sealedDayId: number, dimension: Dimension): Rollup {
  const sql = 'SELECT data, crc FROM rollup WHERE sealed_day_id = ? AND name = ?';
  return unpackRollup(
    dimension,
    sound(db.one(sql, sealedDayId, dimension), `rollup ${dimension} of day ${sealedDayId}`),
  );
}
