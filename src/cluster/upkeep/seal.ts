// Sealing a day makes visits and rollups from its rows. Every ClickHouse server does this in SQL with its own rows.
// Visitor codes are replaced by the numbers 0, 1, 2 and so on.
//
// Invariant: no answer counts a sealed day before it is shown. The day is shown only if all replicas of a shard that
// sealed the day have made equal visits. Hashes of their visits are compared.
//
// Example: a day of a site has 20,000 rows of 3,000 visitors, on two shards. Each shard writes about 2,000 visits to
// the table `visit`, and the counts of each breakdown to `tally`. Then the totals of the two shards are added up and
// stored in the database file. nightly.ts and import.ts call `stageSlices`. transfer.ts and recount.ts use its SQL.
import { addStaged, markDayEmpty, markDayGone, setTotals, showDayAt } from '../../catalog/day-states.ts';
import { endReplacing } from '../../catalog/imports.ts';
import { listSlices, type SiteDay } from '../../catalog/sealed-days.ts';
import { makeDayKey } from '../../lib/day-key.ts';
import { noTotals, TOTALS, type Totals } from '../../stats/aggregates.ts';
import {
  BREAKDOWNS,
  type Breakdown,
  DERIVED_BREAKDOWNS,
  DIMENSIONS,
  HIT_TEXT_FIELDS,
  type HitDimension,
  isOfProperties,
  type PropertyBreakdown,
  REVENUE,
  STORED_BREAKDOWNS,
} from '../../stats/dimensions.ts';
import type { Db } from '../../store/db.ts';
import { hasSite } from '../../store/sites/sites.ts';
import { IS_BOUNCE, REDUCED_MARK } from '../query/aggregate.ts';
import { writeValue } from '../query/filters.ts';
import { selectRevenueRollup } from '../query/revenue.ts';
import { FIELDS, sessionizeRows } from '../query/visits.ts';
import type { Node, Nodes } from '../servers/nodes.ts';

/**
 * Settings for SQL that seals whole days. Such SQL may run for 10 minutes. Above 2 GB of memory ClickHouse uses the
 * disk, because otherwise a large day could never be sealed.
 */
export const PATIENT = { max_execution_time: '600', max_bytes_before_external_group_by: '2000000000' };

/** A day of a site that is being sealed. `id` is its id in the database file, the column `slice` in ClickHouse. */
export type Staged = SiteDay & { id: number };

export type SliceId = Pick<Staged, 'siteId' | 'id'>;

/** Runs work on several servers at a time, and gives the result of each. */
type OnEach = <Result>(work: (node: Node) => Promise<Result>) => Promise<{ node: Node; result: Result }[]>;

/**
 * Rows up to the number `after` are sealed. With `isPatient`, sealing fails if one server fails, and is tried again.
 * Otherwise sealing goes on without that server. `isOver` is true for a day whose rows may be deleted if they make no
 * visits.
 */
type StageOptions = {
  importId: number | null;
  after: number;
  now: number;
  isPatient?: boolean;
  isOver?: (day: SiteDay) => boolean;
};

/**
 * Makes visits and sums of some days, on every server. `rows` is SQL that selects the hits and heartbeats. Answers do
 * not count these days until they are shown. Gives the days that have visits.
 */
export async function stageSlices(
  { db, nodes }: { db: Db; nodes: Nodes },
  rows: string,
  days: readonly SiteDay[],
  { importId, after, now, isPatient = false, isOver = () => false }: StageOptions,
): Promise<Staged[]> {
  const slices = db.write(() =>
    days.map(({ siteId, day }): Staged => {
      const slice = listSlices(db, siteId, day, day + 1).length;
      const id = addStaged(db, { siteId, day, slice, importId, hasHits: true, totals: noTotals(), now });
      return { siteId, day, id };
    }),
  );
  try {
    const onEach: OnEach = (work) => nodes.onEach(work, { isPatient });
    await onEach((node) => nodes.run(node, writeVisits(rows, slices), {}, PATIENT));
    await onEach((node) => nodes.run(node, `INSERT INTO tally ${selectRollups(slices)}`, {}, PATIENT));
    const totals = await sumSlices(nodes, slices, onEach);
    const countVisits = ({ id }: Staged) => totals.get(id)?.visits ?? 0;
    db.write(() => {
      for (const slice of slices) {
        if (countVisits(slice) > 0) setTotals(db, slice.id, totals.get(slice.id) ?? noTotals(), after);
        // The day has only heartbeats, so it has no visits. The database file notes this, so that the sweep deletes the
        // rows, which have visitor codes.
        else if (isOver(slice)) markDayEmpty(db, slice.id, after);
        else markDayGone(db, slice.id);
      }
    });
    return slices.filter((slice) => countVisits(slice) > 0);
  } catch (error) {
    db.write(() => {
      for (const { id } of slices) markDayGone(db, id);
    });
    throw error;
  }
}

type ShowOptions = {
  now: number;
  isUnchanged: (day: SiteDay) => boolean;
  /** Gives the number of the change that stands for the late hits of a day, or 0 without late hits. */
  findSince: (day: SiteDay) => number;
};

