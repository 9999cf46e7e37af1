// The nightly work seals past days: it makes stored visits from their rows. It also deletes hits that are older than a
// site's setting allows, and leftover rows of ended imports.
//
// Invariant: a day is sealed only when every complete server has all rows of the day from all senders. Rows that arrive
// at a server after sealing would not be in its sealed day.
//
// Example: a day of a site ends at 00:00. At 00:01 server B has not received all rows of the day, so the day is not
// sealed yet. At 00:11 B becomes `lacking` (it is not used), and the day is sealed without B. Later the missing rows
// are copied to B. If a collector does not answer, the day stays open until the collector answers or the operator
// removes it.
//
// engine.ts calls `runNight`.
import { isAbout } from '../../catalog/exclusion-days.ts';
import { type SiteDay, setSumsOnly } from '../../catalog/sealed-days.ts';
import type { SealResult } from '../../engine/engine.ts';
import type { Log } from '../../lib/log.ts';
import { findReason } from '../../lib/reason.ts';
import { type Clock, DAY, formatDay, MINUTE, seconds } from '../../lib/time.ts';
import { tryEach } from '../../lib/try-each.ts';
import type { Progress } from '../../store/cluster/collectors.ts';
import type { Db } from '../../store/db.ts';
import type { Trust } from '../../store/server/clock-trust.ts';
import { listKeepingSites, listSiteDomains } from '../../store/sites/sites.ts';
import { makeDayFinder } from '../../store/sites/zones.ts';
import { readKnownDays } from '../query/catalog-snapshot.ts';
import { selectOpenRows } from '../query/visible-rows.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { findLeastShipped, type LeastShipped, listLate, listProgress } from './collectors-progress.ts';
import { removeLeft, showSlices, stageSlices } from './seal.ts';
import { removeBrought, removeHidden } from './sweep.ts';

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  log: Log;
  trust: Pick<Trust, 'look'>;
  /**
   * Sends all waiting hits to the ClickHouse servers that answer. Gives the progress: which rows each server has
   * received. A past day is stored as visits (sealed) only when all its rows have arrived.
   */
  ship(): Promise<Progress>;
};

/**
 * Seals past days (stores them as visits), and deletes old hits and leftovers of imports. If one step fails, the other
 * steps still run. While the clock may be wrong (`trust`), nothing runs, because a day may not be over.
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
    () => removeExpired(deps),
    () => removeBrought(deps),
    () => removeHidden(deps),
  ];
  await tryEach(works, async (work) => {
    if (!stop?.aborted) await work();
  });
  return night;
}

type WaitingDay = SiteDay & { rows: number };

/** Lists the days of all sites that have rows: hits that may not be stored as visits (sealed) yet. */
async function listWaiting({ nodes }: Pick<Deps, 'nodes'>): Promise<WaitingDay[]> {
  const rows = await nodes.ask<WaitingDay>(
    'SELECT site AS siteId, day, count() AS rows FROM activity GROUP BY site, day',
  );
  return sumRows(rows, ['siteId', 'day']).sort((one, other) => one.day - other.day || one.siteId - other.siteId);
}

/**
 * Up to 200 days, or days with 1,000,000 rows in all, are sealed (stored as visits) together: one statement for each
 * small day would be slow. A day with more rows is sealed alone, because a statement needs memory for its rows.
 */
const DAYS_AT_ONCE = 200;
const ROWS_AT_ONCE = 1_000_000;

/**
 * Divides days into groups that are sealed (stored as visits) by one statement. A day that was sealed before or has
 * imports is sealed alone: not all of its rows count, so its statement has more conditions.
 */
