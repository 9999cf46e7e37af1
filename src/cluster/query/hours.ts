import { DAY, HOUR } from '../../lib/time.ts';
import { findZone, type Zone } from '../../lib/zone.ts';
import type { HourLists } from '../../stats/measured.ts';
import type { Of, Range } from '../../stats/question.ts';
import { type Count, hitsOf, type Reach, type Selection, WHO } from './aggregate.ts';

/** From when on the clocks of a zone are ahead by how much. */
type Span = { from: number; offset: number };

/** The days of a site begin and end at most so far from those of UTC. */
const FURTHEST = 2 * DAY;

function spansOf(zone: Zone, { from, to }: Range): Span[] {
  const spans: Span[] = [];
  for (const at of zone.hoursBetween(from * DAY - FURTHEST, to * DAY + FURTHEST)) {
    const offset = zone.offsetAt(at);
    if (spans.at(-1)?.offset !== offset) spans.push({ from: at, offset });
  }
  return spans;
}

/** The value of the span in which the instant `at` is. */
const ofSpan = (spans: readonly Span[], numberOf: (span: Span) => number): string => {
  const [first, ...later] = spans;
  const cases = later.toReversed().map((span) => `at >= ${span.from}, ${numberOf(span)}`);
  const value = first ? numberOf(first) : 0;
  return cases.length === 0 ? `${value}` : `multiIf(${cases.join(', ')}, ${value})`;
};

/** The number of the hour of the instant `at`, as the report has it: what clocks show, or when it began. */
function hourOf({ report, timeZone, range }: Of<'hours' | 'hourly'>): string {
  const spans = spansOf(findZone(timeZone), range);
  const local = `(at + ${ofSpan(spans, ({ offset }) => offset)})`;
  if (report === 'hours') return `intDiv(${local} - positiveModulo(${local}, ${HOUR}), ${HOUR})`;
  return `greatest(at - positiveModulo(${local}, ${HOUR}), ${ofSpan(spans, ({ from }) => from)})`;
}

type CountedHour = { day: number; hour: number; visitors: number; arrivals: number; pageviews: number };

/** One row a visitor and hour, with whether it is the hour in which the visitor came. */
export async function hours(
  count: Count,
  { where, counted }: Selection,
  question: Of<'hours' | 'hourly'>,
  reach: Pick<Reach, 'ranges'>,
): Promise<{ hours: HourLists[] }> {
  const byHour = (visits: string) => `
    SELECT ${WHO}, ${hourOf(question)} AS hour, min(second) AS earliest, max(second) AS latest, countIf(e = '') AS views
    FROM (SELECT *, toInt64(day) * ${DAY} + second AS at FROM (${hitsOf(visits, counted, ['second'])})) GROUP BY ${WHO}, hour`;
  const [found, ends] = await Promise.all([
    count<CountedHour>(
      { ...reach, where },
      {
        keys: { day: 'day', hour: 'hour' },
        sums: { visitors: 'count()', arrivals: 'countIf(earliest = first)', pageviews: 'sum(views)' },
        from: (visits) => `SELECT *, min(earliest) OVER (PARTITION BY ${WHO}) AS first FROM (${byHour(visits)})`,
      },
    ),
    question.report === 'hours' ? lastSeconds(count, { where, counted }, reach) : new Map<number, number>(),
  ]);
  found.sort((one, other) => one.day - other.day || one.hour - other.hour);
  const days = Map.groupBy(found, ({ day }) => day);
  return {
    hours: [...days].map(([day, all]) => ({
      day,
      last: ends.get(day) ?? 0,
      hour: all.map(({ hour }) => hour),
      visitors: all.map(({ visitors }) => visitors),
      arrivals: all.map(({ arrivals }) => arrivals),
      pageviews: all.map(({ pageviews }) => pageviews),
    })),
  };
}

/** The latest second of the hits of each day: a row for each that a shard has, because sums are what is added up. */
async function lastSeconds(
  count: Count,
  { where, counted }: Pick<Selection, 'where' | 'counted'>,
  reach: Pick<Reach, 'ranges'>,
): Promise<Map<number, number>> {
  const rows = await count<{ day: number; last: number }>(
    { ...reach, where },
    {
      keys: { day: 'day', last: 'last' },
      sums: { n: 'count()' },
      from: (visits) => `SELECT day, max(second) AS last FROM (${hitsOf(visits, counted, ['second'])}) GROUP BY day`,
    },
  );
  const latest = new Map<number, number>();
  for (const { day, last } of rows) latest.set(day, Math.max(last, latest.get(day) ?? last));
  return latest;
}
