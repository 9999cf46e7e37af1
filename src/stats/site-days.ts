// Finds when the days of a site begin and end, in the time zone of each day.
//
// A day is stored as the number of days since 1 January 1970. The first second of a day depends on the time zone: 10
// March in Berlin begins at 23:00 UTC on 9 March. A day keeps the time zone in which it was counted. A site that
// changed its time zone therefore has days of several zones. A notice names the days that were not counted in the
// present time zone of the site.
//
// Another notice names the days that were deleted, so that they do not look like days without visitors. A deleted day
// that has visits again, for example from an import, is a day as any other.
//
// Reports call `findDays` to find at which time an answer begins and ends, and which outages it must name.

import type { Imports, Queries } from '../engine/engine.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { DAY, iso } from '../lib/time.ts';
import { findZone, type SiteZone } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { listDeletedDays } from '../store/sites/changes.ts';
import { listZoneChanges } from '../store/sites/zones.ts';
import { type Calendar, makeCalendar } from './calendar.ts';
import { listDaySpans } from './notices.ts';
import type { Compared, Range } from './query.ts';

/** The argument of `findDays`. The `call` of an API request has all of these fields. */
export type DaysCall = {
  db: Db;
  api: { imports: Pick<Imports, 'listDays'>; queries: Pick<Queries, 'listVisitedDays'> };
  site: { id: number } & SiteZone;
  /** The time of the question. For an answer that shows the state of a past day, this is the end of that day. */
  now: number;
};

export type Days = {
  /** Finds the first second of a range of days, and the first second after the range. */
  findInstants(range: Compared): Range;
  formatSpan(range: Compared): { from: string; to: string };
  /** Lists the days of the range that were deleted, and that have got no visits since then. */
  listDeleted(range: Range): Promise<number[]>;
  /** Lists notices for deleted days, and for days that were counted in another time zone than the site has now. */
  listNotices(range: Range): Promise<Coded[]>;
};

/**
 * Finds the days of a site. Each day has the time zone in which it was counted. Most sites have never changed their
 * time zone. For such a site one time zone is enough, and the engine is not asked.
 */
export async function findDays(asking: DaysCall): Promise<Days> {
  const { api, db, site } = asking;
  const changes = listZoneChanges(db, site.id);
  const listDeleted = (range: Range) => findDeleted(asking, range);
  const nameDeleted = async (range: Range): Promise<Coded[]> => {
    const days = await listDeleted(range);
    return days.length > 0 ? [coded('days_deleted', { days: listDaySpans(days) })] : [];
  };
  if (changes.length === 0) return { ...makeDays(site.timeZone), listDeleted, listNotices: nameDeleted };
  const imported = await api.imports.listDays(site.id);
  const calendar = makeCalendar(site.timeZone, changes, new Map(imported.map(({ day, timeZone }) => [day, timeZone])));
  return {
    ...makeSpans(calendar),
    listDeleted,
    listNotices: async (range) => [...(await nameDeleted(range)), ...(await listZoneNotices(calendar, asking, range))],
  };
}

async function findDeleted({ api, db, site, now }: DaysCall, range: Range): Promise<number[]> {
  const days = listDeletedDays(db, site.id, range, now);
  if (days.length === 0) return [];
  const visited = new Set(await api.queries.listVisitedDays(site.id, range));
  return days.filter((day) => !visited.has(day));
}

/** Makes the days of a time zone without a site. Such days have no deletions and no notices. */
export function makeDays(timeZone: string): Days {
  const { findStart } = findZone(timeZone);
  const spans = makeSpans({ findStart, findEnd: (day) => findStart(day + 1) });
  return { ...spans, listDeleted: async () => [], listNotices: async () => [] };
}

function makeSpans({ findStart, findEnd }: Pick<Calendar, 'findStart' | 'findEnd'>) {
  const findInstants = ({ from, to, until = Number.POSITIVE_INFINITY }: Compared): Range => ({
    from: findStart(from),
    // The range ends at the time `until` of its last day. If the day ends before `until`, the range ends with the day.
    // After a change of the time zone, the last day may begin after `until`. Then the range ends where the last day
    // begins.
    to: Math.max(findStart(to - 1), Math.min(findEnd(to - 1), (to - 1) * DAY + until)),
  });
  return {
    findInstants,
    formatSpan(range: Compared) {
      const { from, to } = findInstants(range);
      return { from: iso(from), to: iso(to - 1) };
    },
  };
}

async function listZoneNotices(
  { findZoneOfDay }: Calendar,
  { api, site }: DaysCall,
  { from, to }: Range,
): Promise<Coded[]> {
  const days = Array.from({ length: to - from }, (_, i) => from + i).filter(
    (day) => findZoneOfDay(day) !== site.timeZone,
  );
  const visited = days.length === 0 ? [] : await api.queries.listVisitedDays(site.id, { from, to });
  const counted = days.filter((day) => visited.includes(day));
  return [...Map.groupBy(counted, findZoneOfDay)].map(([zone, own]) =>
    coded('other_time_zone', { zone, own: site.timeZone, days: listDaySpans(own) }),
  );
}
