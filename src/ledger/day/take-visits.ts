import { noTotals } from '../../stats/measured.ts';
import { type Column, isHitColumn, makeColumn, type ShardColumn } from '../column/column.ts';
import { free } from '../column/packing.ts';
import { findStarts } from './day.ts';
import { sortByKey } from './sessionize.ts';
import { lazily, type Shard, type ShardDay } from './shard.ts';

/** Visits of all parts, by the part in which they are and their place in it. */
export type Chosen = { part: Uint16Array; visit: Uint32Array };

/** A column whose lists have the widest type. With several types each access below takes several times as long. */
type Wide = { terms: Uint32Array; codes: Uint32Array };

const wideOf = ({ terms, codes }: Column): Wide => ({ terms: new Uint32Array(terms), codes: new Uint32Array(codes) });

function gather(values: Uint32Array, { terms, codes }: Wide, places: Uint32Array, from: Uint32Array): void {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    const code = codes[from[place] as number] as number;
    values[place] = terms.length === 0 ? code : (terms[code] as number);
  }
}

type Hits = Record<'firstHit' | 'hits' | 'starts', Uint32Array>;

function gatherHits(values: Uint32Array, { terms, codes }: Wide, places: Uint32Array, of: Hits): void {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    const [from, to] = [of.firstHit[place] as number, of.starts[place] as number];
    for (let hit = 0; hit < (of.hits[place] as number); hit++) {
      const code = codes[from + hit] as number;
      values[to + hit] = terms.length === 0 ? code : (terms[code] as number);
    }
  }
}

/** The chosen visits as a day of their own, without its totals. Only one column of one part is in memory at a time. */
export function takeVisits(day: number, parts: readonly Shard[], { part, visit }: Chosen): ShardDay {
  /** The places of the visits of each part. */
  const places = sortByKey(
    new Uint32Array(visit.length).map((_, i) => i),
    part,
    parts.length,
  );
  const firstHit = new Uint32Array(visit.length);
  const hits = new Uint32Array(visit.length);

  function eachPart(work: (part: Shard, places: Uint32Array) => void): void {
    for (let from = 0; from < places.length; ) {
      const own = part[places[from] as number] as number;
      let to = from;
      while (to < places.length && part[places[to] as number] === own) to++;
      work(parts[own] as Shard, places.subarray(from, to));
      from = to;
    }
  }
  eachPart((own, some) => {
    const starts = findStarts(own);
    for (const place of some) {
      firstHit[place] = starts[visit[place] as number] as number;
      hits[place] = (starts[(visit[place] as number) + 1] as number) - (firstHit[place] as number);
    }
  });
  const starts = new Uint32Array(visit.length + 1);
  for (let i = 0; i < visit.length; i++) starts[i + 1] = (starts[i] as number) + (hits[i] as number);

  function valuesOf(name: ShardColumn): Uint32Array {
    const ofHits = isHitColumn(name);
    const values = new Uint32Array(ofHits ? (starts[visit.length] as number) : visit.length);
    eachPart((own, some) => {
      const wide = wideOf(own.column(name));
      if (ofHits) gatherHits(values, wide, some, { firstHit, hits, starts });
      else gather(values, wide, some, visit);
      for (const list of [wide.terms, wide.codes]) free(list);
    });
    return values;
  }
  return {
    day,
    totals: { ...noTotals(), visits: visit.length },
    column: lazily((name) => {
      const values = valuesOf(name);
      const column = makeColumn(name, values);
      free(values);
      return column;
    }),
  };
}
