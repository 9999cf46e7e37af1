import type { DayVisits } from '../engine.ts';
import type { Db } from '../store/statements.ts';
import { COLUMNS } from './columns.ts';
import type { Day } from './day.ts';
import { dayReader } from './days.ts';
import { cachedTexts } from './terms.ts';
import { visitsOf } from './visits-of.ts';

/** Reads all columns of a day, so that they are from one snapshot. */
function withAllColumns(day: Day): Day {
  const columns = new Map(COLUMNS.map((name) => [name, day.column(name)]));
  return { ...day, column: (name) => columns.get(name) ?? day.column(name) };
}

export const listDaysWithHits = (db: Db, siteId: number): number[] =>
  db.read(() => [...dayReader(db).days(siteId, 0, Number.MAX_SAFE_INTEGER)].map(({ day }) => day));

/** All visits of a site, by day. Only one day is in memory at a time. */
export async function* visitsIn(db: Db, siteId: number): AsyncGenerator<DayVisits> {
  const days = dayReader(db);
  const textOf = cachedTexts(db, siteId);
  for (const day of listDaysWithHits(db, siteId)) {
    days.nextQuery();
    for (const columns of db.read(() => [...days.days(siteId, day, day + 1)].map(withAllColumns))) {
      yield { day, visits: visitsOf(columns, textOf) };
    }
    days.forget();
  }
}
