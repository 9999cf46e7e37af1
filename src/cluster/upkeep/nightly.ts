// The nightly work seals past days, deletes hits that are older than the retention allows, and deletes leftover rows of
// ended imports.
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
   * Sends all hits that were acknowledged before this call to the servers that answer. Then gives the progress: which
   * rows each server has received.
   */
  ship(): Promise<Progress>;
};

/** Does the nightly work. If one step fails, the other steps still run. */
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

/** Lists the days of all sites that have rows. */
async function listWaiting({ nodes }: Pick<Deps, 'nodes'>): Promise<WaitingDay[]> {
  const rows = await nodes.ask<WaitingDay>(
    'SELECT site AS siteId, day, count() AS rows FROM activity GROUP BY site, day',
  );
  return sumRows(rows, ['siteId', 'day']).sort((one, other) => one.day - other.day || one.siteId - other.siteId);
}

/**
 * Up to 200 days are sealed together, or fewer days if they have 1,000,000 rows together. A day with more rows is
 * sealed alone.
 */
const DAYS_AT_ONCE = 200;
const ROWS_AT_ONCE = 1_000_000;

/**
 * Divides days into groups that are sealed together. A day that was sealed before or has imports is sealed alone,
 * because not all of its rows count.
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

/** Selects the rows of days that can be sealed, up to the row number `after`. */
function selectDueRows(db: Db, days: readonly SiteDay[], after: number): string {
  const [first] = days;
  if (first && days.length === 1) {
    const range = { from: first.day, to: first.day + 1 };
    return `SELECT * FROM (${selectOpenRows(first.siteId, [range], readKnownDays(db, first.siteId, range).shown)}) WHERE seq <= ${after}`;
  }
  const pairs = days.map(({ siteId, day }) => `(${siteId}, ${day})`).join(', ');
  return `SELECT * FROM activity WHERE (site, day) IN (${pairs}) AND import = 0 AND seq <= ${after}`;
}

/** `after` is the highest row number that is sealed. With `isPatient`, sealing fails if one server fails. */
type SealUntil = { after: number; isPatient: boolean };

/** Seals the rows of past days that are not sealed yet. Gives how many of the days have visits. */
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
 * Describes why a day is not sealed yet. `waits` is true if the day only waits for rows. That is no fault, because
 * sealing is soon tried again.
 */
function makeFailure(db: Db, { siteId, day }: SiteDay, reason: string, waits: boolean): Failure {
  const domain = listSiteDomains(db).find(({ id }) => id === siteId)?.domain ?? '';
  return { domain, day: formatDay(day * DAY), reason, waits };
}

/** Writes a fault to the log. Days that only wait for rows are not logged here. */
function logFailure({ log }: Deps, failure: Failure): Failure {
  const { waits, ...details } = failure;
  if (!waits) log('day not sealed; it is tried again', details);
  return failure;
}

/** A hit of the last second of a day may be written up to 30 s after the end of the day. */
const MARGIN_SECONDS = 30;

/** Lists those of `days` that had ended at `moment`, in the time zones of their sites. */
function listDaysBefore(db: Db, days: readonly WaitingDay[], moment: number): WaitingDay[] {
  const findToday = makeDayFinder(db, moment);
  return days.filter(({ siteId, day }) => day < (findToday(siteId) ?? 0));
}

/**
 * A server may lack rows of a past day. Sealing that day waits for this server until 10 minutes after the end of the
 * day. Then the day is sealed without this server.
 */
const GRACE_SECONDS = 10 * MINUTE;

/**
 * `due` has the days that can be sealed now, with rows up to the number `after`. `waiting` describes the first day
 * that cannot be sealed yet.
 */
type DueDays = { due: WaitingDay[]; after: number; waiting: Failure | undefined };

/**
 * Finds days whose rows every complete server has received. If a day ended more than 10 minutes ago, servers without
 * all its rows become `lacking`. A `lacking` server is not used until its missing rows are copied.
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
      // If sealing a group fails, each of its days is tried alone. So one faulty day does not stop the others.
      if (!one || portion.length > 1) portions.unshift(...portion.map((day) => [day]));
      else night.failed.push(logFailure(deps, makeFailure(db, one, findReason(error), isPatient)));
    }
  }
  return night;
}

/**
 * Makes a day totals-only when its retention is over. First the database file notes that the day has no hits. Then the
 * visits are deleted from the servers. Each server is asked which visits it still has, because earlier nightly work may
 * have been interrupted.
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
 * Lists the sealed days whose hits must be deleted. If a day has an exclusion, its hits stay, because visits cannot
 * be excluded from sums.
 */
export function listExpired(db: Db, siteId: number, keepDays: number, today: number) {
  const { shown, exclusions } = readKnownDays(db, siteId, { from: 0, to: Math.max(0, today - keepDays) });
  return shown.slices.filter(({ hasHits, day }) => hasHits === 1 && !exclusions.some((one) => isAbout(one, day)));
}
