import { byVisitors, type Row } from '../stats/measured.ts';
import type { Texts } from './terms.ts';

/** The first of the terms by their counts; only of those that may be among them the texts are looked up. */
export function topRows(
  terms: ArrayLike<number>,
  counts: ArrayLike<number>,
  limit: number,
  textOf: Texts['textOf'],
): Row[] {
  const least = Float64Array.from(counts).sort().at(-limit) ?? 0;
  const rows: Row[] = [];
  for (let i = 0; i < terms.length; i++) {
    const visitors = counts[i] as number;
    if (visitors >= least) rows.push({ value: textOf(terms[i] as number), visitors });
  }
  return rows.sort(byVisitors).slice(0, limit);
}
