import { type Coded, coded } from '../lang/coded.ts';
import { DAY, iso } from '../lib/time.ts';
import { findZone } from '../lib/zone.ts';
import { type Calendar, makeCalendar } from '../stats/calendar.ts';
import type { Compared, Range } from '../stats/question.ts';
import { daySpans } from '../stats/reports.ts';
import { listZoneChanges } from '../store/sites/zones.ts';
import type { SiteCall } from './route.ts';

type DaysCall = Pick<SiteCall, 'api' | 'db' | 'site'>;

/** When ranges of a site begin and end, and what is to be said about their days. */
export type Days = {
  /** The first instant of a range, and the first after it. */
  findInstants(range: Compared): Range;
  /** The first and the last second, as answers have them. */
  formatSpan(range: Compared): { from: string; to: string };
  /** Names the days that were counted in another zone than the site has now; none is a day on which nothing was counted. */
  listNotices(range: Range): Promise<Coded[]>;
};

function makeSpans({ startOf, endOf }: Pick<Calendar, 'startOf' | 'endOf'>) {
  const findInstants = ({ from, to, until = Number.POSITIVE_INFINITY }: Compared): Range => ({
    from: startOf(from),
    // Nothing counts of a day that another zone has begun later.
    to: Math.max(startOf(to - 1), Math.min(endOf(to - 1), (to - 1) * DAY + until)),
  });
  return {
    findInstants,
    formatSpan(range: Compared) {
      const { from, to } = findInstants(range);
      return { from: iso(from), to: iso(to - 1) };
    },
  };
}

async function listZoneNotices({ zoneOf }: Calendar, { api, site }: DaysCall, { from, to }: Range): Promise<Coded[]> {
  const days = Array.from({ length: to - from }, (_, i) => from + i).filter((day) => zoneOf(day) !== site.timeZone);
  const visited = days.length === 0 ? [] : await api.queries.listVisitedDays(site.id, { from, to });
  const counted = days.filter((day) => visited.includes(day));
  return [...Map.groupBy(counted, zoneOf)].map(([zone, own]) =>
    coded('other_time_zone', { zone, own: site.timeZone, days: daySpans(own) }),
  );
}

/** The days of a site that has always had one zone. */
export function makeDays(timeZone: string): Days {
  const { findStart } = findZone(timeZone);
  const endOf = (day: number) => findStart(day + 1);
  return { ...makeSpans({ startOf: findStart, endOf }), listNotices: async () => [] };
}

/** The days of a site as they were counted. Most sites have had one zone, and their days are those of that. */
export async function findDays(asking: DaysCall): Promise<Days> {
  const { api, db, site } = asking;
  const changes = listZoneChanges(db, site.id);
  if (changes.length === 0) return makeDays(site.timeZone);
  const imported = await api.imports.listDays(site.id);
  const calendar = makeCalendar(site.timeZone, changes, new Map(imported.map(({ day, timeZone }) => [day, timeZone])));
  return { ...makeSpans(calendar), listNotices: (range) => listZoneNotices(calendar, asking, range) };
}
