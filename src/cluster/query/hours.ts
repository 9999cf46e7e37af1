// Counts visitors and pageviews by hour, in the time zone of the site. The report `hours` names hours by the local
// time, such as 14:00. The report `hourly` gives the instants at which the hours began.
//
// Invariant: an hour begins when a clock in the time zone shows a full hour, also in zones such as UTC+5:30. When the
// clock is changed, a new hour begins too.
//
// Example: a report is about one day in Berlin. On this day, the clocks change from UTC+1 to UTC+2 at 01:00 UTC. So the
// day has two periods with different offsets. SQL chooses the offset by the time of each hit. measure.ts calls
// `countHours`.
import { DAY, HOUR } from '../../lib/time.ts';
import { findZone, type Zone } from '../../lib/zone.ts';
import type { HourLists } from '../../stats/aggregates.ts';
import type { Of, Range } from '../../stats/query.ts';
import { type CountVisits, type Scope, selectHits, type VisitSelection, WHO } from './aggregate.ts';

/**
 * A period in which the clocks of a zone are `offset` seconds ahead of UTC. The period begins at the instant `from`.
 */
type OffsetSpan = { from: number; offset: number };

/**
 * In any time zone, a date begins less than two days before or after it begins in UTC. A date also ends less than two
 * days before or after it ends in UTC.
 */
const FURTHEST = 2 * DAY;

/**
 * Counts visitors, arrivals and pageviews by day and hour. A visitor with hits at 10:10 and 11:20 counts in both hours,
 * but arrives only in the hour from 10:00.
 */
export async function countHours(
  count: CountVisits,
  { where, counted }: VisitSelection,
  query: Of<'hours' | 'hourly'>,
  scope: Pick<Scope, 'ranges'>,
): Promise<{ hours: HourLists[] }> {
  const byHour = (visits: string) => `
    SELECT ${WHO}, ${writeHour(query)} AS hour, min(second) AS earliest, max(second) AS latest, countIf(e = '') AS views
    FROM (${addInstant(selectHits(visits, counted, ['second']))}) GROUP BY ${WHO}, hour`;
  const [found, ends] = await Promise.all([
    count<CountedHour>(
      { ...scope, where },
      {
        keys: { day: 'day', hour: 'hour' },
        sums: { visitors: 'count()', arrivals: 'countIf(earliest = first)', pageviews: 'sum(views)' },
        from: (visits) => `SELECT *, min(earliest) OVER (PARTITION BY ${WHO}) AS first FROM (${byHour(visits)})`,
      },
    ),
    query.report === 'hours' ? findLastSeconds(count, { where, counted }, scope) : new Map<number, number>(),
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

/**
 * Adds a column to SQL that selects hits: `at`, the time of the hit in seconds since 1970. `writeHour` needs this
 * column.
 */
export const addInstant = (hits: string): string => `SELECT *, toInt64(day) * ${DAY} + second AS at FROM (${hits})`;

function listOffsets(zone: Zone, { from, to }: Range): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  for (const at of zone.hoursBetween(from * DAY - FURTHEST, to * DAY + FURTHEST)) {
    const offset = zone.offsetAt(at);
    if (spans.at(-1)?.offset !== offset) spans.push({ from: at, offset });
  }
  return spans;
}

/**
 * Makes SQL that finds the period to which the instant `at` belongs, and gives the result of `choose` for this period.
 */
const chooseBySpan = (spans: readonly OffsetSpan[], choose: (span: OffsetSpan) => number): string => {
  const [first, ...later] = spans;
  const cases = later.toReversed().map((span) => `at >= ${span.from}, ${choose(span)}`);
  const value = first ? choose(first) : 0;
  return cases.length === 0 ? `${value}` : `multiIf(${cases.join(', ')}, ${value})`;
};

/**
 * Makes SQL for the hour of the instant `at` in the site's time zone. The report `hours` needs the local hour. The
 * report `hourly` needs the instant at which that hour began.
 */
export function writeHour({
  report,
  timeZone,
  range,
}: Pick<Of<'hours' | 'hourly'>, 'report' | 'timeZone' | 'range'>): string {
  const spans = listOffsets(findZone(timeZone), range);
  const local = `(at + ${chooseBySpan(spans, ({ offset }) => offset)})`;
  if (report === 'hours') return `intDiv(${local} - positiveModulo(${local}, ${HOUR}), ${HOUR})`;
  return `greatest(at - positiveModulo(${local}, ${HOUR}), ${chooseBySpan(spans, ({ from }) => from)})`;
}

type CountedHour = { day: number; hour: number; visitors: number; arrivals: number; pageviews: number };

/**
 * Finds the time of the last hit of each day, in seconds. Each shard gives its own last hit. The latest one is chosen
 * here, because such times cannot be added up like sums.
 */
async function findLastSeconds(
  count: CountVisits,
  { where, counted }: Pick<VisitSelection, 'where' | 'counted'>,
  scope: Pick<Scope, 'ranges'>,
): Promise<Map<number, number>> {
  const rows = await count<{ day: number; last: number }>(
    { ...scope, where },
    {
      keys: { day: 'day', last: 'last' },
      sums: { n: 'count()' },
      from: (visits) =>
        `SELECT day, max(second) AS last FROM (${selectHits(visits, counted, ['second'])}) GROUP BY day`,
    },
  );
  const latest = new Map<number, number>();
  for (const { day, last } of rows) latest.set(day, Math.max(last, latest.get(day) ?? last));
  return latest;
}
