import { iso } from '../lib/time.ts';
import { zoneOf } from '../lib/zone.ts';
import { type Calendar, calendarOf } from '../stats/calendar.ts';
import type { Range } from '../stats/question.ts';
import { dayRanges } from '../stats/reports.ts';
import { listZoneChanges } from '../store/zones.ts';
import type { SiteCall } from './route.ts';

type Asking = Pick<SiteCall, 'api' | 'db' | 'site'>;

/** The first and the last second of ranges of a site, and what is to be said about their days. */
export type Days = {
  spanOf(range: Range): { from: string; to: string };
  /** Names the days that were counted in another zone than the site has now; none is a day on which nothing was counted. */
  noticesOf(range: Range): Promise<string[]>;
};

const spanIn = ({ startOf, endOf }: Pick<Calendar, 'startOf' | 'endOf'>, { from, to }: Range) => ({
  from: iso(startOf(from)),
  to: iso(endOf(to - 1) - 1),
});

async function noticesIn({ zoneOf }: Calendar, { api, site }: Asking, { from, to }: Range): Promise<string[]> {
  const days = Array.from({ length: to - from }, (_, i) => from + i).filter((day) => zoneOf(day) !== site.timeZone);
  const visited = days.length === 0 ? [] : await api.engine.visitedDays(site.id, { from, to });
  const counted = days.filter((day) => visited.includes(day));
  return [...Map.groupBy(counted, zoneOf)].map(
    ([zone, own]) => `Counted as days of ${zone}, and not of ${site.timeZone}: ${dayRanges(own)}.`,
  );
}

/** The days of a site as they were counted. Most sites have had one zone, and their days are those of that. */
export async function daysOf(asking: Asking): Promise<Days> {
  const { api, db, site } = asking;
  const changes = listZoneChanges(db, site.id);
  if (changes.length === 0) {
    const { startOf } = zoneOf(site.timeZone);
    const endOf = (day: number) => startOf(day + 1);
    return { spanOf: (range) => spanIn({ startOf, endOf }, range), noticesOf: async () => [] };
  }
  const imported = await api.engine.importedDays(site.id);
  const calendar = calendarOf(site.timeZone, changes, new Map(imported.map(({ day, timeZone }) => [day, timeZone])));
  return {
    spanOf: (range) => spanIn(calendar, range),
    noticesOf: (range) => noticesIn(calendar, asking, range),
  };
}
