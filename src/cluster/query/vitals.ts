// Counts the web vitals of a site in SQL. A row of the report stands for a page, for example. A bucket is a small range
// of values of a vital. For each row, the SQL counts how many measurements have a value in each bucket.
//
// Invariant: the counts equal the counts of the engine on SQLite. A measurement belongs to one row of the report. In
// that row, it counts once for each vital that it has a value of. It also counts once in `ALL` (all measurements).
//
// Example: a pageview of /a has an LCP in bucket 120 and a CLS in bucket 1. The row of /a gets one more in three
// counts: this bucket of LCP, this bucket of CLS, and `ALL`. measure.ts calls `countVitals`.
import { compareCodePoints } from '../../lib/code-points.ts';
import type { Of } from '../../stats/query.ts';
import { ALL, makeKey, selectBucket, VITAL_DIMENSIONS, VITALS, type VitalRow } from '../../stats/vitals.ts';
import { type CountVisits, type Scope, selectHits, type VisitSelection } from './aggregate.ts';
import { HIT_VALUES } from './filters.ts';

/**
 * SQL for the keys of one measurement. A key stands for a vital and a bucket (`makeKey`). If the measurement has no
 * value of a vital, the key of the vital is 0, and is not counted.
 */
const KEYS = VITALS.map((vital, i) => {
  const bucket = selectBucket(vital, 'vital');
  return `if(${bucket} = 0, 0, toUInt32(${makeKey(i, 0)} + ${bucket}))`;
});

export async function countVitals(
  count: CountVisits,
  { where, counted }: VisitSelection,
  { by, limit }: Of<'vitals'>,
  scope: Pick<Scope, 'ranges'>,
): Promise<VitalRow[]> {
  const value = by === 'none' ? "''" : by === 'pages' ? HIT_VALUES.page : `toString(${VITAL_DIMENSIONS[by]})`;
  const found = await count<{ value: string; key: number; n: number }>(
    { ...scope, where },
    {
      keys: { value, key: 'vital_key' },
      sums: { n: 'count()' },
      from: (
        visits,
      ) => `SELECT *, arrayJoin(arrayConcat([toUInt32(${ALL})], arrayFilter(key -> key > 0, [${KEYS.join(', ')}]))) AS vital_key
        FROM (${selectHits(visits, `vital > 0 AND e = '' AND ${counted}`, ['vital'])})`,
    },
  );
  const rows = Map.groupBy(found, (row) => row.value);
  return [...rows]
    .map(([text, own]) => ({ value: text, counts: new Map(own.map(({ key, n }) => [key, n])) }))
    .sort((one, other) => readAll(other) - readAll(one) || compareCodePoints(one.value, other.value))
    .slice(0, limit);
}

const readAll = ({ counts }: VitalRow): number => counts.get(ALL) ?? 0;
