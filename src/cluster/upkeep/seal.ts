import { addStaged, markDayGone, setTotals, showDayAt } from '../../catalog/day-states.ts';
import { closeImports } from '../../catalog/imports.ts';
import { listSlices, type SiteDay } from '../../catalog/sealed-days.ts';
import { dayKey } from '../../lib/day-key.ts';
import { BREAKDOWN_NAMES, BREAKDOWNS, DIMENSIONS, type HitTextField } from '../../stats/dimensions.ts';
import { noTotals, TOTALS, type Totals } from '../../stats/measured.ts';
import type { Db } from '../../store/db.ts';
import { siteExists } from '../../store/sites/sites.ts';
import { IS_BOUNCE } from '../query/aggregate.ts';
import { FIELDS, madeOf } from '../query/visits.ts';
import type { Node, Nodes } from '../servers/nodes.ts';

/** A statement about whole days may take so long. */
const PATIENT = { max_execution_time: '600', max_bytes_before_external_group_by: '2000000000' };

/** A day that is being sealed, and the id under which it is. */
export type Staged = SiteDay & { id: number };

const idsOf = (parts: readonly { id: number }[]): string => parts.map(({ id }) => id).join(', ');
const sitesOf = (parts: readonly { siteId: number }[]): string =>
  [...new Set(parts.map(({ siteId }) => siteId))].join(', ');

/** Rows of some parts. The sites are named because the tables are sorted by them. */
const ofParts = (parts: readonly { siteId: number; id: number }[]): string =>
  `site IN (${sitesOf(parts)}) AND part IN (${idsOf(parts)})`;

/** The visits of some rows with numbers in place of codes, in the order in which the visitors came. */
function numbered(rows: string, parts: readonly Staged[]): string {
  const number = 'toUInt32(dense_rank() OVER (PARTITION BY site, day ORDER BY came, visitor) - 1)';
  const keys = parts.map(({ siteId, day }) => dayKey(siteId, day)).join();
  // As dayKey makes them.
  const part = `transform(toUInt64(site) * 131072 + day, [${keys}]::Array(UInt64), [${parts.map(({ id }) => id).join()}]::Array(UInt32), 0::UInt32)`;
  return `INSERT INTO visit (site, day, part, visitor, ${FIELDS.join(', ')})
    SELECT site, day, ${part}, ${number}, ${FIELDS.join(', ')}
    FROM (SELECT *, min(start) OVER (PARTITION BY site, day, visitor) AS came FROM (${madeOf(rows, FIELDS)}))`;
}

const VALUES: Record<HitTextField, readonly [value: string, condition: string]> = {
  page: ['h.1', "h.2 = ''"],
  event: ['h.2', "h.2 <> ''"],
  label: ['h.3', "h.2 <> ''"],
};

/** The sums of parts by value, a query for each breakdown. */
export function rollupsOf(parts: readonly { siteId: number; id: number }[]): string {
  const from = `visit WHERE ${ofParts(parts)}`;
  const hits = `(SELECT site, day, part, visitor, arrayJoin(arrayZip(h_page, h_event, h_label)) AS h FROM ${from})`;
  const all = BREAKDOWN_NAMES.map((breakdown) => {
    const name = BREAKDOWNS[breakdown];
    const head = `SELECT site, day, part, '${breakdown}' AS dimension`;
    const sums = 'toUInt32(uniqExact(visitor)) AS visitors, toUInt32(count()) AS hits';
    if (DIMENSIONS[name].kind !== 'hit')
      return `${head}, '' AS event, toString(${name}) AS value, ${sums} FROM ${from} GROUP BY site, day, part, value`;
    const [value, condition] = VALUES[name as HitTextField];
    const event = name === 'label' ? 'h.2' : "''";
    return `${head}, ${event} AS event, ${value} AS value, ${sums} FROM ${hits} WHERE ${condition}
      GROUP BY site, day, part, event, value`;
  });
  return all.join(' UNION ALL ');
}

const HASH = 'sum(cityHash64(visitor, start, seconds, entry, exit, h_second, h_page, h_event, h_label, h_seen))';

type OfNode = { part: number; hash: string; s0: number; s1: number; s2: number; s3: number; s4: number; s5: number };

/** Does something on servers, and gives what each of them gave. */
type OnEach = <Result>(work: (node: Node) => Promise<Result>) => Promise<{ node: Node; result: Result }[]>;

const namesOf = (some: readonly { node: Node }[]): string =>
  some.map(({ node }) => new URL(node.url).host).join(' and ');

/**
 * What the visits of parts add up to, on the servers that are asked: every complete one where a day is sealed, and those that answer where it
 * is counted again. Replicas that differ have not received the same rows.
 */
