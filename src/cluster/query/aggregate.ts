// Aggregation asks each shard for sums of visits and adds the sums of all shards up. Visits are made from rows of open days or
// read from sealed days. Where rollups have the sums, they are read instead.
//
// Invariant: the visitors of a day are on one shard, so sums of shards add up. One statement reads open days, sealed days and
// rollups together.
//
// Example: `count({ ranges, where: "country = 'DE'" }, { keys: { day: 'day' }, sums: { visits: 'count()' } })` gives a row for
// each day, such as { day: 20783, visits: 412 }.
//
// measure.ts calls `buildCount` and hands its result to the reports.
import type { Slice } from '../../catalog/sealed-days.ts';
import { BOUNCE } from '../../stats/definitions.ts';
import type { Range } from '../../stats/query.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import { type Nodes, sumRows } from '../servers/nodes.ts';
import { type Bind, type buildBinder, matchFilters } from './filters.ts';
import type { DayPlan, KnownDays } from './plan.ts';
import { isOpenIn, matchRanges, matchSlices, type Shown, selectVisits } from './visible-rows.ts';
import { CUT_NEEDS, cutVisits, listFields } from './visits.ts';

/** The columns that tell visitors apart. */
export const WHO = 'day, slice, visitor';

/**
 * A visitor as one number, which ClickHouse counts several times as fast as three columns. For a sealed day the number is made
 * of slice and visitor. For an open day it is made of visitor code and day, and its highest bit is set.
 */
export const VISITOR =
  'if(slice = 0, bitOr(bitXor(visitor, intHash64(day)), 9223372036854775808), bitShiftLeft(toUInt64(slice), 32) + visitor)';

/** What is counted: expressions for sums and for the keys by which they are grouped. Sums must add up over shards. */
type Counting = {
  keys?: Record<string, string>;
  sums: Record<string, string>;
  /** Selects rows from `visits`. Without it the visits themselves are counted. */
  from?: (visits: string) => string;
  /** How rollups give the same sums, and which of their rows count. */
  fromRollups?: { sums: Record<string, string>; where: string };
};

/**
 * Which visits are counted. `until` cuts them at a second of their day. With `isWhole` excluded visits count too, and no rollups
 * are read.
 */
export type Scope = { ranges: readonly Range[]; where: string; until?: number; isWhole?: boolean };

type CountDeps = { nodes: Nodes; known: KnownDays; plan: DayPlan; signal?: AbortSignal | undefined };

export type CountVisits = ReturnType<typeof buildCount>;

/** Conditions for the visits that filters select, and for the hits of these visits that count. */
export type VisitSelection = { where: string; counted: string; bind: Bind };

/** Builds a function that counts visits of a site. */
export function buildCount(
  { nodes, known: { shown, exclusions }, plan, signal }: CountDeps,
  siteId: number,
  { values, bind }: ReturnType<typeof buildBinder>,
) {
  const everySlice = shown.slices.filter(({ hasHits }) => hasHits === 1);

  // A cut or a count of excluded visits needs the visits of every slice, because rollups cannot be divided.
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
    // Sums are named s0, s1 … in SQL. With their own names ClickHouse would mix them up with fields of visits.
    const [own, names] = [Object.keys(keys), Object.keys(sums)];
    return sumRows(rows, own).map((row) =>
      Object.fromEntries([...own.map((name) => [name, row[name]]), ...names.map((name, i) => [name, row[`s${i}`]])]),
    );
  };
}

/** A condition for the visits that an exclusion takes out. */
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

/** Selects the sums of visits on one shard. */
const selectSums = ({ keys = {}, sums }: Counting, visits: string): string =>
  `SELECT ${writeList([...Object.entries(keys), ...Object.values(sums).map((sql, i) => [`s${i}`, sql] as const)])}
   FROM (${visits})${writeGroupBy(keys)}`;

type SliceScope = { siteId: number; ranges: readonly Range[]; shown: Shown };

/** Selects the sums from the rollups of some slices; nothing if there are none. */
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

/** Fields of a hit beside its page `p` and its event `e`: its second, its label, and the seconds for which its page was seen. */
const HIT_FIELDS = {
  ...{ second: 'h_second', l: 'h_label', n: 'h_seen' },
  // The number of a hit among the hits of its visit with an equal page, event or label: 1 for the first.
  ...{ same_page: 'arrayEnumerateUniq(h_page, h_event)', same_event: 'arrayEnumerateUniq(h_event)' },
  same_label: 'arrayEnumerateUniq(h_event, h_label)',
} as const;

/** Selects the hits of visits as rows, each with the fields of its visit. */
export function selectHits(visits: string, condition: string, more: readonly (keyof typeof HIT_FIELDS)[]): string {
  const lists = ['h_page AS p', 'h_event AS e', ...more.map((name) => `${HIT_FIELDS[name]} AS ${name}`)];
  return `SELECT *, ${['p', 'e', ...more].join(', ')} FROM (${visits}) ARRAY JOIN ${lists.join(', ')} WHERE ${condition}`;
}
