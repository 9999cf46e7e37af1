// Which rows and visits of the servers count. The file says which slices and imports are shown, and up to which row a day was
// sealed.
//
// Invariant: a hit counts once: as a row until its day is sealed, and then in a slice. A row of an import counts only while the
// import is shown.
//
// Example: a day was sealed with rows up to number 900. Row 850 is still on a server, but is in the slice already, so it is
// skipped. Row 950 came later and counts.
//
// Called by aggregate.ts, days.ts and upkeep/nightly.ts.
import type { Closed, Slice } from '../../catalog/sealed-days.ts';
import type { Range } from '../../stats/query.ts';
import type { Nodes } from '../servers/nodes.ts';
import { sessionizeRows, type VisitField } from './visits.ts';

/**
 * A shown import with hits in an open day. If it replaces what was there, `voidUntil` is the number of the last row that it
 * replaces.
 */
type OpenImport = { id: number; day: number; voidUntil: number | null };

/** What the file says about the days of a site. */
export type Shown = {
  slices: readonly Slice[];
  /** The shown imports with hits in open days. */
  imports: readonly OpenImport[];
  /** Slices of sealed days that were removed. Rows from which they were made must not count again. */
  closed: readonly Closed[];
  /** The ids of all sealed days that do not count. */
  unshown: readonly number[];
  /** The days with rows that may not be sealed yet; undefined if any day may have some. */
  open?: readonly number[];
};

/** Selects the visits of a site on some days with the given fields: those of open days, and those of the given sealed slices. */
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

/** Selects the rows that came to days since these were sealed last. */
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

/** The days of which any site has rows. ClickHouse knows them without opening its files. */
export async function listDaysWithRows(nodes: Nodes, signal?: AbortSignal): Promise<number[]> {
  const sql = `SELECT DISTINCT toUInt32(partition) AS day FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'activity'`;
  return [...new Set((await nodes.ask<{ day: number }>(sql, {}, signal)).map(({ day }) => day))];
}

export const matchRanges = (ranges: readonly Range[]): string =>
  `(${ranges.map(({ from, to }) => `(day >= ${from} AND day < ${to})`).join(' OR ') || '0'})`;

/**
 * Conditions for the rows of imports that count. An import that replaces hides earlier imports of its day, and the hits that
 * were collected before it.
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

/** Whether any day of the ranges may have rows that are not sealed yet. */
export const isOpenIn = (ranges: readonly Range[], { open }: Shown): boolean =>
  open?.some((day) => ranges.some(({ from, to }) => day >= from && day < to)) ?? true;

/**
 * A condition for the rows of some slices. Ids are named in ranges with no other slice of these days in between. ClickHouse
 * takes 15 ms to read the list of all ids of a year. The statement must name site and days too.
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