export async function totalsOfParts(
  nodes: Nodes,
  parts: readonly { siteId: number; id: number }[],
  onEach: OnEach = nodes.askEach,
): Promise<Map<number, Totals>> {
  const sql = `SELECT part, toString(${HASH}) AS hash, uniqExact(visitor) AS s0, count() AS s1, sum(pageviews) AS s2, sum(events) AS s3,
      countIf(${IS_BOUNCE}) AS s4, sum(seconds) AS s5
    FROM visit WHERE ${ofParts(parts)} GROUP BY part ORDER BY part`;
  const found = await onEach((node) => nodes.askOne<OfNode>(node, sql));
  const totals = new Map(parts.map(({ id }) => [id, noTotals()]));
  for (const replicas of Map.groupBy(found, ({ node }) => node.shard).values()) {
    const [first, ...others] = replicas.map(({ result }) => JSON.stringify(result));
    if (others.some((other) => other !== first))
      throw new Error(
        `the replicas ${namesOf(replicas)} differ; daybook cluster fill HOST copies the other to one of them`,
      );
    for (const { part, s0, s1, s2, s3, s4, s5 } of replicas[0]?.result ?? []) {
      const sums = totals.get(part);
      const all = [s0, s1, s2, s3, s4, s5];
      if (sums) for (const [i, name] of TOTALS.entries()) sums[name] += all[i] as number;
    }
  }
  return totals;
}

/** While it is patient, a server that fails makes it fail as a whole. */
type Sealing = { importId: number | null; after: number; now: number; isPatient?: boolean };

/** Writes the visits and sums of rows of some days as parts that are not shown yet. Gives those that have visits. */
export async function stageParts(
  { db, nodes }: { db: Db; nodes: Nodes },
  rows: string,
  days: readonly SiteDay[],
  { importId, after, now, isPatient = false }: Sealing,
): Promise<Staged[]> {
  const parts = db.write(() =>
    days.map(({ siteId, day }): Staged => {
      const part = listSlices(db, siteId, day, day + 1).length;
      const id = addStaged(db, { siteId, day, part, importId, hasHits: true, totals: noTotals(), now });
      return { siteId, day, id };
    }),
  );
  try {
    const onEach: OnEach = (work) => nodes.onEach(work, { isPatient });
    await onEach((node) => nodes.run(node, numbered(rows, parts), {}, PATIENT));
    await onEach((node) => nodes.run(node, `INSERT INTO tally ${rollupsOf(parts)}`, {}, PATIENT));
    const totals = await totalsOfParts(nodes, parts, onEach);
    const visitsOf = ({ id }: Staged) => totals.get(id)?.visits ?? 0;
    db.write(() => {
      for (const part of parts) {
        if (visitsOf(part) === 0) markDayGone(db, part.id);
        else setTotals(db, part.id, totals.get(part.id) ?? noTotals(), after);
      }
    });
    return parts.filter((part) => visitsOf(part) > 0);
  } catch (error) {
    db.write(() => {
      for (const { id } of parts) markDayGone(db, id);
    });
    throw error;
  }
}

/** Shows what was sealed of days whose sites are still there. Gives how many that are. */
export const showParts = (db: Db, parts: readonly Staged[], now: number): number =>
  db.write(() => {
    let count = 0;
    for (const { siteId, day, id } of parts) {
      if (!siteExists(db, siteId)) {
        markDayGone(db, id);
        continue;
      }
      showDayAt(db, id, now);
      closeImports(db, siteId, day);
      count++;
    }
    return count;
  });

/** Deletes rows of parts on every server. */
export const removeSlices = (
  nodes: Nodes,
  parts: readonly { siteId: number; id: number }[],
  table: 'visit' | 'tally',
): Promise<void> => nodes.everywhere(`DELETE FROM ${table} WHERE ${ofParts(parts)}`, { lightweight_deletes_sync: '2' });

type Removal = { tables?: readonly ('visit' | 'tally')[]; isPatient?: boolean };

/** Deletes what each server still has of parts. While it is patient, all servers must be there. */
export async function removeLeft(
  nodes: Nodes,
  parts: readonly { siteId: number; id: number }[],
  { tables = ['visit', 'tally'], isPatient = false }: Removal = {},
): Promise<void> {
  for (const table of parts.length === 0 ? [] : tables) {
    const own = `FROM ${table} WHERE ${ofParts(parts)}`;
    const remove = async (node: Node): Promise<void> => {
      const [left] = await nodes.askOne<{ n: number }>(node, `SELECT count() AS n ${own}`);
      if (left?.n !== 0) await nodes.run(node, `DELETE ${own}`, {}, { lightweight_deletes_sync: '2' });
    };
    await nodes.removeOnEach(remove, { isPatient });
  }
}
