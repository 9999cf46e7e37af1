import { type Numbers, narrow, pack, unpack } from './bytes.ts';
import type { Day } from './day.ts';
import { type Count, count, DIMENSIONS, type Dimension } from './dimensions.ts';
import { everyVisit } from './tally.ts';

export const ROLLUPS = Object.keys(DIMENSIONS) as Dimension[];

const NONE = new Uint8Array(0);

/** A count as it is kept; of labels, with the event of each, by which they are sorted first. */
export type Rollup = Count & { events: ArrayLike<number> };

/** Every count of a day that needs no filter, so that a range without one is a sum of these. */
export function rollupOf(day: Day, dimension: Dimension): Rollup {
  const all = everyVisit(day);
  if (dimension !== 'event_labels') return { ...count(day, dimension, all), events: NONE };
  const named = [...day.column('event').terms].filter((event) => event !== 0);
  const counts = named.map((event) => count(day, dimension, all, { event }));
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
  const found: Record<keyof Rollup, Numbers> = { terms: NONE, visitors: NONE, hits: NONE, events: NONE };
  listsOf(dimension).forEach((list, i) => {
    found[list] = lists[i] ?? NONE;
  });
  return found;
}
