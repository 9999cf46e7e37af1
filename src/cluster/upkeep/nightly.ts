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
import { daysOfSites } from '../../store/sites/zones.ts';
import { knownOf } from '../query/catalog-snapshot.ts';
import { openRows } from '../query/visible-rows.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { type LeastShipped, leastShipped, listLate, listProgress } from './collectors-progress.ts';
import { removeLeft, showParts, stageParts } from './seal.ts';
import { removeBrought } from './sweep.ts';

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  log: Log;
  trust: Pick<Trust, 'look'>;
  /** Sends what was acknowledged here before to the servers that answer, and says how far each is. */
  ship(): Promise<Progress>;
};

type Waiting = SiteDay & { rows: number };

/** The days that have rows, of all sites. */
async function listWaiting({ nodes }: Pick<Deps, 'nodes'>): Promise<Waiting[]> {
  const rows = await nodes.ask<Waiting>('SELECT site AS siteId, day, count() AS rows FROM activity GROUP BY site, day');
  return sumRows(rows, ['siteId', 'day']).sort((one, other) => one.day - other.day || one.siteId - other.siteId);
}

/** So many days are sealed at once, with so many rows together; a day with more is sealed alone. */
const DAYS_AT_ONCE = 200;
const ROWS_AT_ONCE = 1_000_000;

