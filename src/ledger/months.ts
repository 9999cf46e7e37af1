import { crc32 } from 'node:zlib';
import type { Steps } from '../lib/steps.ts';
import type { Db } from '../store/statements.ts';
import type { Dimension } from './dimensions.ts';
import { packRollup, ROLLUPS, type Rollup, readRollup } from './rollups.ts';

const DAY_MS = 86_400_000;

/** A sealed day, by which its rollups are found. */
export type DayRow = { id: number; day: number };

/** Months counted from January of the year 0; and the day with which one begins. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
export const firstDay = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12, 1) / DAY_MS;

/** Says of which days a month was added up: as soon as one is sealed, replaced or removed it says something else. */
const markOf = (days: readonly DayRow[]): string => days.map(({ id }) => id).join(' ');

/** The shown days of a site, ascending. */
export const listDays = (db: Db, siteId: number, from: number, to: number): DayRow[] =>
  db.all(
    'SELECT id, day FROM sealed_day WHERE site_id = ? AND shown = 1 AND day >= ? AND day < ? ORDER BY day',
    siteId,
    from,
    to,
  );

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

function* addUp(db: Db, siteId: number, month: number, days: readonly DayRow[]): Steps {
  for (const name of ROLLUPS) {
    const data = packRollup(name, sumOf(days.map(({ id }) => readRollup(db, id, name))));
    db.write(() =>
      db.run(
        'REPLACE INTO month_rollup (site_id, month, name, days, data, crc) VALUES (?, ?, ?, ?, ?, ?)',
        siteId,
        month,
        name,
        markOf(days),
        data,
        crc32(data),
      ),
    );
    yield;
  }
}

/** Those sums of a month that differ from what its days add up to. */
export function monthFaults(db: Db, siteId: number, days: readonly DayRow[]): string[] {
  return ROLLUPS.filter((name) => {
    const kept = findMonth(db, siteId, name, days);
    return kept && !kept.equals(packRollup(name, sumOf(days.map(({ id }) => readRollup(db, id, name)))));
  }).map((name) => `rollup ${name} of the month: differs`);
}

/** The sums of a month, where they are those of just these days. */
export function findMonth(db: Db, siteId: number, name: Dimension, days: readonly DayRow[]): Buffer | undefined {
  const row = db.one<{ days: string; data: Buffer; crc: number }>(
    'SELECT days, data, crc FROM month_rollup WHERE site_id = ? AND month = ? AND name = ?',
    siteId,
    monthOf(days[0]?.day ?? 0),
    name,
  );
  return row && row.days === markOf(days) && crc32(row.data) === row.crc ? row.data : undefined;
}

const GONE = 'DELETE FROM month_rollup WHERE site_id = ? AND month = ?';

/**
 * Adds up the months that are over and have changed, and lets go of those whose days are gone. A range of years then takes a row for each month, and one that cannot be
 * read is added up again from its days.
 */
export function* addUpMonths(db: Db, today: number): Steps {
  for (const { id: siteId } of db.all<{ id: number }>('SELECT id FROM site')) {
    const done = new Map(
      db
        .all<{ month: number; days: string }>(
          'SELECT month, min(days) AS days FROM month_rollup WHERE site_id = ? GROUP BY month HAVING count(*) = ? AND min(days) = max(days)',
          siteId,
          ROLLUPS.length,
        )
        .map(({ month, days }) => [month, days]),
    );
    const days = listDays(db, siteId, 0, firstDay(monthOf(today)));
    const months = Map.groupBy(days, ({ day }) => monthOf(day));
    for (const [month, own] of months) {
      if (done.get(month) !== markOf(own)) yield* addUp(db, siteId, month, own);
    }
    for (const month of done.keys()) {
      if (!months.has(month)) db.write(() => db.run(GONE, siteId, month));
    }
  }
}
