import { byVisitors, type Row } from '../stats/measured.ts';
import type { Texts } from './terms.ts';

/** The top rows by count. Texts are looked up only for terms with enough visitors, because each lookup is a query. */
export function topRows(
  terms: ArrayLike<number>,
  counts: ArrayLike<number>,
  limit: number,
  textOf: Texts['textOf'],
): Row[] {
  const threshold = Float64Array.from(counts).sort().at(-limit) ?? 0;
  const rows: Row[] = [];
  for (let i = 0; i < terms.length; i++) {
    const visitors = counts[i] as number;
    if (visitors >= threshold) rows.push({ value: textOf(terms[i] as number), visitors });
  }
  return rows.sort(byVisitors).slice(0, limit);
}
