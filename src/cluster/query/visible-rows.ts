// Selects the rows and visits on the servers that count. The database file says which slices and imports are shown, and
// which row of a day was the last when the day was sealed.
//
// Invariant: each hit counts once. Before its day is sealed it counts as a row, and after that in a visit of a slice.
// The row of an import counts only while the import is shown.
//
// Example: a day was sealed with rows up to number 900. Row 850 is still on a server, but does not count, because its
// hit is already in the slice. Row 950 was received after sealing, and counts. This file is used by aggregate.ts,
// days.ts and upkeep/nightly.ts.
import type { Closed, Slice } from '../../catalog/sealed-days.ts';
import type { Range } from '../../stats/query.ts';
import type { Nodes } from '../servers/nodes.ts';
import { sessionizeRows, type VisitField } from './visits.ts';

/**
 * A shown import with hits of an open day. If the import replaced the earlier hits of that day, rows of the day with a
 * number up to `voidUntil` do not count.
 */
type OpenImport = { id: number; day: number; voidUntil: number | null };

/** What the database file says about the days of a site. */
export type Shown = {
  slices: readonly Slice[];
  imports: readonly OpenImport[];
  /** Slices that were shown once and are not shown any more. The rows from which they were made must not count. */
  closed: readonly Closed[];
  /** The ids of the site's sealed days that no answer counts. */
  unshown: readonly number[];
  /** The days that may have rows that are not sealed yet. If undefined, any day may have such rows. */
  open?: readonly number[];
};

/**
 * Selects visits of a site with the given fields: the visits of open days, and the visits of the slices `scanned` of
 * sealed days.
 */
export function selectVisits(
  siteId: number,
  ranges: readonly Range[],
  { shown, scanned }: { shown: Shown; scanned: readonly Slice[] },
  fields: readonly VisitField[],
): string {
  const isOpen = isOpenIn(ranges, shown);
  const names = fields.map((name) => `, ${name}`).join('');
  const sealed = `SELECT site, day, slice, toUInt64(visitor) AS visitor${names} FROM visit
    WHERE site = ${siteId} AND ${matchRanges(ranges)} AND ${matchSlices(scanned, shown)}`;
  const open = isOpen ? [sessionizeRows(selectOpenRows(siteId, ranges, shown), fields)] : [];
  return [...open, ...(isOpen && scanned.length === 0 ? [] : [sealed])].join(' UNION ALL ');
}

/** Selects rows of open days, and rows of sealed days that were received after sealing. */
export function selectOpenRows(
  siteId: number,
  ranges: readonly Range[],
  { slices, closed, imports, open }: Shown,
): string {
  const sealed = new Map<number, number>();
  for (const { day, after } of [...slices, ...closed])
    if (!open || open.includes(day)) sealed.set(day, Math.max(after, sealed.get(day) ?? 0));
  const days = [...sealed.keys()];
  const newer =
    days.length === 0 ? [] : [`seq > transform(day, [${days.join()}], [${[...sealed.values()].join()}], 0)`];
  return `SELECT * FROM activity WHERE ${[`site = ${siteId}`, matchRanges(ranges), ...newer, ...matchImports(imports)].join(' AND ')}`;
}

/**
 * Lists the days for which any site has rows. ClickHouse knows its partitions without opening files, so this is fast.
 */
export async function listDaysWithRows(nodes: Nodes, signal?: AbortSignal): Promise<number[]> {
  const sql = `SELECT DISTINCT toUInt32(partition) AS day FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'activity'`;
  return [...new Set((await nodes.ask<{ day: number }>(sql, {}, signal)).map(({ day }) => day))];
}

export const matchRanges = (ranges: readonly Range[]): string =>
  `(${ranges.map(({ from, to }) => `(day >= ${from} AND day < ${to})`).join(' OR ') || '0'})`;

/**
 * Makes conditions for the rows of imports that count. An import may replace the earlier hits of a day. Then the hits
 * that were collected before it do not count. Earlier imports of that day do not count either.
 */
function matchImports(imports: readonly OpenImport[]): string[] {
  const days = Map.groupBy(imports, ({ day }) => day);
  const visible = [0];
  const hidden: string[] = [];
  for (const [day, own] of days) {
    const replacing = own.findLastIndex(({ voidUntil }) => voidUntil !== null);
    visible.push(...own.slice(Math.max(replacing, 0)).map(({ id }) => id));
    const { voidUntil } = own[replacing] ?? {};
    if (voidUntil) hidden.push(`NOT (import = 0 AND day = ${day} AND seq <= ${voidUntil})`);
  }
  return [`import IN (${visible.join(', ')})`, ...hidden];
}

/** Tells whether a day of the ranges may have rows that are not sealed yet. */
export const isOpenIn = (ranges: readonly Range[], { open }: Shown): boolean =>
  open?.some((day) => ranges.some(({ from, to }) => day >= from && day < to)) ?? true;

/**
 * Makes a condition for the rows of some slices of sealed days. Consecutive ids are written as BETWEEN, if no other
 * slice of the site lies between them. ClickHouse would need 15 ms only to parse all ids of a year. The statement
 * must also have conditions for the site and the days.
 */
export function matchSlices(slices: readonly Slice[], { slices: shown, unshown }: Shown): string {
  const wanted = new Set(slices.map(({ id }) => id));
  const all = [...new Set([...shown.map(({ id }) => id), ...unshown])].sort((one, other) => one - other);
  const runs: [first: number, last: number][] = [];
  let isRunning = false;
  for (const id of all) {
    const run = runs.at(-1);
    if (!wanted.has(id)) isRunning = false;
    else if (isRunning && run) run[1] = id;
    else {
      runs.push([id, id]);
      isRunning = true;
    }
  }
  const single = runs.flatMap(([first, last]) => (first === last ? [first] : []));
  const listed = single.length === 0 ? [] : [`slice IN (${single.join(', ')})`];
  const longer = runs.flatMap(([first, last]) => (first < last ? [`slice BETWEEN ${first} AND ${last}`] : []));
  const conditions = [...longer, ...listed];
  return conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`;
}
