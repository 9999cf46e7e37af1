// Makes a day of some visits of another day, or of several shards.
//
// Invariant: the new day has each chosen visit once, in the order that the caller gave. Each visit has all of its hits,
// unless the caller chooses the hits too (`findHits`).
//
// Example: an exclusion removes the visits 1 and 3 of five visits. `takeVisits(day, [0, 2, 4])` returns the other
// three. In the column `again`, a visit has 1 if its visitor has an earlier visit in the new day. For example, one
// visitor made the visits 0, 1 and 2. Visit 2 still has 1, because visit 0 is still there.
//
// Exclusions, comparisons and compaction call `takeVisits`. Sealing and open/recent-visits.ts call `gatherVisits`.
import { once } from '../../lib/once.ts';
import { noTotals } from '../../stats/aggregates.ts';
import { isHitColumn, makeColumn, type ShardColumn, takeCodes } from '../column/column.ts';
import { makeConstantColumn } from '../column/dictionary.ts';
import { type Column, free, type Numbers } from '../column/packing.ts';
import { findStarts } from './day.ts';
import { readOnce, type Shard, type ShardDay } from './shard.ts';
import { numberRows, sortByKey } from './sort-rows.ts';

/** Columns that the caller makes itself. All other columns are made from the columns of the whole day. */
type OwnColumns = Partial<Record<ShardColumn, () => Column>>;

/**
 * Makes a day of the given visits, which must be ascending. Of the totals, only the number of visits is set. A
 * dictionary may still have values that no visit or hit has any more. `findHits` lists the hits of the new day. By
 * default, these are all hits of the visits. A comparison until 14:00, for example, leaves out later hits.
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
  const { quarters, properties } = whole;
  return {
    day: whole.day,
    totals: { ...noTotals(), visits: visits.length },
    column: readOnce((name) => own[name]?.() ?? take(name)),
    ...(quarters && { quarters: () => takeHits(quarters()) }),
    ...(properties && {
      properties: { names: properties.names, column: (name) => takeProperty(properties.column(name), findHits) },
    }),
  };
}

/**
 * Picks the values of the found hits out of the column of a property. If no hit of the day has the property, the column
 * is empty and stays empty.
 */
const takeProperty = ({ terms, codes }: Column, findHits: () => Uint32Array): Column => ({
  terms,
  codes: codes.length === 0 ? codes : takeCodes(codes, findHits()),
});

/**
 * Lists the hits of the given visits, without `findStarts`. All calls of `findStarts` share one buffer, and the caller
 * may still be using the list in this buffer.
 */
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

/**
 * Makes the column `again` of the chosen visits. A visit gets 1 if an earlier visit of the same visitor is also chosen.
 * Each visitor therefore counts once.
 */
function takeAgain(again: Numbers, visits: Uint32Array): Uint8Array {
  const taken = new Uint8Array(visits.length);
  for (let i = 0, visit = 0, isAgain = 0; i < visits.length; i++) {
    for (; visit <= (visits[i] as number); visit++) if (again[visit] === 0) isAgain = 0;
    taken[i] = isAgain;
    isAgain = 1;
  }
  return taken;
}

/** The chosen visits. `shard` has the number of each visit's shard, and `visit` has the visit's index in that shard. */
export type Chosen = { shard: Uint16Array; visit: Uint32Array };

/**
 * Makes a day of visits from several shards. The visits stay in the order of the list `visit`, and any order is
 * allowed. Of the totals, only the number of visits is set. To save memory, only one column of one shard is read at a
 * time.
 */
export function gatherVisits(day: number, shards: readonly Shard[], { shard, visit }: Chosen): ShardDay {
  const places = sortByKey(numberRows(visit.length), shard, shards.length);
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
  /** Makes a column without reading its codes, if all visits are of one shard and have one value in the column. */
  function makeConstant(name: ShardColumn): Column | undefined {
    const terms = shards.length === 1 && visit.length > 0 ? shards[0]?.column(name).terms : undefined;
    if (terms?.length !== 1) return undefined;
    return makeConstantColumn(terms.slice(), isHitColumn(name) ? (starts[visit.length] as number) : visit.length);
  }
  return {
    day,
    totals: { ...noTotals(), visits: visit.length },
    column: readOnce((name) => {
      const constant = makeConstant(name);
      if (constant) return constant;
      const values = gatherValues(name);
      const column = makeColumn(name, values);
      free(values);
      return column;
    }),
  };
}

/**
 * A column as two lists of 32-bit numbers. A loop over lists of different number types would take several times as
 * long.
 */
type Wide = { terms: Uint32Array; codes: Uint32Array };

const widen = ({ terms, codes }: Column): Wide => ({ terms: new Uint32Array(terms), codes: new Uint32Array(codes) });

function gather(values: Uint32Array, { terms, codes }: Wide, places: Uint32Array, from: Uint32Array): void {
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    const code = codes[from[place] as number] as number;
    values[place] = terms.length === 0 ? code : (terms[code] as number);
  }
}

/**
 * Where the hits of each visit are. `firstHit` is the index of the visit's first hit in its shard. `starts` is the
 * index of this hit in the new day. `hits` is the number of the visit's hits.
 */
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
