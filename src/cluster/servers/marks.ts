/*
 * The mark of a server says whose it is and what it has: the name of the installation, the newest site and sealed day that
 * its file gave an id to, and a number, the beat. The primary raises the beat each minute and at each sealing: first in its file, then on every
 * complete server, and then it notes in the file which servers have it.
 *
 * So a beat on a server is never above that of the file, nor below what the file notes of that server. Example: the file notes beat 70
 * of a server. A disk from yesterday has 40: the server lacks a day. A new disk has none. And where the file is the one from yesterday,
 * the server has sites or days that the file never heard of.
 */
import { findLastDayId } from '../../catalog/day-states.ts';
import { listKnownServers, noteBeat } from '../../store/cluster/cluster-servers.ts';
import { findInstallation, nameInstallation, raiseBeat } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { lastSiteId } from '../../store/sites/sites.ts';
import type { Node, Nodes } from './nodes.ts';
import { rowsIn, type Send } from './send.ts';

type Mark = { installation: string; beat: number; site: number; day: number };

/** What a server has: its marks, of which one of another installation is not ours, and its newest site and sealed day. */
export type Holding = { marks: Mark[]; site: number; day: number; isEmpty: boolean };

const NEWEST_SITE = ['activity', 'visit', 'tally', 'crawled', 'dropped']
  .map((table) => `(SELECT max(site) FROM ${table})`)
  .join(', ');
const NEWEST_DAY = ['visit', 'tally'].map((table) => `(SELECT max(part) FROM ${table})`).join(', ');

/** What a server has. Its tables must be there. */
export async function readHolding(send: Send, url: string): Promise<Holding> {
  const marks = rowsIn<Mark>(
    await send(
      url,
      'SELECT installation, max(beat) AS beat, max(site) AS site, max(day) AS day FROM mark GROUP BY installation FORMAT JSONEachRow',
    ),
  );
  const newest = `SELECT greatest(${NEWEST_SITE}) AS site, greatest(${NEWEST_DAY}) AS day FORMAT JSONEachRow`;
  const [{ site = 0, day = 0 } = {}] = rowsIn<{ site: number; day: number }>(await send(url, newest));
  return { marks, site, day, isEmpty: site === 0 };
}

type Deps = { db: Db; nodes: Nodes };

/** The beat of this file's mark on a server; 0 without one, or without its table or database. */
export async function readBeat({ db, nodes }: Deps, node: Node): Promise<number> {
  const name = findInstallation(db)?.name ?? '';
  const [found] = await nodes
    .askOne<{ n: number }>(
      node,
      "SELECT count() AS n FROM system.tables WHERE database = currentDatabase() AND name = 'mark'",
    )
    .catch((error: Error) => {
      if (error.message.includes('UNKNOWN_DATABASE')) return [];
      throw error;
    });
  if (found?.n !== 1) return 0;
  const [mark] = await nodes.askOne<{ beat: number }>(
    node,
    `SELECT max(beat) AS beat FROM mark WHERE installation = '${name}'`,
  );
  return mark?.beat ?? 0;
}

/**
 * Raises the beat on servers that have the mark which the file notes of them. A server with an older mark gets no new one: it would
 * hide that its disk is an older one, until the next comparison finds it (test/cluster/servers/ownership.test.ts).
 */
export async function raiseMarks({ db, nodes }: Deps, on: readonly Node[]): Promise<void> {
  const beat = db.write(() => {
    nameInstallation(db);
    return raiseBeat(db);
  });
  const { name = '' } = findInstallation(db) ?? {};
  const noted = new Map(listKnownServers(db).map((server) => [server.url, server.beat]));
  const newest = `SELECT max(beat) AS beat FROM mark WHERE installation = '${name}'`;
  await Promise.allSettled(
    on.map(async (node) => {
      await nodes.run(
        node,
        `INSERT INTO mark (installation, beat, site, day) SELECT '${name}', ${beat}, ${lastSiteId(db)}, ${findLastDayId(db)}
          FROM (${newest}) WHERE beat >= ${noted.get(node.url) ?? 0}`,
      );
      if ((await readBeat({ db, nodes }, node)) >= beat) db.write(() => noteBeat(db, node.url, beat));
    }),
  );
}
