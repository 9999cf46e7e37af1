// A sweep deletes what counts in no answer any more: rows of sealed days with their visitor codes, sealed days that were
// replaced, and rows of deleted sites.
//
// Invariant: a sweep changes no answer. For a minute after sealing, answers skip rows with a number up to `after_id` of the
// sealed day. When these rows are deleted, `after_id` becomes 0, and every row that is there counts. So a late hit counts at
// once, whatever its number, and is sealed as one more slice.
//
// Example: a day is sealed at 00:01 with rows up to number 900. At 00:02 the sweep deletes them. At 00:05 a collector with a
// wrong clock sends a hit of that day with number 850. The hit counts, and the next sealing makes a slice of it.
//
// engine.ts calls it each minute.
import { findShownDayId, listDead, listUnswept, noteSwept, removeDay } from '../../catalog/day-states.ts';
import { abandonOld } from '../../catalog/imported.ts';
import { isBeingImported, isImportOver, removeDeadImports, removeEndedImports } from '../../catalog/imports.ts';
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
  /** The outbox of this process, whose WAL has visitor codes too. */
  outbox: Pick<Db, 'emptyWal'>;
};

/** A query that began before a day was sealed may read its rows for up to a minute. */
const PATIENCE_SECONDS = 60;
/** A day or import that was staged more than a day ago has failed. */
const ABANDONED_SECONDS = DAY;
/**
 * A server may go on with a sealing that has failed elsewhere. An hour after its beginning this is over, because ClickHouse ends
 * each statement after 10 minutes.
 */
const LATE_SECONDS = HOUR;

/** Deleting waits 10 minutes for a server that does not answer. Then the server counts as lacking, and is filled when it is back. */
const GRACE_SECONDS = 10 * MINUTE;

/** Deletes what counts in no answer any more. A step that fails stops no other. */
export const sweep = (deps: Deps): Promise<void> =>
  tryEach([removeSealedRows, removeDead, removeStrays], (remove) => remove(deps));

/** Deletes the staged rows of imports that were shown, were removed or have failed. */
export async function removeBrought({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const rows = await nodes.ask<{ id: number }>('SELECT DISTINCT import AS id FROM brought');
  const ended = [...new Set(rows.map(({ id }) => id))].filter((id) => !isBeingImported(db, id));
  await dropBrought(nodes, ended);
}

/** Deletes rows of failed or removed imports from open days. A day without other rows is never sealed, so they would stay. */
export async function removeHidden({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const rows = await nodes.ask<{ id: number }>('SELECT DISTINCT import AS id FROM activity WHERE import <> 0');
  const over = [...new Set(rows.map(({ id }) => id))].filter((id) => isImportOver(db, id));
  if (over.length === 0) return;
  await nodes.everywhere(`ALTER TABLE activity DELETE WHERE import IN (${over.join()})`, { mutations_sync: '1' });
}

/** Deletes everything that belongs to a site. Days that are being sealed meanwhile are deleted later. */
export async function deleteSite({ db, nodes }: Pick<Deps, 'db' | 'nodes'>, siteId: number): Promise<void> {
  await removeSite(nodes, siteId);
  for (let id = findShownDayId(db, siteId); id !== undefined; id = findShownDayId(db, siteId)) {
    const day = id;
    db.write(() => removeDay(db, day));
  }
  db.write(() => removeEndedImports(db, siteId));
}

/** The days of which a server has rows. ClickHouse knows them without opening its files. */
async function listRowDays(nodes: Nodes, node: Node): Promise<Set<number>> {
  const sql = `SELECT DISTINCT toUInt32(partition) AS day FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'activity'`;
  return new Set((await nodes.askOne<{ day: number }>(node, sql)).map(({ day }) => day));
}

/** Deletes the rows of sealed days with their visitor codes, a minute after the sealing. */
async function removeSealedRows({ db, nodes, clock, outbox }: Deps): Promise<void> {
  const now = seconds(clock);
  const unswept = listUnswept(db, now - PATIENCE_SECONDS);
  if (unswept.length === 0) return;
  const isPatient = listUnswept(db, now - GRACE_SECONDS).length === 0;
  const days = Map.groupBy(unswept, ({ day }) => day);
  const remove = async (node: Node): Promise<void> => {
    const there = await listRowDays(nodes, node);
    for (const [day, own] of days) {
      if (!there.has(day)) continue;
      const ends = new Map<number, number>();
      for (const { siteId, after } of own) ends.set(siteId, Math.max(after, ends.get(siteId) ?? 0));
      const sql = `ALTER TABLE activity DELETE IN PARTITION ${day}
        WHERE seq <= transform(site, [${[...ends.keys()].join()}], [${[...ends.values()].join()}]::Array(UInt64), 0::UInt64)`;
      await nodes.run(node, sql, {}, { mutations_sync: '1' });
    }
  };
  await nodes.removeOnEach(remove, { isPatient });
  db.write(() => {
    for (const { id } of unswept) noteSwept(db, id);
  });
  // The WAL of the outbox has lines with visitor codes that were sent, until it is emptied.
  outbox.emptyWal();
}

/** Deletes sealed days that were replaced or removed, and those that were staged and never shown. */
async function removeDead({ db, nodes, clock }: Deps): Promise<void> {
  const now = seconds(clock);
  const before = now - ABANDONED_SECONDS;
  abandonOld(db, before);
  const dead = listDead(db);
  const over = dead.filter(({ at, wasShown }) => wasShown === 1 || at < now - LATE_SECONDS);
  // A server that is away for a short time need not be filled because of this.
  await removeLeft(nodes, dead, { isPatient: over.length === 0 });
  for (const { id } of over) db.write(() => removeDay(db, id));
  while (db.write(() => removeDeadImports(db, before, 1_000)) > 0);
}

/** Deletes rows that came for sites after these were deleted. */
async function removeStrays({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const found = await nodes.ask<{ siteId: number }>('SELECT DISTINCT site AS siteId FROM activity');
  const strays = new Set(found.map(({ siteId }) => siteId).filter((id) => wasRemoved(db, id)));
  await tryEach(strays, (siteId) => removeSite(nodes, siteId));
}

async function removeSite(nodes: Nodes, siteId: number): Promise<void> {
  for (const table of ['activity', 'brought', 'visit', 'tally', 'crawled', 'dropped'])
    await nodes.everywhere(`ALTER TABLE ${table} DELETE WHERE site = ${siteId}`, { mutations_sync: '1' });
}
