import { makeReceipt } from '../../catalog/receipts.ts';
import { listSealedSince, listStates } from '../../catalog/sealed-days.ts';
import type { DayStatus } from '../../engine/engine.ts';
import { DAY } from '../../lib/time.ts';
import { askForVisitors, type Range } from '../../stats/question.ts';
import type { Db } from '../../store/db.ts';
import { findFirstSecond } from '../day/day.ts';
import { listFirstSeconds } from '../open/open-day.ts';
import { listOpenDays } from '../open/row-sources.ts';
import { listDrops } from '../rows/drops.ts';
import type { Texts } from '../rows/terms.ts';
import type { DayReader } from './day-reader.ts';
import { measurePart } from './measure.ts';

const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** The seconds of a day at which its first hits came, of one part of it after the other. */
function* beginsIn(days: DayReader, siteId: number, day: number): Generator<number> {
  for (const one of days.sealed(siteId, day, day + 1)) yield findFirstSecond(one);
  for (const { own, reopened } of days.open(siteId, day, day + 1)) {
    yield* reopened.map(findFirstSecond);
    yield* listFirstSeconds(own);
  }
}

/** The moment of the first hit of a site; of those before `since`, any. */
function firstHitOf(db: Db, days: DayReader, siteId: number, since: number): number | undefined {
  const { first: sealed = Number.POSITIVE_INFINITY } = listSealedSince(db, Number.MAX_SAFE_INTEGER, siteId);
  const [open = Number.POSITIVE_INFINITY] = listOpenDays(db, siteId, EVER.from, EVER.to);
  const day = Math.min(sealed, open);
  if (day === Number.POSITIVE_INFINITY) return undefined;
  // In every zone it was over.
  if ((day + 2) * DAY <= since) return day * DAY;
  let first = Number.POSITIVE_INFINITY;
  for (const second of beginsIn(days, siteId, day)) {
    first = Math.min(first, second);
    if (day * DAY + first < since) break;
  }
  return day * DAY + (first === Number.POSITIVE_INFINITY ? 0 : first);
}

export function firstHitsOf(db: Db, days: DayReader, siteIds: readonly number[], since: number): Map<number, number> {
  const all = siteIds.map((siteId) => [siteId, firstHitOf(db, days, siteId, since)] as const);
  return new Map(all.flatMap(([siteId, first]) => (first === undefined ? [] : [[siteId, first]])));
}

/** What is known of the days of a site. */
export function receiptsOf(
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
      const { totals, aside } = measurePart(days, texts, askForVisitors(siteId, range), [range]);
      return makeReceipt(day, sealed.get(day), { totals, aside, drops: listDrops(db, siteId, range) });
    });
}
