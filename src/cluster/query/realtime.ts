// Counts active visitors: visitors with a hit in the last 5 minutes. The last 30 minutes are also counted by minute,
// and by the values of some breakdowns.
//
// Invariant: the first and last second of the 5 or 30 minutes count, as in the engine on SQLite.
//
// Example: a visitor with a hit at 11:55:00 is active at 12:00:00. In the last 30 minutes, this hit is counted in the
// minute 11:55. measure.ts uses this file.
import { compareCodePoints } from '../../lib/code-points.ts';
import { DAY } from '../../lib/time.ts';
import { type Lately, LIVE_BREAKDOWNS, type RowAggregates } from '../../stats/aggregates.ts';
import { findLiveStart, findMinutesStart, LIVE_MINUTES, LIVE_ROWS } from '../../stats/definitions.ts';
import type { Range } from '../../stats/query.ts';
import { type CountVisits, selectHits, VISITOR, type VisitSelection } from './aggregate.ts';

export async function countLive(
  count: CountVisits,
  { where, counted }: VisitSelection,
  now: number,
  ranges: readonly Range[],
): Promise<number> {
  const isNow = matchBetween(findLiveStart(now), now);
  const [found] = await count<{ visitors: number }>(
    { ranges, where: `${where} AND ${matchActive(findLiveStart(now), now)}` },
    {
      sums: { visitors: `uniqExact(${VISITOR})` },
      from: (visits) => selectHits(visits, `${counted} AND ${isNow}`, ['second']),
    },
  );
  return found?.visitors ?? 0;
}

export async function countLately(
  count: CountVisits,
  { where, counted }: VisitSelection,
  now: number,
  ranges: readonly Range[],
): Promise<Lately> {
  const from = findMinutesStart(now);
  const scope = { ranges, where: `${where} AND ${matchActive(from, now)}` };
  const hits = (condition: string) => (visits: string) =>
    selectHits(visits, `${counted} AND ${matchBetween(from, now)} AND ${condition}`, ['second']);
  const minute = `intDiv(toInt64(day) * ${DAY} + second - ${from}, 60)`;
  const VALUES = {
    pages: ["e = ''", 'p'],
    referrers: ['1', 'source'],
    countries: ['1', 'country'],
    events: ["e <> ''", 'e'],
  } as const;
  const [minutes, ...rows] = await Promise.all([
    count<{ minute: number; visitors: number; pageviews: number }>(scope, {
      keys: { minute },
      sums: { visitors: `uniqExact(${VISITOR})`, pageviews: "countIf(e = '')" },
      from: hits('1'),
    }),
    ...LIVE_BREAKDOWNS.map((name) =>
      count<RowAggregates>(scope, {
        keys: { value: `toString(${VALUES[name][1]})` },
        sums: { visitors: `uniqExact(${VISITOR})` },
        from: hits(VALUES[name][0]),
      }),
    ),
  ]);
  const byMinute = new Map(minutes.map(({ minute, ...own }) => [minute, own]));
  return {
    minutes: Array.from({ length: LIVE_MINUTES }, (_, i) => byMinute.get(i) ?? { visitors: 0, pageviews: 0 }),
    rows: Object.fromEntries(LIVE_BREAKDOWNS.map((name, i) => [name, takeLargest(rows[i] ?? [])])) as Lately['rows'],
  };
}

/** Makes an SQL condition for a hit between two instants, in seconds since 1970. Hits at both ends count. */
const matchBetween = (from: number, to: number): string =>
  `(toInt64(day) * ${DAY} + second >= ${from} AND toInt64(day) * ${DAY} + second <= ${to})`;

/**
 * Makes an SQL condition for a visit with a hit between two instants, in seconds since 1970. Hits at both ends count.
 */
export const matchActive = (from: number, to: number): string =>
  `arrayExists(s -> toInt64(day) * ${DAY} + s >= ${from} AND toInt64(day) * ${DAY} + s <= ${to}, h_second)`;

const takeLargest = (rows: readonly RowAggregates[]): RowAggregates[] =>
  rows
    .toSorted((one, other) => other.visitors - one.visitors || compareCodePoints(one.value, other.value))
    .slice(0, LIVE_ROWS);
