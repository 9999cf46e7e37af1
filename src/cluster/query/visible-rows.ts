// Selects the rows and visits that count, among all that are on the ClickHouse servers. Rows are of open days. A slice
// has visits of a sealed day. The database file says which slices and imports are shown, and up to which number rows
// were sealed.
//
// Invariant: each hit counts once. Before its day is sealed it counts as a row, and after that in a visit of a slice.
// The row of an import counts only while the import is shown.
//
// Example: a day was sealed with rows up to number 900. Row 850 is still on a server, but does not count, because its
// hit is already in the slice. Row 950 was received after sealing, and counts. Queries, transfer-read.ts and
// upkeep/nightly.ts use this file.
import type { Closed, Slice } from '../../catalog/sealed-days.ts';
import type { Range } from '../../stats/query.ts';
import type { Nodes } from '../servers/nodes.ts';
import { sessionizeRows, type VisitField } from './visits.ts';

/**
 * An import with hits of an open day. If the import replaced the earlier hits, rows with a number up to `voidUntil` do
 * not count any more.
 */
type OpenImport = { id: number; day: number; voidUntil: number | null };

/** What the database file says about a site: which sealed days and which imports count in answers. */
export type Shown = {
  slices: readonly Slice[];
  imports: readonly OpenImport[];
  /**
   * Sealed days that were replaced or removed. The rows that were packed into them may still be on the servers, and
   * must not count.
   */
  closed: readonly Closed[];
  /** Ids of sealed days that no answer counts, such as the days of an import that is still running. */
  unshown: readonly number[];
  /** Days for which servers still have rows. Rows of other days are not read. Undefined: any day may have rows. */
  open?: readonly number[];
  /** Only rows with a lower number count. The other rows came after the moment that the query is about. */
  before?: number | undefined;
};

/**
 * Makes SQL that selects visits of a site with the given fields. Visits of open days are made from rows. Visits of
 * sealed days are read from the slices `scanned`.
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

/**
 * Makes SQL that selects the rows of a site that count and are in no sealed day. A row that came after its day was
 * sealed has a higher number than the sealed rows, and still counts. Rows of imports that are not shown are left out.
 */
export function selectOpenRows(
  siteId: number,
  ranges: readonly Range[],
  { slices, closed, imports, open, before }: Shown,
): string {
  const sealed = new Map<number, number>();
  for (const { day, after } of [...slices, ...closed])
    if (!open || open.includes(day)) sealed.set(day, Math.max(after, sealed.get(day) ?? 0));
  const days = [...sealed.keys()];
  const newer =
    days.length === 0 ? [] : [`seq > transform(day, [${days.join()}], [${[...sealed.values()].join()}], 0)`];
  const earlier = before === undefined ? [] : [`seq < ${before}`];
  const ofDays = open ? [`day IN (${open.filter((day) => isIn(ranges, day)).join() || '0'})`] : [];
  return `SELECT * FROM activity WHERE ${[`site = ${siteId}`, matchRanges(ranges), ...ofDays, ...newer, ...earlier, ...matchImports(imports)].join(' AND ')}`;
}

/**
 * Lists the days for which any site has rows. Each day is a partition (files of its own). ClickHouse lists partitions
 * without opening files, so this is much faster than reading rows.
 */
export async function listDaysWithRows(nodes: Nodes, signal?: AbortSignal): Promise<number[]> {
  const sql = `SELECT DISTINCT toUInt32(partition) AS day FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'activity'`;
  return [...new Set((await nodes.ask<{ day: number }>(sql, {}, signal)).map(({ day }) => day))];
}

export const matchRanges = (ranges: readonly Range[]): string =>
  `(${ranges.map(({ from, to }) => `(day >= ${from} AND day < ${to})`).join(' OR ') || '0'})`;

/**
 * Makes SQL conditions for the rows that count on days with imports. If an import replaced a day, earlier hits and
 * earlier imports of that day do not count.
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

/** True if a day of the ranges may have rows. Otherwise rows need not be read. */
export const isOpenIn = (ranges: readonly Range[], { open }: Shown): boolean =>
  open?.some((day) => isIn(ranges, day)) ?? true;

const isIn = (ranges: readonly Range[], day: number): boolean => ranges.some(({ from, to }) => day >= from && day < to);

/**
 * Makes an SQL condition for the visits of some slices. Consecutive ids become BETWEEN: for a year of days, ClickHouse
 * would need 15 ms only to parse a list of all ids. Ids of other sites' slices may lie in such a range. So the
 * statement must also name the site and the days.
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
