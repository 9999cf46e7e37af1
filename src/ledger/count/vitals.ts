// Counts the web vitals of selected visits by bucket, for each row of a report. A bucket is a small range of values
// (src/stats/vitals.ts).
//
// Invariant: a pageview with measurements counts in one row of the report. It counts once for each measured web vital,
// and once under `ALL`, which stands for all pageviews with a measurement.
//
// Example: a pageview of /a has two measured web vitals: LCP in bucket 120, and CLS in bucket 1. Three counts of the
// row of /a grow by one: LCP 120, CLS 1, and `ALL`. query/scan.ts calls `countVitals` for each day. The counts of
// several days are added up by term.
import { ALL, KEYS, makeKey, VITAL_DIMENSIONS, VITALS, type VitalsBy } from '../../stats/vitals.ts';
import type { Column } from '../column/packing.ts';
import { type Day, findStarts, type Selection } from '../day/day.ts';
import { type HitTest, makeMatches, PAGEVIEW } from './hit-filter.ts';
import { isPossible } from './match.ts';

type VitalScope = { narrowing: HitTest; by: VitalsBy };

const ONE_ROW: Column = { terms: Uint8Array.of(0), codes: new Uint8Array(0) };

/** Adds the measurements of a day to `sums`. Only pageviews that pass the filters on hits, such as by page, count. */
export function countVitals(
  sums: Map<number, number>,
  day: Day,
  selection: Selection,
  { narrowing, by }: VitalScope,
): void {
  const columns = VITALS.map((vital) => day.column(vital));
  if (columns.every(({ terms }) => (terms[terms.length - 1] ?? 0) === 0)) return;
  const matches = makeMatches(day, { where: narrowing.where, event: PAGEVIEW });
  if (!isPossible(matches)) return;
  const [first, second] = matches;
  const rows = by === 'none' ? ONE_ROW : day.column(VITAL_DIMENSIONS[by]);
  const isOfHits = by === 'pages';
  // A key stands for a row of the report, a web vital and a bucket. For the row, a key has the code of its value, not
  // the term, because codes are small. A map with small keys is several times faster than a map with large keys.
  const counts = new Map<number, number>();
  const count = (key: number): void => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  const starts = findStarts(day);
  for (let i = 0; i < selection.count; i++) {
    const visit = selection.visits[i] as number;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (first && first.codes[hit] !== first.code) continue;
      if (second && second.codes[hit] !== second.code) continue;
      const row = (rows.codes[isOfHits ? hit : visit] ?? 0) * KEYS;
      let isMeasured = false;
      for (let vital = 0; vital < columns.length; vital++) {
        const { terms, codes } = columns[vital] as Column;
        const bucket = terms[codes[hit] as number] as number;
        if (bucket === 0) continue;
        isMeasured = true;
        count(row + makeKey(vital, bucket));
      }
      if (isMeasured) count(row + ALL);
    }
  }
  for (const [key, more] of counts) {
    const own = (rows.terms[Math.floor(key / KEYS)] as number) * KEYS + (key % KEYS);
    sums.set(own, (sums.get(own) ?? 0) + more);
  }
}
