// Stores month rollups. A month rollup has the sums of one breakdown over all sealed days of a month. A query for years
// then reads one row for each month.
//
// Invariant: a month rollup is used only if it was made from exactly those days that the query would read.
//
// Example: page 3 has 10 visitors on May 1 and 20 visitors on May 2. The month rollup of May has 30, because a visitor
// code is valid for one day only. The days have the ids 81 and 82, so the month rollup has the text "81 82". If May 2
// is sealed again with the id 97, the texts differ, and May is added up again.
//
// work/nightly.ts adds up months in a thread. stored-sums.ts reads month rollups, and upkeep/recount.ts checks them.
import { crc32 } from 'node:zlib';
import type { SealedDay } from '../../catalog/sealed-days.ts';
import { findFirstDay, monthNumber } from '../../stats/calendar.ts';
import { type Breakdown, STORED_BREAKDOWNS, type StoredBreakdown } from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import { listSiteIds } from '../../store/sites/sites.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import { mergeCounts, type RowCount } from '../count/term-counts.ts';
import { listSummed } from './excluded-sums.ts';
import { packRollup, type Rollup, readRollup } from './rollup.ts';
import { haveSame, nameSums, packSums, readRows, SUMMED_BREAKDOWNS, type SumsName } from './row-sums.ts';

/**
 * Reads the sums of a whole month. `ids` has the ids of the days that the query would read. Returns undefined if the
 * sums were made from other days, or if the sums are damaged. The query then reads the rollups of the single days.
 */
export function findMonth(
  db: Db,
  siteId: number,
  name: MonthName,
  month: number,
  ids: string | undefined,
): Buffer | undefined {
  const row = readMonth(db, siteId, name, month);
  if (row?.days !== ids) return undefined;
  return row && isSound(row) ? row.data : undefined;
}

type StoredMonth = { days: string; data: Buffer; crc: number };

const readMonth = (db: Db, siteId: number, name: MonthName, month: number): StoredMonth | undefined =>
  db.one<StoredMonth>(
    'SELECT days, data, crc FROM month_rollup WHERE site_id = ? AND month = ? AND name = ?',
    siteId,
    month,
    name,
  );

const isSound = ({ data, crc }: StoredMonth): boolean => crc32(data) === crc;

/**
 * Returns the ids of days as one text, such as "81 82". If a day is sealed again, or gets other exclusions, the text
 * changes. Queries then do not use the stored month rollup.
 */
export const joinDayIds = (days: readonly SealedDay[]): string =>
  days.map(({ id, reduced }) => (reduced === undefined ? id : `${id}-${reduced.replaceAll(' ', '-')}`)).join(' ');

/**
 * The names of a month's rows in the table `month_rollup`. The row "countries" has the visitors of each country. The
 * row "countries sums" has further sums, such as bounces. Most queries need only the first row. If retention deletes
 * hits of the month, it also deletes the second row, so that both engines give equal answers. A cluster stores no
 * bounces of countries, and no other row sums, for totals-only days.
 */
export type MonthName = Breakdown | SumsName;
export const MONTH_NAMES: readonly MonthName[] = [...STORED_BREAKDOWNS, ...SUMMED_BREAKDOWNS.map(nameSums)];

/**
 * Adds up the rollups of several days. Rows with the same term become one row. In rollups of event labels, the event
 * must be the same too. In rollups of property values, the property name must be the same too (`Rollup`).
 */
export function addRollups(rollups: Iterable<Rollup>): Rollup {
  const byEvent = new Map<number, Map<number, Sum>>();
  for (const { events, terms, visitors, hits } of rollups) {
    for (let i = 0; i < terms.length; i++) {
      const [event, term] = [events[i] ?? 0, terms[i] as number];
      const byTerm = byEvent.get(event) ?? new Map<number, Sum>();
      const sum = byTerm.get(term) ?? { visitors: 0, hits: 0 };
      sum.visitors += visitors[i] as number;
      sum.hits += hits[i] ?? 0;
      byEvent.set(event, byTerm.set(term, sum));
    }
  }
  const rows = listSorted(byEvent).flatMap(([event, byTerm]) =>
    listSorted(byTerm).map(([term, sum]) => ({ event, term, ...sum })),
  );
  return {
    events: rows.map(({ event }) => event),
    terms: rows.map(({ term }) => term),
    visitors: rows.map(({ visitors }) => visitors),
    hits: rows.map(({ hits }) => hits),
  };
}

type Sum = { visitors: number; hits: number };

const listSorted = <Value>(map: Map<number, Value>): [number, Value][] =>
  [...map].sort(([one], [other]) => one - other);

/**
 * Adds up the row sums of several days, such as bounces. Returns an empty buffer if a day has no row sums. Queries then
 * read each day of the month.
 */
