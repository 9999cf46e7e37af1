import { findDayOfSite, listDead, removeDay } from '../catalog/day-states.ts';
import { isBeingBrought, removeDeadImports, removeSiteImports } from '../catalog/imports.ts';
import { type SiteDay, setSumsOnly } from '../catalog/sealed-days.ts';
import type { Night } from '../engine.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, DAY, dayOf, seconds } from '../lib/time.ts';
import { listKeepingSites, listSiteDomains, listSiteIds, wasRemoved } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import type { Trust } from '../store/trust.ts';
import { daysOfSites } from '../store/zones.ts';
import { knownOf } from './catalog.ts';
import type { LeastShipped } from './collectors.ts';
import { dropBrought } from './imports.ts';
import { type Nodes, summed } from './nodes.ts';
import { isAbout } from './plan.ts';
import { removeParts, showParts, stageParts } from './seal.ts';
import { openRows } from './source.ts';
import { skipUnknown } from './unknown.ts';

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  log: Log;
  trust: Pick<Trust, 'look'>;
  /** What waits to be sent. */
  outbox: Pick<Db, 'emptyWal'>;
  /** Resolves when all that was acknowledged here before is on every server; gives up to where that is so of all collectors. */
  shipped(): Promise<LeastShipped>;
};

/** Questions that began before a day was sealed may still read its rows. */
const PATIENCE_SECONDS = 60;
/** What was staged earlier belongs to an import or sealing that has failed. */
const ABANDONED_SECONDS = DAY;

type Waiting = SiteDay & { rows: number };