/**
 * From this call on, answers count the visits of these days, not the rows. While the slices were written, the site may
 * have been deleted, or an import shown or removed. Then the new slice is not shown, and the sweep deletes it. Returns
 * how many days were shown.
 */
export const showSlices = (db: Db, slices: readonly Staged[], { now, isUnchanged, findSince }: ShowOptions): number =>
  db.write(() => {
    const kept = slices.filter((slice) => hasSite(db, slice.siteId) && isUnchanged(slice));
    for (const { id } of slices.filter((slice) => !kept.includes(slice))) markDayGone(db, id);
    for (const { siteId, day, id } of kept) {
      showDayAt(db, id, { now, since: findSince({ siteId, day }) });
      endReplacing(db, siteId, day);
    }
    return kept.length;
  });

/**
 * Makes an SQL condition for some sealed days. The ids alone would be enough. But the tables are sorted by site, so the
 * condition on sites makes the query fast.
 */
export function matchIds(slices: readonly SliceId[]): string {
  const sites = new Set(slices.map(({ siteId }) => siteId));
  return `site IN (${[...sites].join(', ')}) AND slice IN (${slices.map(({ id }) => id).join(', ')})`;
}

/**
 * Makes SQL that stores visits. Visitor codes are replaced by 0, 1, 2 and so on, in the order in which the visitors
 * came. After that nothing links a visit to an IP address.
 */
function writeVisits(rows: string, slices: readonly Staged[]): string {
  const number = 'toUInt32(dense_rank() OVER (PARTITION BY site, day ORDER BY came, visitor) - 1)';
  const keys = slices.map(({ siteId, day }) => makeDayKey(siteId, day)).join();
  // The SQL finds the id of a day by a number made from site and day. The number must equal the result of `makeDayKey`,
  // or visits would be stored without their day.
  const slice = `transform(toUInt64(site) * 131072 + day, [${keys}]::Array(UInt64), [${slices.map(({ id }) => id).join()}]::Array(UInt32), 0::UInt32)`;
  return `INSERT INTO visit (site, day, slice, visitor, ${FIELDS.join(', ')})
    SELECT site, day, ${slice}, ${number}, ${FIELDS.join(', ')}
    FROM (SELECT *, min(start) OVER (PARTITION BY site, day, visitor) AS came FROM (${sessionizeRows(rows, FIELDS)}))`;
}

/** Makes SQL for one text of a hit. In the SQL of `selectRollupsOf`, `h` is a tuple with all texts of a hit. */
const textOfHit = (name: HitDimension): string => `h.${HIT_TEXT_FIELDS.indexOf(name) + 1}`;
const HIT_LISTS = HIT_TEXT_FIELDS.map((name) => `h_${name}`).join(', ');

/** The position of the properties (from 1) in `h`, a tuple with all texts of a hit (`selectRollupsOf`). */
const PLACE_OF_PROPERTIES = HIT_TEXT_FIELDS.indexOf('properties') + 1;

/**
 * In SQL, `k` is a property, with its name (`k.1`) and its value (`k.2`). For each breakdown of properties, `event` and
 * `value` are the SQL for two columns of the table `tally`. In rows of `property_values`, the column `event` has the
 * name of the property.
 */
const OF_PROPERTIES: Record<PropertyBreakdown, readonly [event: string, value: string]> = {
  properties: ["''", 'k.1'],
  property_values: ['k.1', 'k.2'],
};

/** Makes SQL for the rollups of some sealed days, such as visitors by country. */
export const selectRollups = (
  slices: readonly SliceId[],
  breakdowns: readonly Breakdown[] = STORED_BREAKDOWNS,
): string => selectRollupsOf(`visit WHERE ${matchIds(slices)}`, breakdowns);

/** Makes SQL for the rollups of stored visits. `from` is SQL that selects the visits. */
export function selectRollupsOf(from: string, breakdowns: readonly Breakdown[]): string {
  const hits = `(SELECT site, day, slice, visitor, arrayJoin(arrayZip(${HIT_LISTS})) AS h FROM ${from})`;
  const all = breakdowns.map((breakdown) => {
    const name = BREAKDOWNS[breakdown];
    const head = `SELECT site, day, slice, '${breakdown}' AS dimension`;
    const sums = 'toUInt32(uniqExact(visitor)) AS visitors, toUInt32(count()) AS hits';
    if (isOfProperties(breakdown)) {
      const [event, value] = OF_PROPERTIES[breakdown];
      const texts = `h.${PLACE_OF_PROPERTIES}`;
      return `${head}, ${event} AS event, ${value} AS value, ${sums}
        FROM (SELECT *, arrayJoin(JSONExtractKeysAndValues(${texts}, 'String')) AS k FROM ${hits} WHERE ${texts} <> '')
        GROUP BY site, day, slice, event, value`;
    }
    if (DIMENSIONS[name].kind !== 'hit')
      return `${head}, '' AS event, toString(${writeValue(name)}) AS value, ${sums} FROM ${from} GROUP BY site, day, slice, value`;
    const isPageview = `${textOfHit('event')} = ''`;
    const event = name === 'label' ? textOfHit('event') : "''";
    return `${head}, ${event} AS event, ${textOfHit(name as HitDimension)} AS value, ${sums} FROM ${hits}
      WHERE ${DIMENSIONS[name].counts === 'pageviews' ? isPageview : `NOT (${isPageview})`}
      GROUP BY site, day, slice, event, value`;
  });
  return all.join(' UNION ALL ');
}

