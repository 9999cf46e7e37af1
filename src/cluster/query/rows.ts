// A breakdown counts visits or hits by the values of a dimension, such as by country. The counts of all shards are
// added up. Then the rows are searched and sorted here, and one page of them is given.
//
// Invariant: rows with equal figures are sorted by the code points of their texts, as in the engine on SQLite. So no
// row is on two pages of a long list.
//
// Example: the breakdown `pages` counts hits: a visit with hits on /, /a and / gives two rows. The row / has 2 hits,
// and the row /a has 1 hit. Each row has one visit, because only the first hit on a page counts as a visit. measure.ts
// calls `countRows`.
import { compareCodePoints } from '../../lib/code-points.ts';
import { makeSearch } from '../../lib/search.ts';
import type { RowAggregates } from '../../stats/aggregates.ts';
import {
  BREAKDOWNS,
  type Breakdown,
  DIMENSIONS,
  type HitDimension,
  isOfProperties,
  NARROWING_FILTERS,
} from '../../stats/dimensions.ts';
import { findFigure, makeRank, type SumName } from '../../stats/metrics.ts';
import type { Filters, Of } from '../../stats/query.ts';
import type { Target } from '../../store/sites/goals.ts';
import {
  type CountVisits,
  countPageviews,
  IS_BOUNCE,
  type Scope,
  selectHits,
  VISITOR,
  type VisitSelection,
  WHO,
} from './aggregate.ts';
import { type Bind, HIT_VALUES, matchTarget, overHits, writeProperty, writeValue } from './filters.ts';
import { sumOfVisit } from './revenue.ts';

type CountedRow = { value: string; visitors: number } & Partial<Record<SumName, number>>;

export async function countRows(
  count: CountVisits,
  { where, counted, bind }: VisitSelection,
  query: Of<'breakdown'>,
  scope: Pick<Scope, 'ranges'>,
): Promise<RowAggregates[]> {
  const { breakdown, event, metrics = [], filters } = query;
  const name = BREAKDOWNS[breakdown];
  const { kind, keepsEmpty } = DIMENSIONS[name];
  const needed = new Set(metrics.flatMap((metric) => findFigure(breakdown, metric)?.needs ?? []));
  const same = kind === 'hit' ? findSame(name as HitDimension, filters) : undefined;
  const all = chooseSums(query, same, counted, bind);
  const sums = Object.fromEntries([...needed].map((sum) => [sum, all[sum] ?? '0']));
  if (isOfProperties(breakdown)) return await countProperties(count, { where, counted, bind }, query, scope);
  const ofHit = kind === 'hit' ? HIT_VALUES[name as HitDimension] : undefined;
  const value = ofHit ?? writeValue(name);
  const more = [
    ...(ofHit ? [ofHit] : []),
    ...(needed.has('seen') ? (['n'] as const) : []),
    ...(needed.has('depth') ? (['d'] as const) : []),
    ...(same && needed.has('visits') ? [same] : []),
  ];
  const found = await count<CountedRow>(
    { ...scope, where },
    {
      keys: { value },
      sums: { visitors: `uniqExact(${VISITOR})`, ...sums },
      from:
        kind === 'hit'
          ? (visits) => selectHits(visits, matchRowHits(breakdown, event, counted, bind), more)
          : (visits) => visits,
      fromRollups: {
        sums: { visitors: 'visitors', hits: 'hits' },
        where: `dimension = '${breakdown}'${breakdown === 'event_labels' ? ` AND event = ${bind(event ?? '')}` : ''}`,
      },
    },
  );
  return pickRows(
    query,
    found.filter(({ value }) => keepsEmpty || value !== ''),
  );
}

/** Leaves out rows that do not contain the text of the search, sorts the others, and gives one page of rows. */
function pickRows(
  { breakdown, metrics = [], sort, order, search = '', offset = 0, limit }: Of<'breakdown'>,
  found: readonly CountedRow[],
): RowAggregates[] {
  const rank = makeRank(breakdown, sort, order);
  const isFound = makeSearch(search);
  return found
    .filter(({ value }) => isFound(value))
    .map((row) => ({ row, rank: rank(row) }))
    .sort((one, other) => other.rank - one.rank || compareCodePoints(one.row.value, other.row.value))
    .slice(offset, offset + limit)
    .map(({ row: { value, visitors, ...sums } }) =>
      metrics.length === 0 ? { value, visitors } : { value, visitors, sums: { visitors, ...sums } },
    );
}