function makePortions(db: Db, due: readonly WaitingDay[]): WaitingDay[][] {
  const portions: WaitingDay[][] = [];
  let [days, rows] = [0, 0];
  for (const one of due) {
    const { shown } = readKnownDays(db, one.siteId, { from: one.day, to: one.day + 1 });
    const isSimple = shown.slices.length + shown.closed.length + shown.imports.length === 0;
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
 * Makes SQL that selects the rows (hits) to store as visits, up to the row number `after`. Rows with higher numbers may
 * not have arrived at all servers yet. They are sealed the next time.
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
 * Sealing stores the rows of a day as visits, up to the row number `after`. With `isPatient`, sealing fails and is
 * tried again if one server fails. Otherwise it goes on without that server, which then lacks the day.
 */
type SealUntil = { after: number; isPatient: boolean };

/**
 * Stores the rows of past days as visits, which then count in answers in place of the rows (sealing). Gives how many of
 * the days have visits.
 */
async function sealSome(deps: Deps, days: readonly WaitingDay[], { after, isPatient }: SealUntil): Promise<number> {
  const { db, nodes, clock } = deps;
  const rows = selectDueRows(db, days, after);
  const found = await nodes.ask<{ n: number }>(`SELECT count() AS n FROM (${rows})`);
  if (found.every(({ n }) => n === 0)) return 0;
  const slices = await stageSlices(deps, rows, days, { importId: null, after, isPatient, now: seconds(clock) });
  return showSlices(db, slices, seconds(clock));
}

type Failure = SealResult['failed'][number];

/**
 * Describes for the operator why a past day is not stored as visits (sealed). `waits` is true if the day only waits for
 * rows that have not arrived. That is no fault: sealing is tried again a minute later.
 */
function makeFailure(db: Db, { siteId, day }: SiteDay, reason: string, waits: boolean): Failure {
  const domain = listSiteDomains(db).find(({ id }) => id === siteId)?.domain ?? '';
  return { domain, day: formatDay(day * DAY), reason, waits };
}

/**
 * Writes to the log why a past day was not stored as visits (sealed). A day that only waits for rows is no fault and
 * not logged.
 */
function logFailure({ log }: Deps, failure: Failure): Failure {
  const { waits, ...details } = failure;
  if (!waits) log('day not sealed; it is tried again', details);
  return failure;
}

/**
 * Hits of a day's last second may be written up to 30 s later. So a day is stored as visits (sealed) only when all rows
 * until 00:00:30 have arrived.
 */
const MARGIN_SECONDS = 30;

/** Lists those of `days` that were over at `moment`. A day ends at midnight in the time zone of its site. */
function listDaysBefore(db: Db, days: readonly WaitingDay[], moment: number): WaitingDay[] {
  const findToday = makeDayFinder(db, moment);
  return days.filter(({ siteId, day }) => day < (findToday(siteId) ?? 0));
}

/**
 * A server may not have received all rows of a past day. Then storing the day as visits (sealing) waits for 10 minutes
 * after the day's end. After that, the server is left out: it is not used until its missing rows are copied.
 */
const GRACE_SECONDS = 10 * MINUTE;

/**
 * `due` has the days that can be sealed (stored as visits) now. All rows up to the number `after` have arrived at all
 * servers. `waiting` tells the operator why another day must wait.
 */
type DueDays = { due: WaitingDay[]; after: number; waiting: Failure | undefined };

/**
 * Finds past days whose rows have all arrived at every server in use. A server may be late with a day that ended over
 * 10 minutes ago. Then the server is not used any more (state `lacking`), and the day is stored as visits (sealed)
 * without it.
 */
async function findDue({ db, nodes, clock, ship }: Deps, past: readonly WaitingDay[]): Promise<DueDays> {
  const senders = listProgress(db, await ship());
  const now = seconds(clock);
  const complete = nodes.listComplete();
  const dueBy = ({ until }: LeastShipped) => listDaysBefore(db, past, Math.min(now, until - MARGIN_SECONDS));
  let least = findLeastShipped(senders, complete);
  let due = dueBy(least);
  const late = due.length < past.length ? listLate(senders, complete) : [];
  let isWaiting = late.length > 0;
  if (isWaiting) {
    const others = findLeastShipped(
      senders,
      complete.filter((node) => !late.includes(node)),
    );
    const more = dueBy(others).filter((one) => !due.includes(one));
    if (listDaysBefore(db, more, now - GRACE_SECONDS).length > 0) {
      for (const node of late) nodes.leaveOut(node);
      [least, due, isWaiting] = [others, dueBy(others), false];
    }
  }
  const first = past.find((one) => !due.includes(one));
  const [server] = isWaiting ? late : [];
  const reason = server
    ? `the server ${new URL(server.url).host} of the cluster has not received all of it; without it days are sealed ${GRACE_SECONDS / MINUTE} minutes after their end`
    : least.reason;
  return { due, after: least.next - 1, waiting: first && makeFailure(db, first, reason, true) };
}

async function sealDays(deps: Deps, stop?: AbortSignal): Promise<SealResult> {
  const { db, clock } = deps;
  const now = seconds(clock);
  const night: SealResult = { days: 0, failed: [] };
  const past = listDaysBefore(db, await listWaiting(deps), now);
  if (past.length === 0) return night;
  const { due, after, waiting } = await findDue(deps, past);
  if (waiting) night.failed.push(logFailure(deps, waiting));
  const portions = makePortions(db, due);
  for (let portion = portions.shift(); portion && !stop?.aborted; portion = portions.shift()) {
    const isPatient = listDaysBefore(db, portion, now - GRACE_SECONDS).length === 0;
    try {
      night.days += await sealSome(deps, portion, { after, isPatient });
    } catch (error) {
      const [one] = portion;
      // If storing a group of days as visits fails, each of its days is tried alone. So one faulty day does not stop
      // all days.
      if (!one || portion.length > 1) portions.unshift(...portion.map((day) => [day]));
      else night.failed.push(logFailure(deps, makeFailure(db, one, findReason(error), isPatient)));
    }
  }
  return night;
}

/**
 * Deletes the visits of days that are older than the site's setting (`keepDays`); only sums of these days stay. The
 * database notes that first, so answers no longer read the visits. Visits that an interrupted run left on a server are
 * deleted too.
 */
async function removeExpired({ db, nodes, clock }: Deps): Promise<void> {
  const findToday = makeDayFinder(db, seconds(clock));
  await tryEach(listKeepingSites(db), async ({ id: siteId, keepDays }) => {
    const today = findToday(siteId) ?? 0;
    const slices = listExpired(db, siteId, keepDays, today);
    db.write(() => {
      for (const { id } of slices) setSumsOnly(db, id);
    });
    const { shown } = readKnownDays(db, siteId, { from: 0, to: Math.max(0, today - keepDays) });
    const hidden = shown.slices.filter(({ hasHits }) => hasHits === 0).map(({ id }) => ({ siteId, id }));
    await removeLeft(nodes, hidden, { tables: ['visit'] });
  });
}

/**
 * Lists the past days whose stored visits are older than the site's setting, and must be deleted. A day with an
 * exclusion (a filter against bots) keeps its visits: without them, the excluded visits could not be left out of its
 * sums.
 */
export function listExpired(db: Db, siteId: number, keepDays: number, today: number) {
  const { shown, exclusions } = readKnownDays(db, siteId, { from: 0, to: Math.max(0, today - keepDays) });
  return shown.slices.filter(({ hasHits, day }) => hasHits === 1 && !exclusions.some((one) => isAbout(one, day)));
}
