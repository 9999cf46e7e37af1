import { byCodePoint } from '../../lib/code-points.ts';
import { DAY } from '../../lib/time.ts';
import { findLiveStart, findMinutesStart, LIVE_MINUTES, LIVE_ROWS } from '../../stats/definitions.ts';
import { type Lately, LIVE_BREAKDOWNS, type Row } from '../../stats/measured.ts';
import type { Range } from '../../stats/question.ts';
import { type Count, hitsOf, type Selection, VISITOR } from './aggregate.ts';

/** Whether an instant that is written in days and seconds lies between two others, both included. */
const between = (from: number, to: number): string =>
  `(toInt64(day) * ${DAY} + second >= ${from} AND toInt64(day) * ${DAY} + second <= ${to})`;
export const activeIn = (from: number, to: number): string =>
  `arrayExists(s -> toInt64(day) * ${DAY} + s >= ${from} AND toInt64(day) * ${DAY} + s <= ${to}, h_second)`;

export async function liveOf(
  count: Count,
  { where, counted }: Selection,
  now: number,
  ranges: readonly Range[],
): Promise<number> {
  const isNow = between(findLiveStart(now), now);
  const [found] = await count<{ visitors: number }>(
    { ranges, where: `${where} AND ${activeIn(findLiveStart(now), now)}` },
    {
      sums: { visitors: `uniqExact(${VISITOR})` },
      from: (visits) => hitsOf(visits, `${counted} AND ${isNow}`, ['second']),
    },
  );
  return found?.visitors ?? 0;
}

const largest = (rows: readonly Row[]): Row[] =>
  rows
    .toSorted((one, other) => other.visitors - one.visitors || byCodePoint(one.value, other.value))
    .slice(0, LIVE_ROWS);

export async function latelyOf(
  count: Count,
  { where, counted }: Selection,
  now: number,
  ranges: readonly Range[],
): Promise<Lately> {
  const from = findMinutesStart(now);
  const reach = { ranges, where: `${where} AND ${activeIn(from, now)}` };
  const hits = (condition: string) => (visits: string) =>
    hitsOf(visits, `${counted} AND ${between(from, now)} AND ${condition}`, ['second']);
  const minute = `intDiv(toInt64(day) * ${DAY} + second - ${from}, 60)`;
  const VALUES = {
    pages: ["e = ''", 'p'],
    referrers: ['1', 'source'],
    countries: ['1', 'country'],
    events: ["e <> ''", 'e'],
  } as const;
  const [minutes, ...rows] = await Promise.all([
    count<{ minute: number; visitors: number; pageviews: number }>(reach, {
      keys: { minute },
      sums: { visitors: `uniqExact(${VISITOR})`, pageviews: "countIf(e = '')" },
      from: hits('1'),
    }),
    ...LIVE_BREAKDOWNS.map((name) =>
      count<Row>(reach, {
        keys: { value: `toString(${VALUES[name][1]})` },
        sums: { visitors: `uniqExact(${VISITOR})` },
        from: hits(VALUES[name][0]),
      }),
    ),
  ]);
  const byMinute = new Map(minutes.map(({ minute, ...own }) => [minute, own]));
  return {
    minutes: Array.from({ length: LIVE_MINUTES }, (_, i) => byMinute.get(i) ?? { visitors: 0, pageviews: 0 }),
    rows: Object.fromEntries(LIVE_BREAKDOWNS.map((name, i) => [name, largest(rows[i] ?? [])])) as Lately['rows'],
  };
}
