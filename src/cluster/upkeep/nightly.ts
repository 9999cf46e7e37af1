// The nightly work seals past days: it makes visits from their rows. Days that are older than a site's setting allows
// become totals-only days (retention.ts). Leftover rows of ended imports and of deleted sites are deleted.
//
// Invariant: a day is sealed only when every complete server has all rows of the day from all senders. Rows that arrive
// after sealing would not be in the sealed day.
//
// Example: a day of a site ends at 00:00. At 00:01 server B lacks rows of the day, so the day stays open. At 00:11 B
// becomes `lacking` (it is not used), and the day is sealed without B. Later the missing rows are copied to B. If a
// collector does not respond, the day stays open until it responds or the operator retires it. engine.ts calls
// `runNight`.
import { listGone } from '../../catalog/day-states.ts';
import { isDayImported, listOpenImports } from '../../catalog/imports.ts';
import { addLate, findDayOfArrival } from '../../catalog/late-hits.ts';
import { listSlices, type SiteDay } from '../../catalog/sealed-days.ts';
import type { SealResult } from '../../engine/engine.ts';
import type { Log } from '../../lib/log.ts';
import { findReason } from '../../lib/reason.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import { tryEach } from '../../lib/try-each.ts';
import type { Progress } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import type { Trust } from '../../store/server/clock-trust.ts';
import { readKnownDays } from '../query/catalog-snapshot.ts';
import { selectOpenRows } from '../query/visible-rows.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { findTime } from '../servers/row-numbers.ts';
import {
  type Failure,
  findDue,
  GRACE_SECONDS,
  listDaysBefore,
  MARGIN_SECONDS,
  makeFailure,
  type WaitingDay,
} from './due-days.ts';
import type { Retention } from './retention.ts';
import { showSlices, stageSlices } from './seal.ts';
import { noteSealed } from './sealed-until.ts';
import { removeBrought, removeHidden, removeStrays } from './sweep.ts';

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  log: Log;
  trust: Pick<Trust, 'look'>;
  retention: Pick<Retention, 'removeExpired'>;
  /** Sends waiting hits to the servers that respond. Gives the progress: which rows each server has received. */
  ship(): Promise<Progress>;
};

/**
 * Seals past days, makes totals-only days of old days, and deletes leftovers of imports and deleted sites. If one step
 * fails, the other steps still run. While `trust` says that the clock may be wrong, nothing runs, because a day may not
 * be over.
 */
export async function runNight(deps: Deps, stop?: AbortSignal): Promise<SealResult> {
  const { trust, log } = deps;
  let night: SealResult = { days: 0, failed: [] };
  if (!trust.look()) return night;
  const works = [
    async () => {
      night = await sealDays(deps, stop);
      if (night.days > 0) log('days sealed', { days: night.days });
    },
    () => deps.retention.removeExpired(),
    () => removeBrought(deps),
    () => removeHidden(deps),
    () => removeStrays(deps),
  ];
  await tryEach(works, async (work) => {
    if (!stop?.aborted) await work();
  });
  return night;
}

/** Lists the days that have rows in `activity`, the table of hits and heartbeats of open days. */
async function listWaiting({ nodes }: Pick<Deps, 'nodes'>): Promise<WaitingDay[]> {
  const rows = await nodes.ask<WaitingDay>(
    'SELECT site AS siteId, day, count() AS rows FROM activity GROUP BY site, day',
  );
  return sumRows(rows, ['siteId', 'day']).sort((one, other) => one.day - other.day || one.siteId - other.siteId);
}

/**
 * Up to 200 days, or days with 1,000,000 rows in all, are sealed together. A larger day is sealed alone, because a
 * statement needs memory for its rows.
 */
const DAYS_AT_ONCE = 200;
const ROWS_AT_ONCE = 1_000_000;

/**
 * Writes in one text which slices and imports of a day count. If the text changes while the day is being sealed, the
 * selected rows are no longer those that count.
 */
const describeShown = (db: Db, { siteId, day }: SiteDay): string =>
  JSON.stringify([listSlices, listGone, listOpenImports].map((list) => list(db, siteId, day, day + 1)));

const NOTHING_SHOWN = JSON.stringify([[], [], []]);

/**
 * Divides days into groups that one statement seals. A day that was sealed before or has imports is sealed alone,
 * because not all of its rows count.
 */
function makePortions(db: Db, due: readonly WaitingDay[]): WaitingDay[][] {
  const portions: WaitingDay[][] = [];
  let [days, rows] = [0, 0];
  for (const one of due) {
    const isSimple = describeShown(db, one) === NOTHING_SHOWN;
    if (portions.length === 0 || !isSimple || days >= DAYS_AT_ONCE || rows + one.rows > ROWS_AT_ONCE) {
      portions.push([]);
      [days, rows] = [0, 0];
    }
    portions.at(-1)?.push(one);
    days += isSimple ? 1 : DAYS_AT_ONCE;
    rows += one.rows;
  }
  return portions;
}

/**
 * Makes SQL that selects the rows to seal, up to the row number `after`. Some servers may still lack later rows, so
 * these rows are sealed the next time.
 */
