// Finds the time of a site's first hit. Lists the days of a site with their states, totals, excluded visits and drops.
//
// Invariant: the totals of a day equal the totals of an unfiltered query for that day.
//
// Example: the server was down from 12:00 to 12:30 today. Reports mention this outage only if the site had a hit before
// it. For a site with its first hit today at 14:05, `findFirstHits` returns 14:05, so the outage is not mentioned. If
// the first hit was on 5 March, `findFirstHits` returns 5 March 00:00 UTC, without reading a hit. The exact time does
// not matter then. work/tasks.ts calls this file.
import { makeDayStatus } from '../../catalog/day-status.ts';
import { listSealedSince, listStates } from '../../catalog/sealed-days.ts';
import type { DayStatus } from '../../engine/engine.ts';
import { DAY } from '../../lib/time.ts';
import { askForVisitors, type Range } from '../../stats/query.ts';
import type { Db } from '../../store/db.ts';
import { findFirstSecond } from '../day/day.ts';
import { listFirstSeconds } from '../open/open-day.ts';
import { listOpenDays } from '../open/row-sources.ts';
import { listDrops } from '../rows/drops.ts';
import type { Texts } from '../rows/terms.ts';
import type { DayReader } from './day-reader.ts';
import { measurePartial } from './measure.ts';

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER };

export function listDayStatus(
  db: Db,
  { days, texts }: { days: DayReader; texts: Texts },
  siteId: number,
  { from, to }: Range,
): DayStatus[] {
  const sealed = new Map(listStates(db, siteId, from, to).map((row) => [row.day, row]));
  const all = new Set([...sealed.keys(), ...listOpenDays(db, siteId, from, to)]);
  return [...all]
    .sort((one, other) => one - other)
    .map((day) => {
      const range = { from: day, to: day + 1 };
      const { totals, excluded } = measurePartial(days, texts, askForVisitors(siteId, range), [range]);
      return makeDayStatus(day, sealed.get(day), { totals, excluded, drops: listDrops(db, siteId, range) });
    });
}

export function findFirstHits(
  db: Db,
  days: DayReader,
  siteIds: readonly number[],
  exactFrom: number,
): Map<number, number> {
  const all = siteIds.map((siteId) => [siteId, findFirstHit(db, days, siteId, exactFrom)] as const);
  return new Map(all.flatMap(([siteId, first]) => (first === undefined ? [] : [[siteId, first]])));
}

function* listFirstHits(days: DayReader, siteId: number, day: number): Generator<number> {
  for (const one of days.sealed(siteId, day, day + 1)) yield findFirstSecond(one);
  for (const { own, reopened } of days.open(siteId, day, day + 1)) {
    yield* reopened.map(findFirstSecond);
    yield* listFirstSeconds(own);
  }
}

/**
 * Finds the time of a site's first hit, in seconds since 1970. If the first hit was before `exactFrom`, any time before
 * `exactFrom` may be returned. So the seconds of a sealed day, which are slow to read, are often not needed.
 */
function findFirstHit(db: Db, days: DayReader, siteId: number, exactFrom: number): number | undefined {
  const { first: sealed = Number.POSITIVE_INFINITY } = listSealedSince(db, Number.MAX_SAFE_INTEGER, siteId);
  const [open = Number.POSITIVE_INFINITY] = listOpenDays(db, siteId, EVER.from, EVER.to);
  const day = Math.min(sealed, open);
  if (day === Number.POSITIVE_INFINITY) return undefined;
  // In every time zone, a day ends at most 48 hours after 00:00 UTC of its date. If these 48 hours end no later than
  // `exactFrom`, all hits of the day were before `exactFrom`. Any time before `exactFrom` may then be returned.
  if ((day + 2) * DAY <= exactFrom) return day * DAY;
  let first = Number.POSITIVE_INFINITY;
  for (const second of listFirstHits(days, siteId, day)) {
    first = Math.min(first, second);
    if (day * DAY + first < exactFrom) break;
  }
  return day * DAY + (first === Number.POSITIVE_INFINITY ? 0 : first);
}
