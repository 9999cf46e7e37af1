import type { Numbers } from './bytes.ts';
import type { Column } from './columns.ts';
import { type Day, startsOf } from './day.ts';

/** Visits of a day that are meant: their places, ascending, in the first `count` of the list. */
export type Selection = { visits: Uint32Array; count: number };

export function everyVisit({ totals: { visits } }: Day): Selection {
  const all = new Uint32Array(visits);
  for (let i = 0; i < visits; i++) all[i] = i;
  return { visits: all, count: visits };
}

/** By the code of a column: different visitors, and hits. */
export type Tally = { column: Column; visitors: Uint32Array; hits: Uint32Array };

const NOBODY = 0xffff_ffff;

/**
 * Because visits stand in the order of their visitors, whether a visitor is new to a code is one comparison with the last one
 * that was counted there.
 */
export function tallyVisits(day: Day, column: Column, { visits, count }: Selection): Tally {
  const { terms, codes } = column;
  const visitor = day.column('visitor').codes;
  const visitors = new Uint32Array(terms.length);
  const latest = new Uint32Array(terms.length).fill(NOBODY);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const code = codes[visit] as number;
    const who = visitor[visit] as number;
    if (latest[code] !== who) {
      latest[code] = who;
      visitors[code] = (visitors[code] as number) + 1;
    }
  }
  return { column, visitors, hits: new Uint32Array(0) };
}

/** A condition on hits: their code in a column is this one. */
export type Only = { codes: Numbers; code: number };

/** Counts those hits of the visits that meet all conditions. */
export function tallyHits(day: Day, column: Column, { visits, count }: Selection, conditions: readonly Only[]): Tally {
  const { terms, codes } = column;
  const visitor = day.column('visitor').codes;
  const starts = startsOf(day);
  const visitors = new Uint32Array(terms.length);
  const hits = new Uint32Array(terms.length);
  const latest = new Uint32Array(terms.length).fill(NOBODY);
  const [first, second] = conditions;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    const who = visitor[visit] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      const code = codes[hit] as number;
      hits[code] = (hits[code] as number) + 1;
      if (latest[code] !== who) {
        latest[code] = who;
        visitors[code] = (visitors[code] as number) + 1;
      }
    }
  }
  return { column, visitors, hits };
}
