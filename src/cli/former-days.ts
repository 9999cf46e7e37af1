// Finds days that an import would not replace, although the site has counted hits of the import file on these days.
//
// Such a day exists only if the site had another time zone before.
//
// Example: in UTC, a site counted a hit at 20:00 on 10 October. Now the site has the time zone Asia/Tokyo, where this
// moment is on 11 October. An import of the same hit would replace 11 October only. The hit on 10 October would stay,
// and would count twice. For this reason, `daybook import` refuses the file (./import.ts).

import type { Engine } from '../engine/engine.ts';
import { type ImportFile, QUARTER } from '../exchange/format.ts';
import { makeCalendar } from '../stats/calendar.ts';
import type { Db } from '../store/db.ts';
import { listZoneChanges } from '../store/sites/zones.ts';

/** The most days by which the dates of one moment can differ between two time zones. */
const FURTHEST = 2;
const NEAR = Array.from({ length: 2 * FURTHEST + 1 }, (_, i) => i - FURTHEST);

type Counted = { db: Db; engine: Engine; site: { id: number; timeZone: string } };

export async function findFormerDay(
  { db, engine, site }: Counted,
  { content: { days }, quarters = new Set() }: Pick<ImportFile, 'content' | 'quarters'>,
): Promise<{ day: number; timeZone: string } | undefined> {
  const changes = listZoneChanges(db, site.id);
  if (changes.length === 0 || quarters.size === 0) return undefined;
  const near = new Set(days.flatMap((day) => NEAR.map((by) => day + by)));
  for (const day of days) near.delete(day);
  const taken = await engine.imports.listTaken(site.id, [...near]);
  const imported = await engine.imports.listDays(site.id);
  const calendar = makeCalendar(site.timeZone, changes, new Map(imported.map(({ day, timeZone }) => [day, timeZone])));
  const hasHits = (day: number): boolean => {
    const end = calendar.findEnd(day) / QUARTER;
    for (let quarter = Math.ceil(calendar.findStart(day) / QUARTER); quarter < end; quarter++) {
      if (quarters.has(quarter)) return true;
    }
    return false;
  };
  const day = taken.toSorted((one, other) => one - other).find(hasHits);
  return day === undefined ? undefined : { day, timeZone: calendar.findZoneOfDay(day) };
}
