// Aggregation asks each shard for sums of visits, and adds them up. Visits of open days are made from rows. Sealed days
// have stored visits and rollups. If rollups contain the sums, only rollups are read, because this is faster.
//
// Invariant: all visits of a visitor on a day are on one shard. So the sums of the shards can be added up. One
// statement reads open days, sealed days and rollups together.
//
// Example: `count({ ranges, where: "country = 'DE'" }, { keys: { day: 'day' }, sums: { visits: 'count()' } })` gives a
// row for each day, such as { day: 20783, visits: 412 }. measure.ts calls `buildCount`, and the reports call the
// function that it builds.
import type { Slice } from '../../catalog/sealed-days.ts';
import { takeInTurns } from '../../lib/turns.ts';
import { BOUNCE } from '../../stats/definitions.ts';
import type { Range } from '../../stats/query.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import { type Nodes, sumManyRows } from '../servers/nodes.ts';
import { ROWS_A_TURN } from '../servers/send.ts';
import type { DayGroups, KnownDays, SummedSlice } from './day-groups.ts';
import { type Bind, type buildBinder, HIT_LISTS, matchFilters, overHits } from './filters.ts';
import { isOpenIn, matchRanges, matchSlices, type Shown, selectVisits } from './visible-rows.ts';
import { CUT_NEEDS, cutVisits, listFields, listNamed } from './visits.ts';

/**
 * The columns that identify a visitor on a day. On a sealed day, `visitor` is a small number. Two slices of the day may
 * use the same number for different visitors.
 */
export const WHO = 'day, slice, visitor';

/**
 * SQL that makes one number from day, slice and visitor. ClickHouse counts one number several times as fast as three
 * columns. Slice 0 means an open day. Numbers of open days have the highest bit set, so they never equal a number of a
 * slice.
 */
export const VISITOR =
  'if(slice = 0, bitOr(bitXor(visitor, intHash64(day)), 9223372036854775808), bitShiftLeft(toUInt64(slice), 32) + visitor)';

/**
 * What is counted, as SQL: sums, and the keys by which rows are grouped. The sums of all shards are added up, so an
 * average cannot be one of them.
 */
type Counting = {
  keys?: Record<string, string>;
  sums: Record<string, string>;
  /** The most rows that a shard gives. Undefined: all rows. */
  most?: number;
  /**
   * Makes SQL for rows that are counted in place of visits, such as one row for each hit. The argument `visits` is SQL
   * that selects the visits.
   */
  from?: (visits: string) => string;
  /**
   * SQL that reads the sums of this `Counting` from rollups. `where` selects the rows of the rollups. Undefined: the
   * sums are always counted from visits.
   */
  fromRollups?: { sums: Record<string, string>; where: string };
};

/**
 * Which visits are counted. With `until`, only hits before this time of their day (in seconds) count. For example,
 * today until 10:00 is compared with yesterday until 10:00. With `isWhole`, excluded visits count too.
 */
export type Scope = { ranges: readonly Range[]; where: string; until?: number; isWhole?: boolean };

type CountDeps = { nodes: Nodes; known: KnownDays; groups: DayGroups; signal?: AbortSignal | undefined };

export type CountVisits = ReturnType<typeof buildCount>;

/** The filters of a query as SQL: `where` selects visits, and `counted` selects which of their hits count. */
export type VisitSelection = { where: string; counted: string; bind: Bind };

/** Builds a function that counts visits of a site on all shards, and adds the counts up. */
export function buildCount(
  { nodes, known: { shown, exclusions }, groups, signal }: CountDeps,
  siteId: number,
  { values, bind }: ReturnType<typeof buildBinder>,
) {
  const everySlice = shown.slices.filter(({ hasHits }) => hasHits === 1);

  // A rollup counts a whole day, and may be without excluded visits. So all visits are read if only a part of a day
  // counts (`until`), or if excluded visits count too (`isWhole`).
  const listScanned = ({ ranges, until, isWhole = false }: Scope): Slice[] =>
    filterByRanges(isWhole || until !== undefined ? everySlice : groups.scanned, ranges);

  function selectCounted(scope: Scope, scanned: readonly Slice[], named: string): string {
    const { ranges, where, until, isWhole = false } = scope;
    const taken = isWhole ? [] : exclusions.map((one) => matchExclusion(one, bind));
    const fields = new Set([
      ...listFields([named, where, ...taken].join(' ')),
      ...(until === undefined ? [] : CUT_NEEDS),
    ]);
    const all = selectVisits(siteId, ranges, { shown, scanned }, [...fields]);
    const left = taken.length === 0 ? all : `SELECT * FROM (${all}) WHERE NOT (${taken.join(' OR ')})`;
    const cut = until === undefined ? left : cutVisits(left, until, [...fields]);
    return where === '1' ? cut : `SELECT * FROM (${cut}) WHERE ${where}`;
  }

  return async function count<Found extends object>(scope: Scope, counting: Counting): Promise<Found[]> {
    const { keys = {}, sums, from = (visits) => visits } = counting;
    const scanned = listScanned(scope);
    const isOpen = isOpenIn(scope.ranges, shown);
    const isScanned = scanned.length > 0 || isOpen;
    const scan = isScanned
      ? [selectSums(counting, from(selectCounted(scope, scanned, selectSums(counting, from('')))))]
      : [];
    const { ranges } = scope;
    const rolled = scope.isWhole
      ? []
      : selectRolledUp(counting, { siteId, ranges, shown }, filterByRanges(groups.summed, ranges));
    if (scan.length + rolled.length === 0) return [];
    const rows = await nodes.ask<Record<string, string | number>>(
      [...scan, ...rolled].join(' UNION ALL '),
      values,
      signal,
      { isSealed: !isOpen },
    );
    // In SQL the sums are named s0, s1 and so on, and get their names here. A sum with the name of a column would
    // replace this column in the rest of the statement.
    const [own, names] = [Object.keys(keys), Object.keys(sums)];
    const found: Found[] = [];
    await takeInTurns(await sumManyRows(rows, own), ROWS_A_TURN, (some) => {
      for (const row of some) {
        const counts = names.map((name, i) => [name, row[`s${i}`]] as const);
        found.push(Object.fromEntries([...own.map((name) => [name, row[name]] as const), ...counts]) as Found);
      }
    });
    return found;
  };
}

