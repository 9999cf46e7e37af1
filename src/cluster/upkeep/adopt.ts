/*
 * Takes over a cluster that has sites or days which the file does not know: the file is an older copy, or a new one in place of a lost one.
 * Their rows stay, in no answer, and this file gives their ids to nothing else. Only daybook cluster unknown deletes them.
 */
import { findLastDayId, isDayKnown, skipDayIds } from '../../catalog/day-states.ts';
import { Refusal } from '../../lib/errors.ts';
import { forgetBeat, setServers } from '../../store/cluster/cluster-servers.ts';
import { findInstallation, nameInstallation, skipBeats } from '../../store/cluster/installation.ts';
import type { Db } from '../../store/db.ts';
import { lastSiteId, noteUnknownSite, siteExists, skipSiteIds, wasRemoved } from '../../store/sites/sites.ts';
import { raiseMarks } from '../servers/marks.ts';
import { type Nodes, summed } from '../servers/nodes.ts';
import { removeParts } from './seal.ts';

type Deps = { db: Db; nodes: Nodes };

/** Rows that are in no answer: those of a site that the file never had, or those of sealed days of its own that it does not know. */
export type Unknown = { siteId: number; rows: number };

const TABLES = ['activity', 'brought', 'crawled', 'dropped'] as const;
type Part = { siteId: number; id: number; rows: number };

/**
 * Counts rows by some keys, in each shard on the replica that has most of them: what failed once may be on one alone, and is deleted
 * there too.
 */
async function countMost<Row extends { rows: number }>(
  { nodes }: Pick<Deps, 'nodes'>,
  sql: string,
  keys: readonly (keyof Row)[],
): Promise<Row[]> {
  const found = await nodes.askEach((node) => nodes.askOne<Row>(node, sql));
  const shards = [...Map.groupBy(found, ({ node }) => node.shard).values()];
  const most = shards.flatMap((replicas) => {
    const counts = replicas.flatMap(({ result }) => summed(result, keys));
    const byKeys = Map.groupBy(counts, (row) => keys.map((key) => row[key]).join());
    return [...byKeys.values()].flatMap((same) => same.sort((one, other) => other.rows - one.rows).slice(0, 1));
  });
  return summed(most, keys);
}

/** The sealed days on the cluster that the file does not know. */
async function listUnknownParts({ db, nodes }: Deps): Promise<Part[]> {
  const parts = (table: string) =>
    `SELECT site AS siteId, part AS id, count() AS rows FROM ${table} GROUP BY siteId, id`;
  const found = await countMost<Part>({ nodes }, `${parts('visit')} UNION ALL ${parts('tally')}`, ['siteId', 'id']);
  return found.filter(({ id }) => !isDayKnown(db, id));
}

/** What the cluster has that this file does not know, by site. */
export async function listUnknown({ db, nodes }: Deps): Promise<Unknown[]> {
  const isKnown = (siteId: number) => siteExists(db, siteId) || wasRemoved(db, siteId);
  const counts = TABLES.map((table) => `SELECT site AS siteId, count() AS rows FROM ${table} GROUP BY siteId`);
  const arrived = await countMost<Unknown>({ nodes }, counts.join(' UNION ALL '), ['siteId']);
  const parts = (await listUnknownParts({ db, nodes })).map(({ siteId, rows }): Unknown => ({ siteId, rows }));
  const all = [...arrived.filter(({ siteId }) => !isKnown(siteId)), ...parts];
  return summed(all, ['siteId']).sort((one, other) => one.siteId - other.siteId);
}

/** Deletes what the file does not know. */
export async function deleteUnknown({ db, nodes }: Deps): Promise<void> {
  const sites = (await listUnknown({ db, nodes })).map(({ siteId }) => siteId).filter((id) => !siteExists(db, id));
  const parts = await listUnknownParts({ db, nodes });
  for (const table of sites.length === 0 ? [] : TABLES)
    await nodes.everywhere(`ALTER TABLE ${table} DELETE WHERE site IN (${sites.join()})`, { mutations_sync: '1' });
  for (const table of parts.length === 0 ? [] : (['visit', 'tally'] as const)) await removeParts(nodes, parts, table);
}

type Newest = { site: number; day: number; beat: number; others: number };

/** The newest ids on the cluster, and how many of its marks are of another installation. */
async function readNewest({ db, nodes }: Deps): Promise<Newest> {
  const own = findInstallation(db)?.name ?? '';
  const [sites, days] = [
    [...TABLES, 'visit', 'tally'].map((table) => `(SELECT max(site) FROM ${table})`),
    ['visit', 'tally'].map((table) => `(SELECT max(part) FROM ${table})`),
  ];
  const sql = `SELECT greatest(max(site), ${sites.join()}) AS site, greatest(max(day), ${days.join()}) AS day, max(beat) AS beat,
    countIf(installation <> '${own}') AS others FROM mark`;
  const found = await nodes.ask<Newest>(sql);
  const most = (name: keyof Newest) => Math.max(...found.map((one) => one[name]));
  return { site: most('site'), day: most('day'), beat: most('beat'), others: most('others') };
}

/** Makes the cluster this file's. What it does not know stays where it is. */
export async function adoptCluster({ db, nodes }: Deps): Promise<void> {
  const { site, day, beat, others } = await readNewest({ db, nodes });
  if (others > 0 && lastSiteId(db) > 0)
    throw new Refusal(
      'the cluster is that of another daybook.db, and this file has sites of its own, whose numbers would be mixed; name another database in --engine',
    );
  const unknown = await listUnknown({ db, nodes });
  await nodes.everywhere('TRUNCATE TABLE mark');
  db.write(() => {
    for (const { siteId } of unknown) if (!siteExists(db, siteId)) noteUnknownSite(db, siteId);
    skipSiteIds(db, Math.max(site, lastSiteId(db)));
    skipDayIds(db, Math.max(day, findLastDayId(db)));
    nameInstallation(db);
    skipBeats(db, beat);
    setServers(db, nodes.all);
    for (const { url } of nodes.all) forgetBeat(db, url);
  });
  await raiseMarks({ db, nodes }, nodes.all);
}