/** The days that have rows, of all sites. */
async function listWaiting({ nodes }: Pick<Deps, 'nodes'>): Promise<Waiting[]> {
  const rows = await nodes.ask<Waiting>('SELECT site AS siteId, day, count() AS rows FROM activity GROUP BY site, day');
  return summed(rows, ['siteId', 'day']).sort((one, other) => one.day - other.day || one.siteId - other.siteId);
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

/** Seals what came to past days since they were sealed last; gives how many have visits. */
async function sealSome(deps: Deps, days: readonly Waiting[], after: number): Promise<number> {
  const { db, nodes, clock } = deps;
  const rows = dueRows(db, days, after);
  const found = await nodes.ask<{ n: number }>(`SELECT count() AS n FROM (${rows})`);
  if (found.every(({ n }) => n === 0)) return 0;
  const parts = await stageParts(deps, rows, days, { importId: null, after, now: seconds(clock) });
  return showParts(db, parts);
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error;
  return ((cause as Error | undefined)?.message ?? message).split('\n')[0] ?? '';
};

/** Logs that a day stays open, and why. */
function failureOf({ db, log }: Deps, { siteId, day }: SiteDay, reason: string): Night['failed'][number] {
  const domain = listSiteDomains(db).find(({ id }) => id === siteId)?.domain ?? '';
  const failure = { domain, day: dayOf(day * DAY), reason };
  log('day not sealed; it is tried again', failure);
  return failure;
}

/** What is taken in the last moment of a day may be written in the first of the next. */
const MARGIN_SECONDS = 30;

/** The days that were over at a moment. */
function daysBefore(db: Db, days: readonly Waiting[], moment: number): Waiting[] {
  const todayOf = daysOfSites(db, moment);
  return days.filter(({ siteId, day }) => day < (todayOf(siteId) ?? 0));
}

async function sealDays(deps: Deps, now: number, stop?: AbortSignal): Promise<Night> {
  const { db } = deps;
  const night: Night = { days: 0, failed: [] };
  const past = daysBefore(db, await listWaiting(deps), now);
  if (past.length === 0) return night;
  const { next, until, reason } = await deps.shipped();
  const after = next - 1;
  const due = daysBefore(db, past, Math.min(now, until - MARGIN_SECONDS));
  const held = past.find((one) => !due.includes(one));
  if (held && reason !== undefined) night.failed.push(failureOf(deps, held, reason));
  const portions = portionsOf(db, due);
  for (let portion = portions.shift(); portion && !stop?.aborted; portion = portions.shift()) {
    try {
      night.days += await sealSome(deps, portion, after);
    } catch (error) {
      const [one] = portion;
      // Which of them it was shows when they are tried alone.
      if (!one || portion.length > 1) portions.unshift(...portion.map((day) => [day]));
      else night.failed.push(failureOf(deps, one, reasonOf(error)));
    }
  }
  return night;
}

/** Deletes the rows of days that are sealed, and their visitor codes with them; those of deleted sites too. */
async function removeSealedRows({ db, nodes }: Deps, now: number): Promise<void> {
  const sites = new Set(listSiteIds(db));
  const days = Map.groupBy(await listWaiting({ nodes }), ({ day }) => day);
  for (const [day, waiting] of days) {
    const ends = waiting.flatMap(({ siteId }): [number, number][] => {
      if (!sites.has(siteId)) return wasRemoved(db, siteId) ? [[siteId, Number.MAX_SAFE_INTEGER]] : [];
      const { parts, gone } = knownOf(db, siteId, { from: day, to: day + 1 }).shown;
      const own = [...parts, ...gone].filter(({ at }) => at <= now - PATIENCE_SECONDS);
      const after = Math.max(0, ...own.map((one) => one.after));
      return after > 0 ? [[siteId, after]] : [];
    });
    if (ends.length === 0) continue;
    const [ids, afters] = [ends.map(([siteId]) => siteId), ends.map(([, after]) => after)];
    await nodes.everywhere(
      `ALTER TABLE activity DELETE IN PARTITION ${day}
       WHERE seq <= transform(site, [${ids.join()}], [${afters.join()}]::Array(UInt64), 0::UInt64)`,
      { mutations_sync: '1' },
    );
  }
}

/** Deletes the rows of past days of imports that have ended in any way. */
async function removeBrought({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const rows = await nodes.ask<{ id: number }>('SELECT DISTINCT import AS id FROM brought');
  const ended = [...new Set(rows.map(({ id }) => id))].filter((id) => !isBeingBrought(db, id));
  await dropBrought(nodes, ended);
}

/** Deletes what was replaced, removed, or begun and never shown. */
async function removeDead({ db, nodes }: Deps, now: number): Promise<void> {
  const dead = listDead(db, now - PATIENCE_SECONDS, now - ABANDONED_SECONDS);
  for (const table of dead.length === 0 ? [] : (['visit', 'tally'] as const)) await removeParts(nodes, dead, table);
  for (const { id } of dead) db.write(() => removeDay(db, id));
  while (db.write(() => removeDeadImports(db, now - ABANDONED_SECONDS, 1_000)) > 0);
  await removeBrought({ db, nodes });
}

/** Of days that are older than their site keeps its hits only the sums stay. */
async function removeExpired({ db, nodes }: Deps, now: number): Promise<void> {
  const todayOf = daysOfSites(db, now);
  for (const { id: siteId, keepDays } of listKeepingSites(db)) {
    const parts = listExpired(db, siteId, keepDays, todayOf(siteId) ?? 0).map(({ id }) => ({ siteId, id }));
    db.write(() => {
      for (const { id } of parts) setSumsOnly(db, id);
    });
    if (parts.length > 0) await removeParts(nodes, parts, 'visit');
  }
}

/** Those whose visits are not set aside by anything: of sums nothing can be taken any more. */
export function listExpired(db: Db, siteId: number, keepDays: number, today: number) {
  const { shown, exclusions } = knownOf(db, siteId, { from: 0, to: Math.max(0, today - keepDays) });
  return shown.parts.filter(({ hasHits, day }) => hasHits === 1 && !exclusions.some((one) => isAbout(one, day)));
}

const UNKNOWN =
  'days were sealed on the cluster after the copy was made from which this file was restored; they are in no answer until a newer copy is restored';

export async function nightly(deps: Deps, stop?: AbortSignal): Promise<Night> {
  const { clock, trust, log, outbox } = deps;
  const now = seconds(clock);
  if (!trust.look()) return { days: 0, failed: [] };
  if (await skipUnknown(deps)) log(UNKNOWN, {});
  const night = await sealDays(deps, now, stop);
  if (stop?.aborted) return night;
  await removeExpired(deps, now);
  await removeSealedRows(deps, now);
  await removeDead(deps, now);
  // The WAL holds lines that were sent, and their visitor codes, until it is emptied.
  outbox.emptyWal();
  if (night.days > 0) log('days sealed', { days: night.days });
  return night;
}

/** Deletes all that is kept of a site. */
export async function forgetSite({ db, nodes }: Pick<Deps, 'db' | 'nodes'>, siteId: number): Promise<void> {
  for (const table of ['activity', 'brought', 'visit', 'tally', 'crawled', 'dropped'])
    await nodes.everywhere(`ALTER TABLE ${table} DELETE WHERE site = ${siteId}`, { mutations_sync: '1' });
  for (let id = findDayOfSite(db, siteId); id !== undefined; id = findDayOfSite(db, siteId)) {
    const day = id;
    db.write(() => removeDay(db, day));
  }
  while (db.write(() => removeSiteImports(db, siteId, 1_000)) > 0);
}