/** Days that are sealed together: those that were never sealed and have no imports, of which all rows count. */
function portionsOf(db: Db, due: readonly Waiting[]): Waiting[][] {
  const portions: Waiting[][] = [];
  let [days, rows] = [0, 0];
  for (const one of due) {
    const { shown } = knownOf(db, one.siteId, { from: one.day, to: one.day + 1 });
    const isSimple = shown.parts.length + shown.gone.length + shown.imports.length === 0;
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

/** The rows of days that are to be sealed. */
function dueRows(db: Db, days: readonly SiteDay[], after: number): string {
  const [first] = days;
  if (first && days.length === 1) {
    const range = { from: first.day, to: first.day + 1 };
    return `SELECT * FROM (${openRows(first.siteId, [range], knownOf(db, first.siteId, range).shown)}) WHERE seq <= ${after}`;
  }
  const pairs = days.map(({ siteId, day }) => `(${siteId}, ${day})`).join(', ');
  return `SELECT * FROM activity WHERE (site, day) IN (${pairs}) AND import = 0 AND seq <= ${after}`;
}

/** Up to which row days are sealed; while it is patient, all servers must be there. */
type Sealing = { after: number; isPatient: boolean };

/** Seals what came to past days since they were sealed last; gives how many have visits. */
async function sealSome(deps: Deps, days: readonly Waiting[], { after, isPatient }: Sealing): Promise<number> {
  const { db, nodes, clock } = deps;
  const rows = dueRows(db, days, after);
  const found = await nodes.ask<{ n: number }>(`SELECT count() AS n FROM (${rows})`);
  if (found.every(({ n }) => n === 0)) return 0;
  const parts = await stageParts(deps, rows, days, { importId: null, after, isPatient, now: seconds(clock) });
  return showParts(db, parts, seconds(clock));
}

type Failure = SealResult['failed'][number];

/** Why a day stays open. What only waits for something is no fault. */
function failureOf(db: Db, { siteId, day }: SiteDay, reason: string, waits: boolean): Failure {
  const domain = listSiteDomains(db).find(({ id }) => id === siteId)?.domain ?? '';
  return { domain, day: formatDay(day * DAY), reason, waits };
}

/** Logs a fault. What waits is noted by the jobs. */
function logged({ log }: Deps, failure: Failure): Failure {
  const { waits, ...details } = failure;
  if (!waits) log('day not sealed; it is tried again', details);
  return failure;
}

/** What is taken in the last moment of a day may be written in the first of the next. */
const MARGIN_SECONDS = 30;

/** The days that were over at a moment. */
function daysBefore(db: Db, days: readonly Waiting[], moment: number): Waiting[] {
  const todayOf = daysOfSites(db, moment);
  return days.filter(({ siteId, day }) => day < (todayOf(siteId) ?? 0));
}

/** A server that lacks something is waited for until a day has been over for so long; then days are sealed without it. */
const GRACE_SECONDS = 10 * MINUTE;

/** Which days can be sealed, and up to which row; the first that cannot, and why. What only waits for a server is soon tried again. */
type Due = { due: Waiting[]; after: number; held: Failure | undefined };

/**
 * Days are sealed when every complete server has what all senders took of them. Servers that lack it for longer, while another of their
 * shard has it, are left out: from then on they are filled before they are asked again.
 */
async function findDue({ db, nodes, clock, ship }: Deps, past: readonly Waiting[]): Promise<Due> {
  const senders = listProgress(db, await ship());
  const now = seconds(clock);
  const complete = nodes.listComplete();
  const dueBy = ({ until }: LeastShipped) => daysBefore(db, past, Math.min(now, until - MARGIN_SECONDS));
  let least = leastShipped(senders, complete);
  let due = dueBy(least);
  const late = due.length < past.length ? listLate(senders, complete) : [];
  let isWaiting = late.length > 0;
  if (isWaiting) {
    const others = leastShipped(
      senders,
      complete.filter((node) => !late.includes(node)),
    );
    const more = dueBy(others).filter((one) => !due.includes(one));
    if (daysBefore(db, more, now - GRACE_SECONDS).length > 0) {
      for (const node of late) nodes.leaveOut(node);
      [least, due, isWaiting] = [others, dueBy(others), false];
    }
  }
  const held = past.find((one) => !due.includes(one));
  const [server] = isWaiting ? late : [];
  const reason = server
    ? `the server ${new URL(server.url).host} of the cluster has not received all of it; without it days are sealed ${GRACE_SECONDS / MINUTE} minutes after their end`
    : least.reason;
  return { due, after: least.next - 1, held: held && failureOf(db, held, reason, true) };
}

async function sealDays(deps: Deps, stop?: AbortSignal): Promise<SealResult> {
  const { db, clock } = deps;
  const now = seconds(clock);
  const night: SealResult = { days: 0, failed: [] };
  const past = daysBefore(db, await listWaiting(deps), now);
  if (past.length === 0) return night;
  const { due, after, held } = await findDue(deps, past);
  if (held) night.failed.push(logged(deps, held));
  const portions = portionsOf(db, due);
  for (let portion = portions.shift(); portion && !stop?.aborted; portion = portions.shift()) {
    const isPatient = daysBefore(db, portion, now - GRACE_SECONDS).length === 0;
    try {
      night.days += await sealSome(deps, portion, { after, isPatient });
    } catch (error) {
      const [one] = portion;
      // Which of them it was shows when they are tried alone.
      if (!one || portion.length > 1) portions.unshift(...portion.map((day) => [day]));
      else night.failed.push(logged(deps, failureOf(db, one, findReason(error), isPatient)));
    }
  }
  return night;
}

/**
 * Of days that are older than their site keeps its hits only the sums stay. They are hidden before they are deleted, and each server is
 * asked what it still has of them, because an earlier night may have been cut off in between.
 */
async function removeExpired({ db, nodes, clock }: Deps): Promise<void> {
  const todayOf = daysOfSites(db, seconds(clock));
  await tryEach(listKeepingSites(db), async ({ id: siteId, keepDays }) => {
    const today = todayOf(siteId) ?? 0;
    const parts = listExpired(db, siteId, keepDays, today);
    db.write(() => {
      for (const { id } of parts) setSumsOnly(db, id);
    });
    const { shown } = knownOf(db, siteId, { from: 0, to: Math.max(0, today - keepDays) });
    const hidden = shown.parts.filter(({ hasHits }) => hasHits === 0).map(({ id }) => ({ siteId, id }));
    await removeLeft(nodes, hidden, { tables: ['visit'] });
  });
}

/** Those whose visits are not set aside by anything: of sums nothing can be taken any more. */
export function listExpired(db: Db, siteId: number, keepDays: number, today: number) {
  const { shown, exclusions } = knownOf(db, siteId, { from: 0, to: Math.max(0, today - keepDays) });
  return shown.parts.filter(({ hasHits, day }) => hasHits === 1 && !exclusions.some((one) => isAbout(one, day)));
}

/** Seals past days, and lets go what is over. What fails of it stops none of the rest. */
export async function nightly(deps: Deps, stop?: AbortSignal): Promise<SealResult> {
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
  ];
  await tryEach(works, async (work) => {
    if (!stop?.aborted) await work();
  });
  return night;
}
