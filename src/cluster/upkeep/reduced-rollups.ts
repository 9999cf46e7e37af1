// Stores the sums of days without their excluded visits, before the retention deletes the visits of these days.
//
// Invariant: the rollups of all visits stay. So if the exclusion is removed later, all visits count again.
//
// Example: exclusion 4 leaves out 30 of 100 visits of a day. The rollup `pages` has the pages of 100 visits, and the
// new rollup `~pages` has the pages of 70. Queries read `~pages` while exclusion 4 exists. retention.ts calls
// `storeReduced`.
import { isAbout, listIdsOn } from '../../catalog/exclusion-days.ts';
import type { ReducedDay } from '../../catalog/reduced-days.ts';
import { TOTALS, type Totals } from '../../stats/aggregates.ts';
import { BREAKDOWN_NAMES } from '../../stats/dimensions.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import { IS_BOUNCE, matchExclusion, REDUCED_MARK } from '../query/aggregate.ts';
import { buildBinder } from '../query/filters.ts';
import { selectRevenueRollup } from '../query/revenue.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { matchIds, PATIENT, type SliceId, selectRollupsOf } from './seal.ts';

export type StoredSlice = SliceId & { day: number };

/**
 * Stores on every server the rollups of days without their excluded visits. Gives the totals without these visits. An
 * earlier retention may have been killed after it stored some of these rollups. So call `storeDerived` (seal.ts) first.
 * That function also deletes old rollups without excluded visits.
 */
export async function storeReduced(
  nodes: Nodes,
  slices: readonly StoredSlice[],
  exclusions: readonly Exclusion[],
): Promise<Map<number, ReducedDay>> {
  const touched = slices.filter(({ day }) => exclusions.some((one) => isAbout(one, day)));
  if (touched.length === 0) return new Map();
  const { values, bind } = buildBinder();
  const taken = exclusions.map((one) => matchExclusion(one, bind));
  const isTaken = `(${taken.join(' OR ')})`;
  const left = `(SELECT * FROM visit WHERE ${matchIds(touched)} AND NOT ${isTaken})`;
  const rollups = `${selectRollupsOf(left, BREAKDOWN_NAMES)} UNION ALL ${selectRevenueRollup(left)}`;
  const marked = `SELECT site, day, slice, concat('${REDUCED_MARK}', dimension), event, value, visitors, hits FROM (${rollups})`;
  await nodes.onEach((node) => nodes.run(node, `INSERT INTO tally ${marked}`, values, PATIENT));
  const excluded = [isTaken, ...taken].map((one, i) => `countIf(${one}) AS a${i}`);
  const sql = `SELECT slice, uniqExactIf(visitor, NOT ${isTaken}) AS s0, countIf(NOT ${isTaken}) AS s1,
      sumIf(pageviews, NOT ${isTaken}) AS s2, sumIf(events, NOT ${isTaken}) AS s3,
      countIf(${IS_BOUNCE} AND NOT ${isTaken}) AS s4, sumIf(seconds, NOT ${isTaken}) AS s5, ${excluded.join(', ')}
    FROM visit WHERE ${matchIds(touched)} GROUP BY slice`;
  const rows = sumRows((await nodes.askShards<Record<string, number>>(sql, values)).flat(), ['slice']);
  const counted = new Map(rows.map((row) => [row.slice ?? 0, row]));
  return new Map(
    touched.map(({ id, day }) => {
      const row = counted.get(id) ?? {};
      const totals = Object.fromEntries(TOTALS.map((name, i) => [name, row[`s${i}`] ?? 0])) as Totals;
      const visits = [{ id: 0 }, ...exclusions].map((one, i) => [one.id, row[`a${i}`] ?? 0] as const);
      const own = Object.fromEntries(visits.filter(([, count]) => count > 0));
      return [id, { exclusions: listIdsOn(exclusions, day), excluded: own, totals }];
    }),
  );
}
