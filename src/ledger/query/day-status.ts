// This file finds the time of a site's first hit. It also lists the days of a site, each with its state, totals,
// exclusions and dropped hits.
// Invariant: the totals of a day equal those of an unfiltered query for that day.
//
// Example: the server did not take hits from 12:00 to 12:30 today. A report must say so for sites that had hits before.
// One site has its first hit today at 14:05. `findFirstHits` reads the first second of each shard (part) of the day and
// returns 14:05. Another site has its first hit in March. Here the start of that day is enough, and no column is read.
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

export function findFirstHits(
  db: Db,
  days: DayReader,
  siteIds: readonly number[],
  exactFrom: number,
): Map<number, number> {
  const all = siteIds.map((siteId) => [siteId, findFirstHit(db, days, siteId, exactFrom)] as const);
  return new Map(all.flatMap(([siteId, first]) => (first === undefined ? [] : [[siteId, first]])));
}

/**
 * A large day is stored in parts: a sealed day in slices, an open day in shards. Gives the time of the first hit of
 * each part, in seconds of the day.
 */
function* listFirstHits(days: DayReader, siteId: number, day: number): Generator<number> {
  for (const one of days.sealed(siteId, day, day + 1)) yield findFirstSecond(one);
  for (const { own, reopened } of days.open(siteId, day, day + 1)) {
    yield* reopened.map(findFirstSecond);
    yield* listFirstSeconds(own);
  }
}

/**
 * Finds the moment of a site's first hit, in seconds since 1970. The caller asks if some moments lie after the first
 * hit, and these moments are at or after `exactFrom`. So if the first hit came before `exactFrom`, any moment before
 * `exactFrom` may be returned. This saves reading the seconds of a past day, which is slow.
 */
function findFirstHit(db: Db, days: DayReader, siteId: number, exactFrom: number): number | undefined {
  const { first: sealed = Number.POSITIVE_INFINITY } = listSealedSince(db, Number.MAX_SAFE_INTEGER, siteId);
  const [open = Number.POSITIVE_INFINITY] = listOpenDays(db, siteId, EVER.from, EVER.to);
  const day = Math.min(sealed, open);
  if (day === Number.POSITIVE_INFINITY) return undefined;
  // Two days after 00:00 UTC of its date, a day is over in every time zone. Then all hits of this day came before
  // `exactFrom`. So the start of the day is returned, and no hit is read.
  if ((day + 2) * DAY <= exactFrom) return day * DAY;
  let first = Number.POSITIVE_INFINITY;
  for (const second of listFirstHits(days, siteId, day)) {
    first = Math.min(first, second);
    if (day * DAY + first < exactFrom) break;
  }
  return day * DAY + (first === Number.POSITIVE_INFINITY ? 0 : first);
}