/** An SQL condition for the rollups that only totals-only days have, such as channels and revenue. */
const IS_DERIVED = `(dimension IN (${[...DERIVED_BREAKDOWNS, REVENUE].map((name) => `'${name}'`).join(', ')}) OR startsWith(dimension, '${REDUCED_MARK}'))`;

/**
 * Stores the rollups that only totals-only days have. An earlier retention may have been killed after it stored some of
 * them, so stored ones are deleted first.
 */
export async function storeDerived(nodes: Nodes, slices: readonly SliceId[]): Promise<void> {
  if (slices.length === 0) return;
  const stored = `FROM tally WHERE ${matchIds(slices)} AND ${IS_DERIVED}`;
  const revenue = selectRevenueRollup(`visit WHERE ${matchIds(slices)}`);
  const derived = `${selectRollups(slices, DERIVED_BREAKDOWNS)} UNION ALL ${revenue}`;
  await nodes.onEach(async (node) => {
    const [found] = await nodes.askOne<{ n: number }>(node, `SELECT count() AS n ${stored}`);
    if (found?.n !== 0) await nodes.run(node, `DELETE ${stored}`, {}, { lightweight_deletes_sync: '2' });
    await nodes.run(node, `INSERT INTO tally ${derived}`, {}, PATIENT);
  });
}

const HASH = `sum(cityHash64(visitor, start, seconds, entry, exit, h_second, ${HIT_LISTS}, h_seen, h_scroll, h_vitals))`;

type NodeTotals = {
  slice: number;
  hash: string;
  s0: number;
  s1: number;
  s2: number;
  s3: number;
  s4: number;
  s5: number;
};

const nameHosts = (some: readonly { node: Node }[]): string =>
  some.map(({ node }) => new URL(node.url).host).join(' and ');

/**
 * Adds up the totals of some sealed days over all shards. Throws if two replicas have different visits. By default a
 * server that does not respond is left out. Sealing passes an `onEach` that asks every server in use.
 */
export async function sumSlices(
  nodes: Nodes,
  slices: readonly SliceId[],
  onEach: OnEach = nodes.askEach,
): Promise<Map<number, Totals>> {
  const sql = `SELECT slice, toString(${HASH}) AS hash, uniqExact(visitor) AS s0, count() AS s1, sum(pageviews) AS s2, sum(events) AS s3,
      countIf(${IS_BOUNCE}) AS s4, sum(seconds) AS s5
    FROM visit WHERE ${matchIds(slices)} GROUP BY slice ORDER BY slice`;
  const found = await onEach((node) => nodes.askOne<NodeTotals>(node, sql));
  const totals = new Map(slices.map(({ id }) => [id, noTotals()]));
  for (const replicas of Map.groupBy(found, ({ node }) => node.shard).values()) {
    const [first, ...others] = replicas.map(({ result }) => JSON.stringify(result));
    if (others.some((other) => other !== first))
      throw new Error(
        `the replicas ${nameHosts(replicas)} differ. Run daybook cluster fill HOST to copy one to the other`,
      );
    for (const { slice, s0, s1, s2, s3, s4, s5 } of replicas[0]?.result ?? []) {
      const sums = totals.get(slice);
      const all = [s0, s1, s2, s3, s4, s5];
      if (sums) for (const [i, name] of TOTALS.entries()) sums[name] += all[i] as number;
    }
  }
  return totals;
}

export const removeSlices = (nodes: Nodes, slices: readonly SliceId[], table: 'visit' | 'tally'): Promise<void> =>
  nodes.everywhere(`DELETE FROM ${table} WHERE ${matchIds(slices)}`, { lightweight_deletes_sync: '2' });

type RemoveOptions = { tables?: readonly ('visit' | 'tally')[]; isPatient?: boolean };

/**
 * Deletes the visits and sums of some days. A server without such visits and sums gets no DELETE, because this function
 * is called often. With `isPatient`, one server that fails makes the deletion fail, so that it is tried again.
 */
export async function removeLeft(
  nodes: Nodes,
  slices: readonly SliceId[],
  { tables = ['visit', 'tally'], isPatient = false }: RemoveOptions = {},
): Promise<void> {
  for (const table of slices.length === 0 ? [] : tables) {
    const own = `FROM ${table} WHERE ${matchIds(slices)}`;
    const remove = async (node: Node): Promise<void> => {
      const [left] = await nodes.askOne<{ n: number }>(node, `SELECT count() AS n ${own}`);
      if (left?.n !== 0) await nodes.run(node, `DELETE ${own}`, {}, { lightweight_deletes_sync: '2' });
    };
    await nodes.removeOnEach(remove, { isPatient });
  }
}
