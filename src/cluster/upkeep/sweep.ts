// A sweep deletes data that no answer counts any more. After a day is sealed, its rows are deleted, because they have
// visitor codes. Replaced days and the rows of deleted sites are deleted too.
//
// Invariant: a sweep changes no answer. The database file notes for a sealed day up to which number its rows were
// sealed (`after_id`). These rows do not count, because their hits are in the visits. When the rows are deleted,
// `after_id` becomes 0, and every later row of the day counts.
//
// Example: a day is sealed at 00:01 with rows up to number 900. At 00:02 the sweep deletes them. At 00:05 a collector
// with a wrong clock sends a hit of that day with number 850. This hit counts, and is sealed in the next night.
// engine.ts calls sweep each minute.

import { abandonOld } from '../../catalog/imported.ts';
import { isBeingImported, isImportOver, removeDeadImports, removeEndedImports } from '../../catalog/imports.ts';
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { findShownDayId, listDead, listUnswept, noteSwept, removeDay } from '../../catalog/swept-days.ts';
import { type Clock, DAY, HOUR, MINUTE, seconds } from '../../lib/time.ts';
import { tryEach } from '../../lib/try-each.ts';
import type { Db } from '../../store/db.ts';
import { type Deletion, endDeletion, listDeletions } from '../../store/sites/deletions.ts';
import { hasSite, wasRemoved } from '../../store/sites/sites.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { dropBrought } from './import-rows.ts';
import type { Retention } from './retention.ts';
import { removeLeft } from './seal.ts';

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  retention: Pick<Retention, 'removeHidden'>;
  /** Empties the write-ahead log of the outbox, which may still contain visitor codes of sent hits. */
  outbox: Pick<Db, 'emptyWal'>;
};

/** Rows of a sealed day are deleted 60 s after sealing. A query that began before sealing may still read them. */
const PATIENCE_SECONDS = 60;
/** An import or a sealing that takes longer than a day has failed. Then its rows are deleted. */
const ABANDONED_SECONDS = DAY;
/**
 * If sealing a day fails, the visits that were already written are deleted at once. The deletion is repeated an hour
 * later, because another server may still have been writing. After an hour no server writes any more, because
 * ClickHouse aborts each statement after 10 minutes.
 */
const LATE_SECONDS = HOUR;

/**
 * Sometimes a server does not respond while the sweep deletes rows of a sealed day, or days that an owner deleted. For
 * 10 minutes, the sweep repeats the deletion each minute. After that, the server becomes `lacking`. The server then
 * gets no queries until a fill has deleted these rows there. Otherwise, the rows would still count.
 */
const GRACE_SECONDS = 10 * MINUTE;

/**
 * Deletes the rows of sealed days and of deleted sites, the visits of totals-only days, and replaced or deleted days.
 * If one step fails, the other steps still run.
 */
export const sweep = (deps: Deps): Promise<void> =>
  tryEach(
    [
      ...[removeSealedRows, removeDead, finishDeletions],
      ...[() => deps.retention.removeHidden(), () => removeStrays(deps, ['activity'])],
    ],
    (remove) => remove(deps),
  );

/**
 * Asks every complete server that responds, because a deletion may have failed on only one replica of a shard. Gives
 * the rows of all answers (test/cluster/upkeep/leftovers.test.ts).
 */
async function askAll<Row extends object>(nodes: Nodes, sql: string): Promise<Row[]> {
  const found = await nodes.askEach((node) => nodes.askOne<Row>(node, sql));
  return found.flatMap(({ result }) => result);
}

