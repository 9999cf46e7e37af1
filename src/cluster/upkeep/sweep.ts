// Deletes data that no answer counts any more. When a past day is stored as visits (sealed), its rows (hits) are
// deleted, because they have visitor codes. Replaced days and the rows of deleted sites are deleted too.
//
// Invariant: a sweep changes no answer. Rows of a sealed day with a number up to `after_id` do not count, because they
// are in its visits. When they are deleted, `after_id` becomes 0, and every row of the day counts. So a late hit with
// a low number counts too, and is stored as a visit in the next night.
//
// Example: a day is sealed at 00:01 with rows up to number 900. At 00:02 the sweep deletes them. At 00:05 a collector
// with a wrong clock sends a hit of that day with number 850. This hit counts. engine.ts calls sweep each minute.
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
  /** The file in which hits wait to be sent. SQLite's write-ahead log of it may still contain visitor codes. */
  outbox: Pick<Db, 'emptyWal'>;
};

/**
 * When a day is stored as visits (sealed), its rows are deleted 60 s later. Until then, a query that began before may
 * still read them.
 */
const PATIENCE_SECONDS = 60;
/**
 * An import, or the storing of a day as visits (sealing), that is not finished after a day has failed. Then its rows
 * are deleted.
 */
const ABANDONED_SECONDS = DAY;
/**
 * If storing a day as visits (sealing) fails, what was written is deleted at once, and again an hour later: another
 * server may still have been writing. After an hour none can be, because ClickHouse aborts each statement after 10
 * minutes.
 */
const LATE_SECONDS = HOUR;

/**
 * When a day is stored as visits (sealed), its rows are deleted. This waits for a silent server for 10 minutes. Then it
 * goes on without that server, which is not used until it is compared with a server that did delete them. Otherwise
 * deleted rows would count there.
 */
const GRACE_SECONDS = 10 * MINUTE;

/**
 * Deletes what no answer counts any more: rows of days that are stored as visits now, replaced days, and deleted sites.
 * If one step fails, the other steps still run.
 */
export const sweep = (deps: Deps): Promise<void> =>
  tryEach([removeSealedRows, removeDead, removeStrays], (remove) => remove(deps));

/** Deletes imported rows from the table `brought`, which is only used until their days are stored as visits. */
export async function removeBrought({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const rows = await nodes.ask<{ id: number }>('SELECT DISTINCT import AS id FROM brought');
  const ended = [...new Set(rows.map(({ id }) => id))].filter((id) => !isBeingImported(db, id));
  await dropBrought(nodes, ended);
}

/**
 * Deletes the rows of failed or removed imports. When a day is stored as visits, all its rows are deleted. But a day
 * that only has such rows is never stored, and its rows with their visitor codes would stay.
 */
export async function removeHidden({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const rows = await nodes.ask<{ id: number }>('SELECT DISTINCT import AS id FROM activity WHERE import <> 0');
  const over = [...new Set(rows.map(({ id }) => id))].filter((id) => isImportOver(db, id));
  if (over.length === 0) return;
  await nodes.everywhere(`ALTER TABLE activity DELETE WHERE import IN (${over.join()})`, { mutations_sync: '1' });
}

/**
 * Deletes everything that belongs to a site from all servers. A day of the site may just be being stored as visits. It
 * is deleted later, by the sweep that runs each minute.
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
 * Lists the days for which a server has rows. Each day is a partition (files of its own), and ClickHouse knows its
 * partitions without opening files. So this is much faster than reading rows.
 */
async function listRowDays(nodes: Nodes, node: Node): Promise<Set<number>> {
  const sql = `SELECT DISTINCT toUInt32(partition) AS day FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'activity'`;
  return new Set((await nodes.askOne<{ day: number }>(node, sql)).map(({ day }) => day));
}

/**
 * A day of a site that is stored as visits. Rows with a number up to `after` are in these visits and must be deleted.
 * Later rows still count.
 */
export type SealedRows = SiteDay & { after: number };

/**
 * Deletes rows of one day from a server, because they are stored as visits now. `own` says for each site up to which
 * row number. Later rows still count.
 */
export async function removeRows(nodes: Nodes, node: Node, day: number, own: readonly SealedRows[]): Promise<void> {
  const ends = new Map<number, number>();
  for (const { siteId, after } of own) ends.set(siteId, Math.max(after, ends.get(siteId) ?? 0));
  const sql = `ALTER TABLE activity DELETE IN PARTITION ${day}
    WHERE seq <= transform(site, [${[...ends.keys()].join()}], [${[...ends.values()].join()}]::Array(UInt64), 0::UInt64)`;
  await nodes.run(node, sql, {}, { mutations_sync: '1' });
}

/**
 * Deletes the rows of days that were stored as visits (sealed) over a minute ago, because rows have visitor codes. The
 * stored visits stay.
 */
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
  // The file of waiting hits deleted these rows after sending them. But its write-ahead log may still have them, with
  // visitor codes. So the log is emptied.
  outbox.emptyWal();
}

/** Deletes the visits and sums of past days that were replaced or removed, or whose storing failed. */
async function removeDead({ db, nodes, clock }: Deps): Promise<void> {
  const now = seconds(clock);
  const before = now - ABANDONED_SECONDS;
  abandonOld(db, before);
  const dead = listDead(db);
  const over = dead.filter(({ at, wasShown }) => wasShown === 1 || at < now - LATE_SECONDS);
  // The database file forgets the days of `over` after this deletion. If there are none, a server that fails stays in
  // use, because the deletion is tried again. Otherwise that server is taken out of use. No later sweep would know that
  // it has to delete the forgotten days there.
  await removeLeft(nodes, dead, { isPatient: over.length === 0 });
  for (const { id } of over) db.write(() => removeDay(db, id));
  while (db.write(() => removeDeadImports(db, before, 1_000)) > 0);
}

/** Deletes rows that arrived for a site after the site was deleted, for example from a collector that was off. */
async function removeStrays({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const found = await nodes.ask<{ siteId: number }>('SELECT DISTINCT site AS siteId FROM activity');
  const strays = new Set(found.map(({ siteId }) => siteId).filter((id) => wasRemoved(db, id)));
  await tryEach(strays, (siteId) => removeSite(nodes, siteId));
}

async function removeSite(nodes: Nodes, siteId: number): Promise<void> {
  for (const table of ['activity', 'brought', 'visit', 'tally', 'crawled', 'dropped'])
    await nodes.everywhere(`ALTER TABLE ${table} DELETE WHERE site = ${siteId}`, { mutations_sync: '1' });
}
