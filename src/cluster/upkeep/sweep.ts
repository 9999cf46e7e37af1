// A sweep deletes data that no answer counts any more: the rows of sealed days (they have visitor codes), sealed days
// that were replaced, and the rows of deleted sites.
//
// Invariant: a sweep changes no answer. Until the sweep, rows of a sealed day with a number up to `after_id` do not
// count, because they are in the sealed day. When they are deleted, `after_id` becomes 0. After that, every row of the
// day counts. So a late hit with a low number counts too, and is later sealed as another slice.
//
// Example: a day is sealed at 00:01 with rows up to number 900. At 00:02 the sweep deletes them. At 00:05 a collector
// with a wrong clock sends a hit of that day with number 850. This hit counts, and the next sealing makes a slice from
// it. engine.ts calls sweep each minute.
import { findShownDayId, listDead, listUnswept, noteSwept, removeDay } from '../../catalog/day-states.ts';
import { abandonOld } from '../../catalog/imported.ts';
import { isBeingImported, isImportOver, removeDeadImports, removeEndedImports } from '../../catalog/imports.ts';
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { type Clock, DAY, HOUR, MINUTE, seconds } from '../../lib/time.ts';
import { tryEach } from '../../lib/try-each.ts';
import type { Db } from '../../store/db.ts';
import { wasRemoved } from '../../store/sites/sites.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { dropBrought } from './import-rows.ts';
import { removeLeft } from './seal.ts';

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  /** The outbox of this process. The WAL of the outbox may contain visitor codes too. */
  outbox: Pick<Db, 'emptyWal'>;
};

/** A query that began before a day was sealed may still read the day's rows for up to a minute. */
const PATIENCE_SECONDS = 60;
/** If an import or a day began more than a day ago and is not shown yet, it has failed. */
const ABANDONED_SECONDS = DAY;
/**
 * After sealing has failed on one server, another server may still be writing rows. An hour later no server can still
 * be writing, because ClickHouse aborts each statement after 10 minutes.
 */
const LATE_SECONDS = HOUR;

/**
 * A deletion waits at most this time for a server that does not answer. Then the server becomes `lacking`: it is not
 * used until its rows are compared and copied.
 */
const GRACE_SECONDS = 10 * MINUTE;

/** Deletes data that no answer counts any more. If one step fails, the other steps still run. */
export const sweep = (deps: Deps): Promise<void> =>
  tryEach([removeSealedRows, removeDead, removeStrays], (remove) => remove(deps));

/** Deletes the rows in the table `brought` of imports that were shown, were removed or have failed. */
export async function removeBrought({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const rows = await nodes.ask<{ id: number }>('SELECT DISTINCT import AS id FROM brought');
  const ended = [...new Set(rows.map(({ id }) => id))].filter((id) => !isBeingImported(db, id));
  await dropBrought(nodes, ended);
}

/**
 * Deletes the rows of failed or removed imports from open days. A day with no other rows is never sealed, so nothing
 * else would delete these rows.
 */
export async function removeHidden({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const rows = await nodes.ask<{ id: number }>('SELECT DISTINCT import AS id FROM activity WHERE import <> 0');
  const over = [...new Set(rows.map(({ id }) => id))].filter((id) => isImportOver(db, id));
  if (over.length === 0) return;
  await nodes.everywhere(`ALTER TABLE activity DELETE WHERE import IN (${over.join()})`, { mutations_sync: '1' });
}

/** Deletes everything that belongs to a site. A day that is being sealed at the same time is deleted later. */
export async function deleteSite({ db, nodes }: Pick<Deps, 'db' | 'nodes'>, siteId: number): Promise<void> {
  await removeSite(nodes, siteId);
  for (let id = findShownDayId(db, siteId); id !== undefined; id = findShownDayId(db, siteId)) {
    const day = id;
    db.write(() => removeDay(db, day));
  }
  db.write(() => removeEndedImports(db, siteId));
}

/**
 * Lists the days for which a server has rows. ClickHouse knows its partitions without opening files, so this is fast.
 */
async function listRowDays(nodes: Nodes, node: Node): Promise<Set<number>> {
  const sql = `SELECT DISTINCT toUInt32(partition) AS day FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'activity'`;
  return new Set((await nodes.askOne<{ day: number }>(node, sql)).map(({ day }) => day));
}

/** A sealed day of a site, and the number of the last row that is in it. */
export type SealedRows = SiteDay & { after: number };

/** Deletes the sealed rows of a day from a server. `own` has the sites that have such rows. */
export async function removeRows(nodes: Nodes, node: Node, day: number, own: readonly SealedRows[]): Promise<void> {
  const ends = new Map<number, number>();
  for (const { siteId, after } of own) ends.set(siteId, Math.max(after, ends.get(siteId) ?? 0));
  const sql = `ALTER TABLE activity DELETE IN PARTITION ${day}
    WHERE seq <= transform(site, [${[...ends.keys()].join()}], [${[...ends.values()].join()}]::Array(UInt64), 0::UInt64)`;
  await nodes.run(node, sql, {}, { mutations_sync: '1' });
}

/** A minute after a day is sealed, deletes its rows from the servers, because the rows have visitor codes. */
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
  // The WAL of the outbox still contains lines with visitor codes that were already sent. Emptying the WAL deletes them.
  outbox.emptyWal();
}

/** Deletes sealed days that were replaced or removed, and days that were never shown. */
async function removeDead({ db, nodes, clock }: Deps): Promise<void> {
  const now = seconds(clock);
  const before = now - ABANDONED_SECONDS;
  abandonOld(db, before);
  const dead = listDead(db);
  const over = dead.filter(({ at, wasShown }) => wasShown === 1 || at < now - LATE_SECONDS);
  // If `over` is empty, nothing is removed from the database file below. Then a server that does not answer may stay
  // complete, and the deletion is tried again later.
  await removeLeft(nodes, dead, { isPatient: over.length === 0 });
  for (const { id } of over) db.write(() => removeDay(db, id));
  while (db.write(() => removeDeadImports(db, before, 1_000)) > 0);
}

/** Deletes rows that were received for a site after the site was deleted. */
async function removeStrays({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const found = await nodes.ask<{ siteId: number }>('SELECT DISTINCT site AS siteId FROM activity');
  const strays = new Set(found.map(({ siteId }) => siteId).filter((id) => wasRemoved(db, id)));
  await tryEach(strays, (siteId) => removeSite(nodes, siteId));
}

async function removeSite(nodes: Nodes, siteId: number): Promise<void> {
  for (const table of ['activity', 'brought', 'visit', 'tally', 'crawled', 'dropped'])
    await nodes.everywhere(`ALTER TABLE ${table} DELETE WHERE site = ${siteId}`, { mutations_sync: '1' });
}
