import type { Part } from '../catalog/sealed-days.ts';
import type { Range } from '../stats/question.ts';
import { type Field, madeOf } from './visits.ts';

/** An import whose hits stand in an open day; those that were collected up to `voidUntil` are replaced by it. */
type OpenImport = { id: number; day: number; voidUntil: number | null };

/** What counts of a site: its sealed days, and the imports whose hits are in open ones. */
export type Shown = { parts: readonly Part[]; imports: readonly OpenImport[] };

const within = (ranges: readonly Range[]): string =>
  `(${ranges.map(({ from, to }) => `(day >= ${from} AND day < ${to})`).join(' OR ') || '0'})`;

/** Which imports are seen, and what they hide: those before the last one that replaces, and what was collected until then. */
function importConditions(imports: readonly OpenImport[]): string[] {
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

/** The rows that came to days since they were sealed last. */
export function openRows(siteId: number, ranges: readonly Range[], { parts, imports }: Shown): string {
  const sealed = new Map<number, number>();
  for (const { day, after } of parts) sealed.set(day, Math.max(after, sealed.get(day) ?? 0));
  const days = [...sealed.keys()];
  const newer =
    days.length === 0 ? [] : [`seq > transform(day, [${days.join()}], [${[...sealed.values()].join()}], 0)`];
  return `SELECT * FROM activity WHERE ${[`site = ${siteId}`, within(ranges), ...newer, ...importConditions(imports)].join(' AND ')}`;
}

export const idsOf = (parts: readonly Part[]): string => parts.map(({ id }) => id).join(', ');

/** The visits of a site on some days, with the fields that are needed: those of open days, and of some sealed ones. */
export function visitsOf(
  siteId: number,
  ranges: readonly Range[],
  { shown, scanned }: { shown: Shown; scanned: readonly Part[] },
  fields: readonly Field[],
): string {
  const open = madeOf(openRows(siteId, ranges, shown), fields);
  if (scanned.length === 0) return open;
  const names = fields.map((name) => `, ${name}`).join('');
  return `${open} UNION ALL
    SELECT site, day, part, toUInt64(visitor) AS visitor${names} FROM visit
    WHERE site = ${siteId} AND ${within(ranges)} AND part IN (${idsOf(scanned)})`;
}