/** Counts the names of properties, or the values of one name. A hit may have several names, and one value of each. */
async function countProperties(
  count: CountVisits,
  { counted, bind, where }: VisitSelection,
  query: Of<'breakdown'>,
  scope: Pick<Scope, 'ranges'>,
): Promise<RowAggregates[]> {
  const { breakdown, property = '', event } = query;
  const ofEvent = event === undefined ? '' : ` AND e <> '' AND e = ${bind(event)}`;
  const ofValues = breakdown === 'property_values';
  const value = ofValues ? writeProperty(property, bind) : 'k';
  const condition = `${ofValues ? value : 'r'} <> ''${ofEvent} AND ${counted}`;
  const found = await count<CountedRow>(
    { ...scope, where },
    {
      keys: { value },
      sums: { visitors: `uniqExact(${VISITOR})`, hits: 'count()' },
      from(visits) {
        const hits = selectHits(visits, condition, ['r']);
        return ofValues ? hits : `SELECT *, arrayJoin(JSONExtractKeys(r)) AS k FROM (${hits})`;
      },
      fromRollups: {
        sums: { visitors: 'visitors', hits: 'hits' },
        where: `dimension = '${breakdown}'${ofValues ? ` AND event = ${bind(property)}` : ''}`,
      },
    },
  );
  return pickRows(query, found);
}

/**
 * Gives the name of a field of hits, such as `same_event`. A visit may have the same event several times. `same_event`
 * is 1 for the first of these hits, and 2 for the second. So each visit has one hit with the value 1 for each of its
 * events. The number of these hits is the number of visits with the event.
 *
 * In a breakdown by event, a filter by page may leave out the hit with `same_event` 1. Then the visit would be missing.
 * So the result is undefined, and the caller counts distinct visits, which is slower. In a breakdown by page, a filter
 * by page selects all hits of a page or none, so no visit is missing. A filter by a property may select only some hits
 * of a page, so the result is undefined.
 */
const findSame = (name: HitDimension, { property, ...filters }: Filters) =>
  property === undefined && NARROWING_FILTERS.every((filter) => filter === name || !filters[filter])
    ? (`same_${name}` as const)
    : undefined;

function chooseSums(
  { breakdown, goal, currency }: Of<'breakdown'>,
  same: string | undefined,
  counted: string,
  bind: Bind,
): Partial<Record<SumName, string>> {
  if (DIMENSIONS[BREAKDOWNS[breakdown]].kind !== 'hit') return sumVisits({ goal, currency }, counted, bind);
  return same ? { ...SUMS_OF_HITS, visits: `countIf(${same} = 1)` } : SUMS_OF_HITS;
}

/** SQL for the sums in a row of a breakdown that counts hits, such as pages. */
export const SUMS_OF_HITS: Partial<Record<SumName, string>> = {
  hits: 'count()',
  visits: `uniqExact(${WHO}, start)`,
  told: 'countIf(n > 0)',
  seen: 'sum(n)',
  scrolled: 'countIf(d > 0)',
  depth: 'toUInt64(sum(d) - countIf(d > 0))',
};

/** Makes SQL for the sums in a row of a breakdown that counts visits, such as countries. */
export function sumVisits(
  { goal, currency }: { goal?: Target | undefined; currency?: string | undefined },
  counted: string,
  bind: Bind,
): Partial<Record<SumName, string>> {
  const converting = goal ? overHits('arrayCount', matchTarget(goal, bind)) : '0';
  return {
    visits: 'count()',
    pageviews: `sum(${countPageviews(counted)})`,
    bounces: `countIf(${IS_BOUNCE})`,
    seconds: 'sum(seconds)',
    conversions: `sum(${converting})`,
    converted: `uniqExactIf(${VISITOR}, ${converting} > 0)`,
    revenue: `sum(${sumOfVisit(currency, counted, bind)})`,
  };
}

/**
 * Makes an SQL condition for the hits that a breakdown counts: pageviews, all events, or one event. A breakdown that
 * counts visits does not call this function. Only the types need the value for `visits`.
 */
function matchRowHits(breakdown: Breakdown, event: string | undefined, counted: string, bind: Bind): string {
  const { counts } = DIMENSIONS[BREAKDOWNS[breakdown]];
  const own = { pageviews: "e = ''", hits: "e <> ''", events: `e <> '' AND e = ${bind(event ?? '')}`, visits: '1' }[
    counts
  ];
  return `${own} AND ${counted}`;
}
