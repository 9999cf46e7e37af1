import { findShownOfSite, listDead, listUnswept, noteSwept, removeDay } from '../../catalog/day-states.ts';
import { isBeingImported, removeDeadImports, removeEndedImports } from '../../catalog/imports.ts';
import { type Clock, DAY, HOUR, MINUTE, seconds } from '../../lib/time.ts';
import { tryEach } from '../../lib/try-each.ts';
import type { Db } from '../../store/db.ts';
import { wasRemoved } from '../../store/sites/sites.ts';
import type { Node, Nodes } from '../servers/nodes.ts';
import { dropBrought } from './import-rows.ts';
import { removeLeft } from './seal.ts';

/*
 * Deletes what does not count any more. The rows of a sealed day have visitor codes, and go a minute after the sealing. Sealed rows are
 * told from later ones by their number only in that minute: `after_id` of a sealed day is the highest number that was sealed. When
 * the rows are deleted `after_id` becomes 0, and each row that is there counts, whatever its number. So a hit that comes late, from a
 * machine with a wrong clock too, is in the answers at once, and is sealed as one more slice of its day.
 */

export type Deps = {
  db: Db;
  nodes: Nodes;
  clock: Clock;
  /** What waits to be sent. */
  outbox: Pick<Db, 'emptyWal'>;
};

/** Questions that began before a day was sealed may still read its rows. */
const PATIENCE_SECONDS = 60;
/** What was staged earlier belongs to an import or sealing that has failed. */
const ABANDONED_SECONDS = DAY;
/** A server may write what failed so long after it began: it ends each of the two statements of a sealing itself after 10 minutes. */
const LATE_SECONDS = HOUR;

/** The days of which a server has rows, read from what it knows of its files without opening them. */
async function listRowDays(nodes: Nodes, node: Node): Promise<Set<number>> {
  const sql = `SELECT DISTINCT toUInt32(partition) AS day FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'activity'`;
  return new Set((await nodes.askOne<{ day: number }>(node, sql)).map(({ day }) => day));
}

/** So long a server that does not answer is waited for; then it is left out, and filled when it is back. */
const GRACE_SECONDS = 10 * MINUTE;

/** Deletes the rows of days that were sealed a while ago, and their visitor codes with them. */
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
  // The WAL holds lines that were sent, and their visitor codes, until it is emptied.
  outbox.emptyWal();
}

/** Deletes what was replaced, removed, or begun and never shown. */
async function removeDead({ db, nodes, clock }: Deps): Promise<void> {
  const now = seconds(clock);
  const before = now - ABANDONED_SECONDS;
  const dead = listDead(db, before);
  const over = dead.filter(({ at, wasShown }) => wasShown === 1 || at < now - LATE_SECONDS);
  // A server that was restarted meanwhile need not be filled for that.
  await removeLeft(nodes, dead, { isPatient: over.length === 0 });
  for (const { id } of over) db.write(() => removeDay(db, id));
  while (db.write(() => removeDeadImports(db, before, 1_000)) > 0);
}

/** Deletes the visitor codes of days that were sealed, and what does not count any more. */
export const sweep = (deps: Deps): Promise<void> =>
  tryEach([removeSealedRows, removeDead, removeStrays], (remove) => remove(deps));

/** Deletes the rows of past days of imports that have ended in any way. */
export async function removeBrought({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const rows = await nodes.ask<{ id: number }>('SELECT DISTINCT import AS id FROM brought');
  const ended = [...new Set(rows.map(({ id }) => id))].filter((id) => !isBeingImported(db, id));
  await dropBrought(nodes, ended);
}

/** Deletes what came for sites after they were deleted. */
async function removeStrays({ db, nodes }: Pick<Deps, 'db' | 'nodes'>): Promise<void> {
  const found = await nodes.ask<{ siteId: number }>('SELECT DISTINCT site AS siteId FROM activity');
  const strays = new Set(found.map(({ siteId }) => siteId).filter((id) => wasRemoved(db, id)));
  await tryEach(strays, (siteId) => removeOf(nodes, siteId));
}

async function removeOf(nodes: Nodes, siteId: number): Promise<void> {
  for (const table of ['activity', 'brought', 'visit', 'tally', 'crawled', 'dropped'])
    await nodes.everywhere(`ALTER TABLE ${table} DELETE WHERE site = ${siteId}`, { mutations_sync: '1' });
}

/** Deletes all that is kept of a site. What is being made of it goes when that has ended. */
export async function forgetSite({ db, nodes }: Pick<Deps, 'db' | 'nodes'>, siteId: number): Promise<void> {
  await removeOf(nodes, siteId);
  for (let id = findShownOfSite(db, siteId); id !== undefined; id = findShownOfSite(db, siteId)) {
    const day = id;
    db.write(() => removeDay(db, day));
  }
  db.write(() => removeEndedImports(db, siteId));
}
