// Takes some visits of a day, or of several shards, as a day of their own. Columns are made when they are first read.
// Invariant: the new day has each taken visit once, with the hits that belong to it, in the order that was asked for.
//
// Example: a day has visits 0 to 4, and an exclusion takes 1 and 3. `takeVisits(day, [0, 2, 4])` is the day without them. If 0, 1 and 2
// are by one visitor, visit 2 keeps its `again` bit of 1, because visit 0 is still before it.
//
// `takeVisits` keeps the dictionaries: count/exclude.ts, as-of.ts and open/split-shard.ts call it.
// `gatherVisits` makes new dictionaries: sealing and open/recent-visits.ts call it.
import { once } from '../../lib/once.ts';
import { noTotals } from '../../stats/aggregates.ts';
import { type Column, isHitColumn, makeColumn, type ShardColumn, takeCodes } from '../column/column.ts';
import { free, type Numbers } from '../column/packing.ts';
import { findStarts } from './day.ts';
import { sortByKey } from './sessionize.ts';
import { readOnce, type Shard, type ShardDay } from './shard.ts';

/** Columns that are made in another way than by taking rows. */
type OwnColumns = Partial<Record<ShardColumn, () => Column>>;

/**
 * Some visits of a day, which ascend. Of the totals only the number of visits is known. A dictionary may have values that no row has any
 * more. `findHits` gives the taken hits: by default all hits of the visits.
 */
export function takeVisits(
  whole: ShardDay,
  visits: Uint32Array,
  findHits = once(() => listHits(whole, visits)),
  own: OwnColumns = {},
): ShardDay {
  const takeHits = ({ terms, codes }: Column): Column => ({ terms, codes: takeCodes(codes, findHits()) });
  function take(name: ShardColumn): Column {
    const column = whole.column(name);
    if (name === 'again') return { ...column, codes: takeAgain(column.codes, visits) };
    return isHitColumn(name) ? takeHits(column) : { ...column, codes: takeCodes(column.codes, visits) };
  }
  const { quarters } = whole;
  return {
    day: whole.day,
    totals: { ...noTotals(), visits: visits.length },
    column: readOnce((name) => own[name]?.() ?? take(name)),
    ...(quarters && { quarters: () => takeHits(quarters()) }),
  };
}

/** Lists the hits of some visits. A caller may still use the shared buffer of `findStarts`, so this goes without it. */
function listHits(day: ShardDay, visits: Uint32Array): Uint32Array {
  const { codes: counts } = day.column('hits');
  let sum = 0;
  for (let i = 0; i < visits.length; i++) sum += counts[visits[i] as number] as number;
  const hits = new Uint32Array(sum);
  for (let i = 0, place = 0, visit = 0, hit = 0; i < visits.length; i++) {
    for (const taken = visits[i] as number; visit < taken; visit++) hit += counts[visit] as number;
    for (const end = hit + (counts[visit++] as number); hit < end; hit++) hits[place++] = hit;
  }
  return hits;
}

/** Marks each taken visit that follows another taken visit by its visitor. */
function takeAgain(again: Numbers, visits: Uint32Array): Uint8Array {
  const taken = new Uint8Array(visits.length);
  for (let i = 0, visit = 0, isAgain = 0; i < visits.length; i++) {
    for (; visit <= (visits[i] as number); visit++) if (again[visit] === 0) isAgain = 0;
    taken[i] = isAgain;
    isAgain = 1;
  }
  return taken;
}

/** Visits of several shards, by the number of their shard and their place in it. */
export type Chosen = { shard: Uint16Array; visit: Uint32Array };

/** Some visits of several shards, in any order. Of the totals only the number of visits is known. Reads one column of one shard at a time. */
export function gatherVisits(day: number, shards: readonly Shard[], { shard, visit }: Chosen): ShardDay {
  /** Places among the chosen visits, sorted by shard. */
  const places = sortByKey(
    new Uint32Array(visit.length).map((_, i) => i),
    shard,
    shards.length,
  );
  const firstHit = new Uint32Array(visit.length);
  const hits = new Uint32Array(visit.length);

  function forEachShard(work: (shard: Shard, places: Uint32Array) => void): void {
    for (let from = 0; from < places.length; ) {
      const own = shard[places[from] as number] as number;
      let to = from;
      while (to < places.length && shard[places[to] as number] === own) to++;
      work(shards[own] as Shard, places.subarray(from, to));
      from = to;
    }
  }
  forEachShard((own, some) => {
    const starts = findStarts(own);
    for (const place of some) {
      firstHit[place] = starts[visit[place] as number] as number;
      hits[place] = (starts[(visit[place] as number) + 1] as number) - (firstHit[place] as number);
    }
  });
  const starts = new Uint32Array(visit.length + 1);
  for (let i = 0; i < visit.length; i++) starts[i + 1] = (starts[i] as number) + (hits[i] as number);

  function gatherValues(name: ShardColumn): Uint32Array {
    const ofHits = isHitColumn(name);
    const values = new Uint32Array(ofHits ? (starts[visit.length] as number) : visit.length);
    forEachShard((own, some) => {
      const wide = widen(own.column(name));
      if (ofHits) gatherHits(values, wide, some, { firstHit, hits, starts });
      else gather(values, wide, some, visit);
      for (const list of [wide.terms, wide.codes]) free(list);
    });
    return values;
  }
  return {
    day,
    totals: { ...noTotals(), visits: visit.length },
    column: readOnce((name) => {
      const values = gatherValues(name);
      const column = makeColumn(name, values);
      free(values);
      return column;
    }),
  };
}

/** A column with lists of the widest type. Loops over lists of several types take several times as long. */
type Wide = { terms: Uint32Array; codes: Uint32Array };

const widen = ({ terms, codes }: Column): Wide => ({ terms: new Uint32Array(terms), codes: new Uint32Array(codes) });

function gather(values: Uint32Array, { terms, codes }: Wide, places: Uint32Array, from: Uint32Array): void {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    const code = codes[from[place] as number] as number;
    values[place] = terms.length === 0 ? code : (terms[code] as number);
  }
}

/** By place among the chosen visits: the first hit in the shard, how many hits, and the first hit in the new day. */
type HitRanges = Record<'firstHit' | 'hits' | 'starts', Uint32Array>;

function gatherHits(values: Uint32Array, { terms, codes }: Wide, places: Uint32Array, of: HitRanges): void {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    const [from, to] = [of.firstHit[place] as number, of.starts[place] as number];
    for (let hit = 0; hit < (of.hits[place] as number); hit++) {
      const code = codes[from + hit] as number;
      values[to + hit] = terms.length === 0 ? code : (terms[code] as number);
    }
  }
}
