// Says what is known of the days of a site: when its first hit came, and for each day its state, totals, exclusions and dropped hits.
// Invariant: the totals of a day are those that an unfiltered query of that day gives.
//
// Example: a site began at 14:05 of an open day. `readFirstHits` reads the first second of each of its shards and returns 14:05. For a site
// that began last year only the day is asked for, and no column is read.
// Called by work/tasks.ts.
import { makeReceipt } from '../../catalog/receipts.ts';
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

/** What is known of each day of a range. */
export function makeReceipts(
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
      return makeReceipt(day, sealed.get(day), { totals, excluded, drops: listDrops(db, siteId, range) });
    });
}

export function findFirstHits(db: Db, days: DayReader, siteIds: readonly number[], since: number): Map<number, number> {
  const all = siteIds.map((siteId) => [siteId, findFirstHit(db, days, siteId, since)] as const);
  return new Map(all.flatMap(([siteId, first]) => (first === undefined ? [] : [[siteId, first]])));
}

/** The seconds of a day at which the first hits of its slices and shards came. */
function* listFirstHits(days: DayReader, siteId: number, day: number): Generator<number> {
  for (const one of days.sealed(siteId, day, day + 1)) yield findFirstSecond(one);
  for (const { own, reopened } of days.open(siteId, day, day + 1)) {
    yield* reopened.map(findFirstSecond);
    yield* listFirstSeconds(own);
  }
}

/** The moment of the first hit of a site. If that is before `since`, any moment before `since` will do. */
function findFirstHit(db: Db, days: DayReader, siteId: number, since: number): number | undefined {
  const { first: sealed = Number.POSITIVE_INFINITY } = listSealedSince(db, Number.MAX_SAFE_INTEGER, siteId);
  const [open = Number.POSITIVE_INFINITY] = listOpenDays(db, siteId, EVER.from, EVER.to);
  const day = Math.min(sealed, open);
  if (day === Number.POSITIVE_INFINITY) return undefined;
  // The day was over before `since` in every time zone.
  if ((day + 2) * DAY <= since) return day * DAY;
  let first = Number.POSITIVE_INFINITY;
  for (const second of listFirstHits(days, siteId, day)) {
    first = Math.min(first, second);
    if (day * DAY + first < since) break;
  }
  return day * DAY + (first === Number.POSITIVE_INFINITY ? 0 : first);
}