function selectDueRows(db: Db, days: readonly SiteDay[], after: number): string {
  const [first] = days;
  if (first && days.length === 1) {
    const range = { from: first.day, to: first.day + 1 };
    return `SELECT * FROM (${selectOpenRows(first.siteId, [range], readKnownDays(db, first.siteId, range).shown)}) WHERE seq <= ${after}`;
  }
  const pairs = days.map(({ siteId, day }) => `(${siteId}, ${day})`).join(', ');
  return `SELECT * FROM activity WHERE (site, day) IN (${pairs}) AND import = 0 AND seq <= ${after}`;
}

/**
 * Rows up to the number `after` are sealed. With `isPatient`, sealing fails if one server fails, and is tried again.
 * Otherwise sealing goes on without that server.
 */
type SealUntil = { after: number; isPatient: boolean };

/**
 * Seals days. Returns how many sealed days were shown. While a day is being sealed, an import may begin or cease to
 * count on that day. Then the wrong rows were sealed, so the new slice of the day is not shown. The day is sealed
 * again, alone, from the rows that count now.
 */
async function sealSome(deps: Deps, days: readonly WaitingDay[], until: SealUntil): Promise<number> {
  const { db, nodes, clock } = deps;
  const { after, isPatient } = until;
  const { rows, before } = db.read(() => ({
    rows: selectDueRows(db, days, after),
    // A group of several days has only live rows that were never sealed. So these days must have no slices and no
    // imports.
    before: days.length === 1 && days[0] ? describeShown(db, days[0]) : NOTHING_SHOWN,
  }));
  const isUnchanged = (day: SiteDay) => describeShown(db, day) === before;
  const isOver = (day: SiteDay) => !isDayImported(db, day.siteId, day.day) && isUnchanged(day);
  const arrivals = await nodes.ask<Arrivals>(
    `SELECT site AS siteId, day, min(seq) AS first, max(seq) AS last FROM (${rows}) GROUP BY siteId, day`,
  );
  if (arrivals.length === 0) return 0;
  const staging = { importId: null, after, isPatient, isOver, now: seconds(clock) };
  const slices = await stageSlices(deps, rows, days, staging);
  const { changed, shown } = db.write(() => ({
    changed: days.filter((day) => !isUnchanged(day)),
    shown: showSlices(db, slices, {
      ...{ now: seconds(clock), isUnchanged },
      findSince: (day) => noteLate(db, day, arrivals),
    }),
  }));
  let count = shown;
  for (const day of changed) count += await sealSome(deps, [day], until);
  return count;
}

/** The numbers of the first and the last row of a day, on one shard. Row numbers tell when rows came. */
type Arrivals = SiteDay & { first: number; last: number };

/**
 * Notes late hits of a day when the day is sealed. A sealed day does not tell which of its hits came later than others.
 * So if its hits came on different days, some past answers about the day cannot be repeated (catalog/late-hits.ts).
 *
 * Returns 0 if the row that arrived first came in time. Otherwise returns the number of the change (a journal entry)
 * that stands for the late hits. If the day already has a slice, all of its new rows count as late.
 */
function noteLate(db: Db, { siteId, day }: SiteDay, arrivals: readonly Arrivals[]): number {
  const own = arrivals.filter((one) => one.siteId === siteId && one.day === day);
  const first = findTime(Math.min(...own.map((one) => one.first)));
  const last = findTime(Math.max(...own.map((one) => one.last)));
  const [began, ended] = [findDayOfArrival(db, siteId, first), findDayOfArrival(db, siteId, last)];
  const isSealedAgain = listSlices(db, siteId, day, day + 1).length > 0;
  const since = isSealedAgain || day < began ? addLate(db, { siteId, day }, first) : 0;
  if ((since === 0 ? day : began) < ended) addLate(db, { siteId, day, lostSince: since }, last);
  return since;
}

/** A day that only waits for rows is no fault, so it is not logged. */
function logFailure({ log }: Deps, failure: Failure): Failure {
  const { waits, ...details } = failure;
  if (!waits) log('day not sealed. The server tries again', details);
  return failure;
}

async function sealDays(deps: Deps, stop?: AbortSignal): Promise<SealResult> {
  const { db, clock } = deps;
  const now = seconds(clock);
  const night: SealResult = { days: 0, failed: [] };
  // Hits of a day's last seconds may still arrive. So a day is sealed at the earliest 30 s after its end.
  const past = listDaysBefore(db, await listWaiting(deps), now - MARGIN_SECONDS);
  if (past.length === 0) return night;
  const { due, after, waiting } = await findDue(deps, past);
  if (waiting) night.failed.push(logFailure(deps, waiting));
  if (due.length > 0) noteSealed(db, { after, now });
  const portions = makePortions(db, due);
  for (let portion = portions.shift(); portion && !stop?.aborted; portion = portions.shift()) {
    const isPatient = listDaysBefore(db, portion, now - GRACE_SECONDS).length === 0;
    try {
      night.days += await sealSome(deps, portion, { after, isPatient });
    } catch (error) {
      const [one] = portion;
      // If sealing a group of days fails, each day is tried alone. So one faulty day does not keep the other days open.
      if (!one || portion.length > 1) portions.unshift(...portion.map((day) => [day]));
      else night.failed.push(logFailure(deps, makeFailure(db, one, findReason(error), isPatient)));
    }
  }
  return night;
}
