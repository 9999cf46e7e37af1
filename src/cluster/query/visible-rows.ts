import type { Closed, Slice } from '../../catalog/sealed-days.ts';
import type { Range } from '../../stats/question.ts';
import type { Nodes } from '../servers/nodes.ts';
import { type Field, madeOf } from './visits.ts';

/** An import whose hits stand in an open day; those that were collected up to `voidUntil` are replaced by it. */
type OpenImport = { id: number; day: number; voidUntil: number | null };

/** What counts of a site. */
export type Shown = {
  parts: readonly Slice[];
  /** The imports whose hits are in open days. */
  imports: readonly OpenImport[];
  /** What counted once: rows of its days that came before do not count again. */
  gone: readonly Closed[];
  /** The ids of all sealed days that do not count. */
  unshown: readonly number[];
  /** The days with rows that may not be sealed yet. Any day may have some where it is left out. */
  open?: readonly number[];
};

/** The days of which any site has rows, read from what ClickHouse knows of its files without opening them. */
export async function openDaysOf(nodes: Nodes, gone?: AbortSignal): Promise<number[]> {
  const sql = `SELECT DISTINCT toUInt32(partition) AS day FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'activity'`;
  return [...new Set((await nodes.ask<{ day: number }>(sql, {}, gone)).map(({ day }) => day))];
}

export const within = (ranges: readonly Range[]): string =>
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

/** Whether some of the days may have rows that are not sealed yet. */
export const isOpenIn = (ranges: readonly Range[], { open }: Shown): boolean =>
  open?.some((day) => ranges.some(({ from, to }) => day >= from && day < to)) ?? true;

/** The rows that came to days since they were sealed last. */
export function openRows(siteId: number, ranges: readonly Range[], { parts, gone, imports, open }: Shown): string {
  const sealed = new Map<number, number>();
  for (const { day, after } of [...parts, ...gone])
    if (!open || open.includes(day)) sealed.set(day, Math.max(after, sealed.get(day) ?? 0));
  const days = [...sealed.keys()];
  const newer =
    days.length === 0 ? [] : [`seq > transform(day, [${days.join()}], [${[...sealed.values()].join()}], 0)`];
  return `SELECT * FROM activity WHERE ${[`site = ${siteId}`, within(ranges), ...newer, ...importConditions(imports)].join(' AND ')}`;
}

/**
 * Whether a row is of one of some parts of the site, whose days the statement names too: by ranges of ids without any other part of
 * these days in between, because a list of a year takes ClickHouse 15 ms to understand.
 */
export function isOf(parts: readonly Slice[], { parts: shown, unshown }: Shown): string {
  const wanted = new Set(parts.map(({ id }) => id));
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
  const listed = single.length === 0 ? [] : [`part IN (${single.join(', ')})`];
  const longer = runs.flatMap(([first, last]) => (first < last ? [`part BETWEEN ${first} AND ${last}`] : []));
  const conditions = [...longer, ...listed];
  return conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`;
}

/** The visits of a site on some days, with the fields that are needed: those of open days, and of some sealed ones. */
export function visitsOf(
  siteId: number,
  ranges: readonly Range[],
  { shown, scanned }: { shown: Shown; scanned: readonly Slice[] },
  fields: readonly Field[],
): string {
  const isOpen = isOpenIn(ranges, shown);
  const names = fields.map((name) => `, ${name}`).join('');
  const sealed = `SELECT site, day, part, toUInt64(visitor) AS visitor${names} FROM visit
    WHERE site = ${siteId} AND ${within(ranges)} AND ${isOf(scanned, shown)}`;
  const open = isOpen ? [madeOf(openRows(siteId, ranges, shown), fields)] : [];
  return [...open, ...(isOpen && scanned.length === 0 ? [] : [sealed])].join(' UNION ALL ');
}