function addRows(db: Db, days: readonly SealedDay[], breakdown: StoredBreakdown): Buffer {
  const rows: RowCount[] = [];
  for (const day of days) {
    const own = readRows(db, day, breakdown);
    if (!own) return Buffer.alloc(0);
    rows.push(own);
  }
  const { more = {}, ...rollup } = mergeCounts(breakdown, rows);
  return packSums(breakdown, rollup, more);
}

export type Month = { siteId: number; month: number; days: readonly SealedDay[] };

/**
 * Adds up the days of a month for one breakdown, or for its row sums. A thread does this work, because it takes tens of
 * milliseconds for the breakdown by page.
 */
export function addMonth(db: Db, days: readonly SealedDay[], name: MonthName): Buffer {
  const ofSums = SUMMED_BREAKDOWNS.find((breakdown) => nameSums(breakdown) === name);
  if (ofSums) return addRows(db, days, ofSums);
  const breakdown = name as StoredBreakdown;
  return packRollup(breakdown, addRollups(days.map((day) => readRollup(db, day, breakdown))));
}

export function storeMonth(db: Db, { siteId, month, days }: Month, name: MonthName, data: Buffer): void {
  db.write(() =>
    db.run(
      'REPLACE INTO month_rollup (site_id, month, name, days, data, crc) VALUES (?, ?, ?, ?, ?, ?)',
      siteId,
      month,
      name,
      joinDayIds(days),
      data,
      crc32(data),
    ),
  );
}

/**
 * Lists the rollups of a month that are damaged, or that differ from the sum of their days. If a month rollup is
 * damaged, queries read the rollups of its days instead, which is slower.
 */
export function listMonthFaults(db: Db, siteId: number, days: readonly SealedDay[]): string[] {
  return MONTH_NAMES.flatMap((name) => {
    const stored = readMonth(db, siteId, name, monthNumber(days[0]?.day ?? 0));
    if (stored?.days !== joinDayIds(days)) return [];
    if (!isSound(stored)) return [`rollup ${name} of the month: damaged`];
    return haveSame(name, stored.data, addMonth(db, days, name)) ? [] : [`rollup ${name} of the month: differs`];
  });
}

/**
 * Lists the months of a site whose rollups are all stored, and were all made from the same days. The key is the number
 * of a month, and the value has the ids of its days.
 */
const listMonths = (db: Db, siteId: number): Map<number, string> =>
  new Map(
    db
      .all<{ month: number; days: string }>(
        `SELECT month, min(days) AS days FROM month_rollup WHERE site_id = ?
         GROUP BY month HAVING count(*) = ? AND min(days) = max(days)`,
        siteId,
        MONTH_NAMES.length,
      )
      .map(({ month, days }) => [month, days]),
  );

export const removeMonth = (db: Db, { siteId, month }: Pick<Month, 'siteId' | 'month'>): void => {
  db.write(() => db.run('DELETE FROM month_rollup WHERE site_id = ? AND month = ?', siteId, month));
};

/**
 * Deletes the row sums of a month, such as bounces, inside the caller's transaction. Visitors and hits stay, so
 * queries for visitors stay fast.
 */
export function removeMonthSums(db: Db, { siteId, month }: Pick<Month, 'siteId' | 'month'>): void {
  for (const name of SUMMED_BREAKDOWNS.map(nameSums)) {
    db.run('DELETE FROM month_rollup WHERE site_id = ? AND month = ? AND name = ?', siteId, month, name);
  }
}

export const removeSiteMonths = (db: Db, siteId: number, most: number): number =>
  db.run(
    `DELETE FROM month_rollup WHERE (site_id, month, name) IN
       (SELECT site_id, month, name FROM month_rollup WHERE site_id = ? LIMIT ?)`,
    siteId,
    most,
  ).changes;

/**
 * Lists the past months whose days have changed, so that they are added up again. A month without days is also listed,
 * so that its sums are deleted. A month with stale sums must wait until its days have new sums, so it is not listed. A
 * damaged month is not listed either, because only the ids of days are compared.
 */
export function listChangedMonths(db: Db, now: number): Month[] {
  const findToday = makeDayFinder(db, now);
  return listSiteIds(db).flatMap((siteId) => {
    const addedUp = listMonths(db, siteId);
    const past = { from: 0, to: findFirstDay(monthNumber(findToday(siteId) ?? 0)) };
    const { days: sealed, pending } = listSummed(db, siteId, listExclusions(db, siteId), past);
    const months = Map.groupBy(sealed, ({ day }) => monthNumber(day));
    const unready = new Set(pending.map(({ day }) => monthNumber(day)));
    const changed = [...months].filter(
      ([month, days]) => !unready.has(month) && addedUp.get(month) !== joinDayIds(days),
    );
    const empty = [...addedUp.keys()].filter((month) => !months.has(month) && !unready.has(month));
    return [...changed, ...empty.map((month) => [month, []] as const)].map(([month, days]) => ({
      siteId,
      month,
      days,
    }));
  });
}
