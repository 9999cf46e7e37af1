import { crc32 } from 'node:zlib';
import type { Steps } from '../lib/steps.ts';
import { firstDayOf, monthNumber } from '../stats/calendar.ts';
import { BREAKDOWN_NAMES, type Breakdown } from '../stats/dimensions.ts';
import { listSiteIds } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { daysOfSites } from '../store/zones.ts';
import { packRollup, type Rollup, readRollup } from './rollups.ts';
import { listSealed, type SealedDay } from './sealed-days.ts';

/** The ids of the days of which a month was added up. They differ as soon as a day is sealed, replaced or removed. */
const idsOf = (days: readonly SealedDay[]): string => days.map(({ id }) => id).join(' ');

/** Larger than any term. */
const MAX_TERM = 2 ** 31;

/** Days add up, because a visitor is never the same on two days. */
function sumOf(rollups: Iterable<Rollup>): Rollup {
  const sums = new Map<number, { visitors: number; hits: number }>();
  for (const { events, terms, visitors, hits } of rollups) {
    for (let i = 0; i < terms.length; i++) {
      const key = (events[i] ?? 0) * MAX_TERM + (terms[i] as number);
      const sum = sums.get(key);
      if (!sum) sums.set(key, { visitors: visitors[i] as number, hits: hits[i] ?? 0 });
      else {
        sum.visitors += visitors[i] as number;
        sum.hits += hits[i] ?? 0;
      }
    }
  }
  const keys = Float64Array.from(sums.keys()).sort();
  const pick = (figure: 'visitors' | 'hits') => Array.from(keys, (key) => sums.get(key)?.[figure] ?? 0);
  return {
    events: Array.from(keys, (key) => Math.floor(key / MAX_TERM)),
    terms: Array.from(keys, (key) => key % MAX_TERM),
    visitors: pick('visitors'),
    hits: pick('hits'),
  };
}

const packedSumOf = (db: Db, name: Breakdown, days: readonly SealedDay[]): Buffer =>
  packRollup(name, sumOf(days.map((day) => readRollup(db, day, name))));

function* addUp(db: Db, siteId: number, month: number, days: readonly SealedDay[]): Steps {
  for (const name of BREAKDOWN_NAMES) {
    const data = packedSumOf(db, name, days);
    db.write(() =>
      db.run(
        'REPLACE INTO month_rollup (site_id, month, name, days, data, crc) VALUES (?, ?, ?, ?, ?, ?)',
        siteId,
        month,
        name,
        idsOf(days),
        data,
        crc32(data),
      ),
    );
    yield;
  }
}

/** The rollups of a month that differ from the sum of its days. */
export function monthFaults(db: Db, siteId: number, days: readonly SealedDay[]): string[] {
  return BREAKDOWN_NAMES.filter((name) => {
    const stored = findMonth(db, siteId, name, days);
    return stored && !stored.equals(packedSumOf(db, name, days));
  }).map((name) => `rollup ${name} of the month: differs`);
}

/** A rollup of a month; undefined if it is damaged or was not added up from exactly these days. */
export function findMonth(db: Db, siteId: number, name: Breakdown, days: readonly SealedDay[]): Buffer | undefined {
  const row = db.one<{ days: string; data: Buffer; crc: number }>(
    'SELECT days, data, crc FROM month_rollup WHERE site_id = ? AND month = ? AND name = ?',
    siteId,
    monthNumber(days[0]?.day ?? 0),
    name,
  );
  return row && row.days === idsOf(days) && crc32(row.data) === row.crc ? row.data : undefined;
}

/** The months of a site with all their rollups, and the ids of their days. */
const listMonths = (db: Db, siteId: number): Map<number, string> =>
  new Map(
    db
      .all<{ month: number; days: string }>(
        `SELECT month, min(days) AS days FROM month_rollup WHERE site_id = ?
         GROUP BY month HAVING count(*) = ? AND min(days) = max(days)`,
        siteId,
        BREAKDOWN_NAMES.length,
      )
      .map(({ month, days }) => [month, days]),
  );

const removeMonth = (db: Db, siteId: number, month: number): void => {
  db.run('DELETE FROM month_rollup WHERE site_id = ? AND month = ?', siteId, month);
};

export const removeSiteMonths = (db: Db, siteId: number, most: number): number =>
  db.run(
    `DELETE FROM month_rollup WHERE (site_id, month, name) IN
       (SELECT site_id, month, name FROM month_rollup WHERE site_id = ? LIMIT ?)`,
    siteId,
    most,
  ).changes;

/**
 * Adds up past months that have changed, and deletes those without days. A query over years then reads one row per month. A
 * damaged month is read day by day instead.
 */
export function* addUpMonths(db: Db, now: number): Steps {
  const todayOf = daysOfSites(db, now);
  for (const siteId of listSiteIds(db)) {
    const addedUp = listMonths(db, siteId);
    const days = listSealed(db, siteId, 0, firstDayOf(monthNumber(todayOf(siteId) ?? 0)));
    const months = Map.groupBy(days, ({ day }) => monthNumber(day));
    for (const [month, own] of months) {
      if (addedUp.get(month) !== idsOf(own)) yield* addUp(db, siteId, month, own);
    }
    for (const month of addedUp.keys()) {
      if (!months.has(month)) db.write(() => removeMonth(db, siteId, month));
    }
  }
}
