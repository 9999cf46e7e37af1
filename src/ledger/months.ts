import { crc32 } from 'node:zlib';
import type { Steps } from '../lib/steps.ts';
import { firstDayOf, monthOf } from '../stats/calendar.ts';
import { BREAKDOWN_NAMES, type Breakdown } from '../stats/dimensions.ts';
import { listSiteIds } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { packRollup, type Rollup, readRollup } from './rollups.ts';
import { listSealed, type SealedDay } from './sealed-days.ts';

/** Says of which days a month was added up: as soon as one is sealed, replaced or removed it says something else. */
const idsOf = (days: readonly SealedDay[]): string => days.map(({ id }) => id).join(' ');

/** More than any id of a term. */
const TERMS = 2 ** 31;

/** Days add up, because nobody is the same visitor on two of them. */
function sumOf(rollups: Iterable<Rollup>): Rollup {
  const sums = new Map<number, { visitors: number; hits: number }>();
  for (const { events, terms, visitors, hits } of rollups) {
    for (let i = 0; i < terms.length; i++) {
      const key = (events[i] ?? 0) * TERMS + (terms[i] as number);
      const sum = sums.get(key);
      if (!sum) sums.set(key, { visitors: visitors[i] as number, hits: hits[i] ?? 0 });
      else {
        sum.visitors += visitors[i] as number;
        sum.hits += hits[i] ?? 0;
      }
    }
  }
  const keys = Float64Array.from(sums.keys()).sort();
  const pick = (what: 'visitors' | 'hits') => Array.from(keys, (key) => sums.get(key)?.[what] ?? 0);
  return {
    events: Array.from(keys, (key) => Math.floor(key / TERMS)),
    terms: Array.from(keys, (key) => key % TERMS),
    visitors: pick('visitors'),
    hits: pick('hits'),
  };
}

const sumUp = (db: Db, name: Breakdown, days: readonly SealedDay[]): Buffer =>
  packRollup(name, sumOf(days.map((day) => readRollup(db, day, name))));

function* addUp(db: Db, siteId: number, month: number, days: readonly SealedDay[]): Steps {
  for (const name of BREAKDOWN_NAMES) {
    const data = sumUp(db, name, days);
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

/** Those sums of a month that differ from what its days add up to. */
export function monthFaults(db: Db, siteId: number, days: readonly SealedDay[]): string[] {
  return BREAKDOWN_NAMES.filter((name) => {
    const kept = findMonth(db, siteId, name, days);
    return kept && !kept.equals(sumUp(db, name, days));
  }).map((name) => `rollup ${name} of the month: differs`);
}

/** The sums of a month, where they are those of just these days. */
export function findMonth(db: Db, siteId: number, name: Breakdown, days: readonly SealedDay[]): Buffer | undefined {
  const row = db.one<{ days: string; data: Buffer; crc: number }>(
    'SELECT days, data, crc FROM month_rollup WHERE site_id = ? AND month = ? AND name = ?',
    siteId,
    monthOf(days[0]?.day ?? 0),
    name,
  );
  return row && row.days === idsOf(days) && crc32(row.data) === row.crc ? row.data : undefined;
}

/** The months of a site that have been added up whole, and of which days. */
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
 * Adds up the months that are over and have changed, and lets go of those whose days are gone. A range of years then takes a
 * row for each month, and one that cannot be read is added up again from its days.
 */
export function* addUpMonths(db: Db, today: number): Steps {
  for (const siteId of listSiteIds(db)) {
    const done = listMonths(db, siteId);
    const days = listSealed(db, siteId, 0, firstDayOf(monthOf(today)));
    const months = Map.groupBy(days, ({ day }) => monthOf(day));
    for (const [month, own] of months) {
      if (done.get(month) !== idsOf(own)) yield* addUp(db, siteId, month, own);
    }
    for (const month of done.keys()) {
      if (!months.has(month)) db.write(() => removeMonth(db, siteId, month));
    }
  }
}
