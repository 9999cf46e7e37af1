// Aggregation asks each shard for sums of visits, and adds up the sums of all shards. The visits of open days are made
// from rows, and the visits of sealed days are stored. If rollups contain the sums, the rollups are read and not the
// visits.
//
// Invariant: all visits of a visitor on a day are on the same shard. So the sums of the shards can be added up. One
// statement reads open days, sealed days and rollups together.
//
// Example: `count({ ranges, where: "country = 'DE'" }, { keys: { day: 'day' }, sums: { visits: 'count()' } })` gives a
// row for each day, such as { day: 20783, visits: 412 }.
//
// measure.ts calls `buildCount`, and the reports call the function that it builds.
import type { Slice } from '../../catalog/sealed-days.ts';
import { BOUNCE } from '../../stats/definitions.ts';
import type { Range } from '../../stats/query.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { type Bind, type buildBinder, matchFilters } from './filters.ts';
import type { DayPlan, KnownDays } from './plan.ts';
import { isOpenIn, matchRanges, matchSlices, type Shown, selectVisits } from './visible-rows.ts';
import { CUT_NEEDS, cutVisits, listFields } from './visits.ts';

/** The columns that identify a visitor on a day. */
export const WHO = 'day, slice, visitor';

/**
 * Makes one number for a visitor, because ClickHouse counts a number several times as fast as three columns. On a
 * sealed day the number is made of slice and visitor. On an open day it is made of visitor code and day, and the
 * highest bit is set.
 */
export const VISITOR =
  'if(slice = 0, bitOr(bitXor(visitor, intHash64(day)), 9223372036854775808), bitShiftLeft(toUInt64(slice), 32) + visitor)';

/**
 * What is counted, as SQL: the sums, and the keys by which rows are grouped. Sums of two shards are added up. So an
 * average, for example, cannot be a sum.
 */
type Counting = {
  keys?: Record<string, string>;
  sums: Record<string, string>;
  /**
   * Makes SQL that gives the rows to count, such as the hits of visits. `visits` is SQL that selects the visits.
   * Without this function the visits are counted.
   */
  from?: (visits: string) => string;
  /** How the sums are read from rollups. `where` selects the rows of the rollups. */
  fromRollups?: { sums: Record<string, string>; where: string };
};

/**
 * Which visits are counted. With `until`, only hits before this second of their day count. With `isWhole`, excluded
 * visits count too, and no rollups are read.
 */
export type Scope = { ranges: readonly Range[]; where: string; until?: number; isWhole?: boolean };

type CountDeps = { nodes: Nodes; known: KnownDays; plan: DayPlan; signal?: AbortSignal | undefined };

export type CountVisits = ReturnType<typeof buildCount>;

/** `where` selects visits, and `counted` selects those hits of these visits that count. */
export type VisitSelection = { where: string; counted: string; bind: Bind };

/** Builds a function that counts visits of a site. */
export function buildCount(
  { nodes, known: { shown, exclusions }, plan, signal }: CountDeps,
  siteId: number,
  { values, bind }: ReturnType<typeof buildBinder>,
) {
  const everySlice = shown.slices.filter(({ hasHits }) => hasHits === 1);

  // Rollups are sums of whole days without excluded visits. If only a part of a day counts, or excluded visits count too, the
  // visits of every slice are read.
  const listScanned = ({ ranges, until, isWhole = false }: Scope): Slice[] =>
    filterByRanges(isWhole || until !== undefined ? everySlice : plan.scanned, ranges);

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
    const isScanned = scanned.length > 0 || isOpenIn(scope.ranges, shown);
    const scan = isScanned
      ? [selectSums(counting, from(selectCounted(scope, scanned, selectSums(counting, from('')))))]
      : [];
    const { ranges } = scope;
    const rolled = scope.isWhole
      ? []
      : selectRolledUp(counting, { siteId, ranges, shown }, filterByRanges(plan.summed, ranges));
    if (scan.length + rolled.length === 0) return [];
    const rows = await nodes.ask<Record<string, string | number>>(
      [...scan, ...rolled].join(' UNION ALL '),
      values,
      signal,
    );
    // In SQL the sums are named s0, s1 and so on. With a name such as `visits`, ClickHouse would take the column with
    // that name.
    const [own, names] = [Object.keys(keys), Object.keys(sums)];
    return sumRows(rows, own).map((row) =>
      Object.fromEntries([...own.map((name) => [name, row[name]]), ...names.map((name, i) => [name, row[`s${i}`]])]),
    );
  };
}

/** Makes a condition for the visits that an exclusion excludes. */
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

const filterByRanges = (slices: readonly Slice[], ranges: readonly Range[]): Slice[] =>
  slices.filter(({ day }) => ranges.some(({ from, to }) => day >= from && day < to));

const selectSums = ({ keys = {}, sums }: Counting, visits: string): string =>
  `SELECT ${writeList([...Object.entries(keys), ...Object.values(sums).map((sql, i) => [`s${i}`, sql] as const)])}
   FROM (${visits})${writeGroupBy(keys)}`;

type SliceScope = { siteId: number; ranges: readonly Range[]; shown: Shown };

/** Selects sums from the rollups of some slices of sealed days. Gives an empty list if there is no slice. */
function selectRolledUp(
  { keys = {}, sums, fromRollups }: Counting,
  { siteId, ranges, shown }: SliceScope,
  slices: readonly Slice[],
): string[] {
  if (!fromRollups || slices.length === 0) return [];
  const own = Object.keys(sums).map((name, i) => [`s${i}`, `toUInt64(sum(${fromRollups.sums[name] ?? '0'}))`] as const);
  return [
    `SELECT ${writeList([...Object.keys(keys).map((name) => [name, name] as const), ...own])} FROM tally
     WHERE site = ${siteId} AND ${matchRanges(ranges)} AND ${matchSlices(slices, shown)} AND ${fromRollups.where}${writeGroupBy(keys)}`,
  ];
}

export const IS_BOUNCE = `pageviews = ${BOUNCE.pageviews} AND events = ${BOUNCE.events}`;

export const countPageviews = (counted: string): string =>
  counted === '1' ? 'pageviews' : `arrayCount((p, e) -> e = '' AND ${counted}, h_page, h_event)`;

/**
 * The fields of a hit, beside its page `p` and event `e`. `second` is its time, `l` its label, and `n` how many
 * seconds its page was visible.
 */
const HIT_FIELDS = {
  ...{ second: 'h_second', l: 'h_label', n: 'h_seen' },
  // These fields count within a visit. For the first hit of the visit with a page, `same_page` is 1. For the second hit
  // with that page, `same_page` is 2.
  ...{ same_page: 'arrayEnumerateUniq(h_page, h_event)', same_event: 'arrayEnumerateUniq(h_event)' },
  same_label: 'arrayEnumerateUniq(h_event, h_label)',
} as const;

/** Selects the hits of visits as rows. Each row also has the columns of the visit. */
export function selectHits(visits: string, condition: string, more: readonly (keyof typeof HIT_FIELDS)[]): string {
  const lists = ['h_page AS p', 'h_event AS e', ...more.map((name) => `${HIT_FIELDS[name]} AS ${name}`)];
  return `SELECT *, ${['p', 'e', ...more].join(', ')} FROM (${visits}) ARRAY JOIN ${lists.join(', ')} WHERE ${condition}`;
}
