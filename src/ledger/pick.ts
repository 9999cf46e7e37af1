import { noTotals } from '../stats/measured.ts';
import { columnOf, isOfHits, type PartColumn } from './columns.ts';
import { startsOf } from './day.ts';
import { sortByKey } from './fold.ts';
import { lazily, type Part, type PartDay } from './part.ts';

/** Visits of all parts, by the part in which they are and their place in it. */
export type Chosen = { part: Uint16Array; visit: Uint32Array };

/** The chosen visits as a day of their own, without its totals. Only one column of one part is in memory at a time. */
export function pick(day: number, parts: readonly Part[], { part, visit }: Chosen): PartDay {
  /** The places of the visits of each part. */
  const places = sortByKey(Uint32Array.from(visit.keys()), part, parts.length);
  const firstHit = new Uint32Array(visit.length);
  const hits = new Uint32Array(visit.length);

  function eachPart(work: (part: Part, places: Uint32Array) => void): void {
    for (let from = 0; from < places.length; ) {
      const own = part[places[from] as number] as number;
      let to = from;
      while (to < places.length && part[places[to] as number] === own) to++;
      work(parts[own] as Part, places.subarray(from, to));
      from = to;
    }
  }
  eachPart((own, some) => {
    const starts = startsOf(own);
    for (const place of some) {
      firstHit[place] = starts[visit[place] as number] as number;
      hits[place] = (starts[(visit[place] as number) + 1] as number) - (firstHit[place] as number);
    }
  });
  const starts = new Uint32Array(visit.length + 1);
  for (let i = 0; i < visit.length; i++) starts[i + 1] = (starts[i] as number) + (hits[i] as number);

  function valuesOf(name: PartColumn): Uint32Array {
    const ofHits = isOfHits(name);
    const values = new Uint32Array(ofHits ? (starts[visit.length] as number) : visit.length);
    eachPart((own, some) => {
      const { terms, codes } = own.column(name);
      const put = (to: number, from: number): void => {
        const code = codes[from] as number;
        values[to] = terms.length === 0 ? code : (terms[code] as number);
      };
      for (const place of some) {
        if (!ofHits) put(place, visit[place] as number);
        else {
          for (let i = 0; i < (hits[place] as number); i++)
            put((starts[place] as number) + i, (firstHit[place] as number) + i);
        }
      }
    });
    return values;
  }
  return {
    day,
    totals: { ...noTotals(), visits: visit.length },
    column: lazily((name) => columnOf(name, valuesOf(name))),
  };
}