/** Deletes the rows of ended imports from `brought`, the table for the rows of running imports. */
export async function removeBrought({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const rows = await askAll<{ id: number }>(nodes, 'SELECT DISTINCT import AS id FROM brought');
  const ended = [...new Set(rows.map(({ id }) => id))].filter((id) => !isBeingImported(db, id));
  await dropBrought(nodes, ended);
}

/**
 * Deletes the rows of failed or removed imports. A day that has only such rows is never sealed, so nothing else deletes
 * their visitor codes. If the database file never had the site of such rows, the rows stay. An operator can delete them
 * (`daybook cluster unknown --delete`).
 */
export async function removeHidden({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const sql = 'SELECT DISTINCT site AS siteId, import AS id FROM activity WHERE import <> 0';
  const isKnown = (siteId: number) => hasSite(db, siteId) || wasRemoved(db, siteId);
  const over = (await askAll<{ siteId: number; id: number }>(nodes, sql)).filter(
    ({ siteId, id }) => isKnown(siteId) && isImportOver(db, id),
  );
  if (over.length === 0) return;
  const pairs = [...new Set(over.map(({ siteId, id }) => `(${siteId}, ${id})`))].join();
  await nodes.everywhere(`ALTER TABLE activity DELETE WHERE (site, import) IN (${pairs})`, { mutations_sync: '1' });
}

/**
 * Deletes everything of a site from all servers. If a day of the site is being sealed now, the sweep deletes that day
 * later.
 */
export async function deleteSite({ db, nodes }: Pick<Deps, 'db' | 'nodes'>, siteId: number): Promise<void> {
  await removeSite(nodes, siteId);
  for (let id = findShownDayId(db, siteId); id !== undefined; id = findShownDayId(db, siteId)) {
    const day = id;
    db.write(() => removeDay(db, day));
  }
  db.write(() => removeEndedImports(db, siteId));
}

/**
 * Lists the days for which a server has rows. Each day is a partition (files of its own). ClickHouse lists partitions
 * without opening files, so this is much faster than reading rows.
 */
async function listRowDays(nodes: Nodes, node: Node): Promise<Set<number>> {
  const sql = `SELECT DISTINCT toUInt32(partition) AS day FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'activity'`;
  return new Set((await nodes.askOne<{ day: number }>(node, sql)).map(({ day }) => day));
}

/** Rows of a sealed day with a number up to `after` are in its visits and must be deleted. Later rows still count. */
export type SealedRows = SiteDay & { after: number };

/**
 * Deletes rows of one day from a server. `own` says for each site up to which number its rows are deleted. Later rows
 * still count.
 */
export async function removeRows(nodes: Nodes, node: Node, day: number, own: readonly SealedRows[]): Promise<void> {
  const ends = new Map<number, number>();
  for (const { siteId, after } of own) ends.set(siteId, Math.max(after, ends.get(siteId) ?? 0));
  const sql = `ALTER TABLE activity DELETE IN PARTITION ${day}
    WHERE seq <= transform(site, [${[...ends.keys()].join()}], [${[...ends.values()].join()}]::Array(UInt64), 0::UInt64)`;
  await nodes.run(node, sql, {}, { mutations_sync: '1' });
}

/** Deletes the rows of days that were sealed over a minute ago, because rows have visitor codes. The visits stay. */
async function removeSealedRows({ db, nodes, clock, outbox }: Deps): Promise<void> {
  const now = seconds(clock);
  const unswept = listUnswept(db, now - PATIENCE_SECONDS);
  if (unswept.length === 0) return;
  const isPatient = listUnswept(db, now - GRACE_SECONDS).length === 0;
  const days = Map.groupBy(unswept, ({ day }) => day);
  const remove = async (node: Node): Promise<void> => {
    const there = await listRowDays(nodes, node);
    for (const [day, own] of days) {
      if (there.has(day)) await removeRows(nodes, node, day, own);
    }
  };
  await nodes.removeOnEach(remove, { isPatient });
  db.write(() => {
    for (const { id } of unswept) noteSwept(db, id);
  });
  // The outbox deletes rows after sending them. But its write-ahead log may still have the rows of the sealed days,
  // with visitor codes. So the log is emptied.
  outbox.emptyWal();
}

/** Deletes the visits and sums of days that were replaced or removed, or whose sealing failed. */
async function removeDead({ db, nodes, clock }: Deps): Promise<void> {
  const now = seconds(clock);
  const before = now - ABANDONED_SECONDS;
  abandonOld(db, before);
  const dead = listDead(db);
  const over = dead.filter(({ at, wasShown }) => wasShown === 1 || at < now - LATE_SECONDS);
  // removeDay (below) removes the days in `over` from the database file. Then no later sweep could delete their visits
  // on a server that fails now. Such a server becomes `lacking`, and a fill replaces its rows. If `over` is empty, or
  // a deletion of the last 10 minutes is unfinished, a failing server stays in use. The next sweep tries again.
  const isPatient = over.length === 0 || listDeletions(db).some((deletion) => isRecent(deletion, now));
  await removeLeft(nodes, dead, { isPatient });
  for (const { id } of over) db.write(() => removeDay(db, id));
  while (db.write(() => removeDeadImports(db, before, 1_000)) > 0);
}

const isRecent = ({ at }: Deletion, now: number): boolean => at >= now - GRACE_SECONDS;

/**
 * Deletes the crawls and drops of days that an owner has deleted (`removeDead` deletes the visits). A server without
 * crawls and drops of these days gets no DELETE statement, because the nightly work waits for each such statement. An
 * owner may delete the same days many times.
 */
export async function finishDeletions({ db, nodes, clock }: Pick<Deps, 'db' | 'nodes' | 'clock'>): Promise<void> {
  for (const deletion of listDeletions(db)) {
    const { siteId, from, to } = deletion;
    for (const table of ['crawled', 'dropped']) {
      const condition = `WHERE site = ${siteId} AND day >= ${from} AND day < ${to}`;
      const remove = async (node: Node): Promise<void> => {
        const [left] = await nodes.askOne<{ n: number }>(node, `SELECT count() AS n FROM ${table} ${condition}`);
        if (left?.n !== 0)
          await nodes.run(node, `ALTER TABLE ${table} DELETE ${condition}`, {}, { mutations_sync: '1' });
      };
      await nodes.removeOnEach(remove, { isPatient: isRecent(deletion, seconds(clock)) });
    }
    db.write(() => endDeletion(db, deletion.id));
  }
}

const SITE_TABLES = ['activity', 'brought', 'visit', 'tally', 'crawled', 'dropped'];

/**
 * Deletes rows that arrived after their site was deleted, for example from a collector that was off. The sweep looks
 * for hits each minute, because hits have visitor codes. The nightly work looks into all tables, which takes longer.
 */
export async function removeStrays(
  { db, nodes }: Pick<Deps, 'db' | 'nodes'>,
  tables: readonly string[] = SITE_TABLES,
): Promise<void> {
  const sql = tables.map((table) => `SELECT DISTINCT site AS siteId FROM ${table}`).join(' UNION ALL ');
  const found = await askAll<{ siteId: number }>(nodes, sql);
  const strays = new Set(found.map(({ siteId }) => siteId).filter((id) => wasRemoved(db, id)));
  await tryEach(strays, (siteId) => removeSite(nodes, siteId));
}

async function removeSite(nodes: Nodes, siteId: number): Promise<void> {
  for (const table of SITE_TABLES)
    await nodes.everywhere(`ALTER TABLE ${table} DELETE WHERE site = ${siteId}`, { mutations_sync: '1' });
}