export function matchExclusion({ from, to, filters }: Exclusion, bind: Bind): string {
  const until = to === null ? '' : ` AND day < ${to}`;
  return `(day >= ${from}${until} AND ${matchFilters(filters, bind)})`;
}

const writeList = (entries: readonly (readonly [name: string, sql: string])[]): string =>
  entries.map(([name, sql]) => `${sql} AS ${name}`).join(', ');

const writeGroupBy = (keys: object): string => {
  const names = Object.keys(keys);
  return names.length === 0 ? '' : ` GROUP BY ${names.join(', ')}`;
};

const filterByRanges = <One extends Slice>(slices: readonly One[], ranges: readonly Range[]): One[] =>
  slices.filter(({ day }) => ranges.some(({ from, to }) => day >= from && day < to));

const selectSums = ({ keys = {}, sums, most }: Counting, visits: string): string =>
  `SELECT ${writeList([...Object.entries(keys), ...Object.values(sums).map((sql, i) => [`s${i}`, sql] as const)])}
   FROM (${visits})${writeGroupBy(keys)}${most === undefined ? '' : ` LIMIT ${most}`}`;

type SliceScope = { siteId: number; ranges: readonly Range[]; shown: Shown };

/**
 * A totals-only day may also have rollups without its excluded visits. The dimension of such a rollup begins with this
 * character, such as `~pages`.
 */
export const REDUCED_MARK = '~';

/**
 * Selects sums from the rollups of sealed days (`slices`). Gives an empty list if there is no such day, or if these
 * sums are not in rollups.
 */
function selectRolledUp(
  { keys = {}, sums, fromRollups }: Counting,
  { siteId, ranges, shown }: SliceScope,
  slices: readonly SummedSlice[],
): string[] {
  if (!fromRollups || slices.length === 0) return [];
  const own = Object.keys(sums).map((name, i) => [`s${i}`, `toUInt64(sum(${fromRollups.sums[name] ?? '0'}))`] as const);
  const selected = writeList([...Object.keys(keys).map((name) => [name, name] as const), ...own]);
  const selectFrom = (some: readonly SummedSlice[], isReduced: boolean): string[] => {
    const stored = `tally WHERE site = ${siteId} AND ${matchRanges(ranges)} AND ${matchSlices(some, shown)}`;
    // Without the inner SELECT, the condition would test the new `dimension`, which no longer begins with `~`.
    const marked = `(SELECT * FROM ${stored} AND startsWith(dimension, '${REDUCED_MARK}'))`;
    const without = `(SELECT * REPLACE (substring(dimension, ${REDUCED_MARK.length + 1}) AS dimension) FROM ${marked})`;
    const from = isReduced ? `${without} WHERE` : `${stored} AND`;
    return some.length === 0 ? [] : [`SELECT ${selected} FROM ${from} ${fromRollups.where}${writeGroupBy(keys)}`];
  };
  const reduced = slices.filter(({ isReduced }) => isReduced);
  return [
    ...selectFrom(
      slices.filter(({ isReduced }) => !isReduced),
      false,
    ),
    ...selectFrom(reduced, true),
  ];
}

export const IS_BOUNCE = `pageviews = ${BOUNCE.pageviews} AND events = ${BOUNCE.events}`;

export const countPageviews = (counted: string): string =>
  counted === '1' ? 'pageviews' : overHits('arrayCount', `e = '' AND ${counted}`);

/** The values of a hit that a query may read. */
const HIT_FIELDS = {
  ...HIT_LISTS,
  // A visit's first hit on a page has `same_page` 1, and its second hit on this page has 2. So counting the hits with 1
  // gives the visits that saw the page.
  ...{ same_page: 'arrayEnumerateUniq(h_page, h_event)', same_event: 'arrayEnumerateUniq(h_event)' },
  ...{ same_hostname: 'arrayEnumerateUniq(h_hostname, h_event)', same_label: 'arrayEnumerateUniq(h_event, h_label)' },
} as const;
export type HitField = keyof typeof HIT_FIELDS;

/**
 * Makes SQL that gives a row for each hit of the visits. Each row also has the columns of its visit. The row has the
 * page and the event of the hit, and the fields in `more`. It also has other fields that the condition names.
 */
export function selectHits(visits: string, condition: string, more: readonly HitField[]): string {
  const names = new Set<HitField>(['p', 'e', ...more, ...listNamed(Object.keys(HIT_LISTS) as HitField[], condition)]);
  const lists = [...names].map((name) => `${HIT_FIELDS[name]} AS ${name}`);
  return `SELECT *, ${[...names].join(', ')} FROM (${visits}) ARRAY JOIN ${lists.join(', ')} WHERE ${condition}`;
}
