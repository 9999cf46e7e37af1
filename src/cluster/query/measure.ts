// Answers a query about one site with aggregates. First the sealed days are put into groups: some are read visit by
// visit, and others from rollups. Then the report is counted, and at the same time the excluded visits.
//
// Invariant: excluded visits count in no figure. The answer only says how many visits were excluded. If an exclusion
// cannot change a totals-only day, all visits of that day count. The answer names such days (`untouched`).
//
// Example: an exclusion leaves out 90 of 100 visits of a day. Then the report has 10 visits, and `excluded` says 90.
// queries.ts calls `measure`.

import { type Aggregates, addExcluded, type ExcludedVisits, makeNothingMeasured } from '../../stats/aggregates.ts';
import { findLiveStart, findMinutesStart } from '../../stats/definitions.ts';
import { isAboutNow, listRanges, type Query } from '../../stats/query.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Nodes } from '../servers/nodes.ts';
import { buildCount, type CountVisits, matchExclusion, type VisitSelection } from './aggregate.ts';
import { type DayGroups, groupDays, type KnownDays } from './day-groups.ts';
import { type Bind, buildBinder, matchFilters, matchHits } from './filters.ts';
import { countFunnel, countGoals } from './goals.ts';
import { countHours } from './hours.ts';
import { countJourneys } from './journeys.ts';
import { countLately, countLive, matchActive } from './realtime.ts';
import { countRevenue } from './revenue.ts';
import { countRows } from './rows.ts';
import { countTable } from './table.ts';
import { countSpans } from './totals.ts';
import { countVitals } from './vitals.ts';

type MeasureDeps = { nodes: Nodes; known: KnownDays; signal?: AbortSignal | undefined };

export async function measure(deps: MeasureDeps, query: Query): Promise<Aggregates> {
  const { exclusions } = deps.known;
  const bound = buildBinder();
  const { bind } = bound;
  const groups = groupDays(query, deps.known);
  const count = buildCount({ ...deps, groups }, query.siteId, bound);
  const selection = { where: matchFilters(query.filters, bind), counted: matchHits(query.filters, bind), bind };
  const [found, excluded, revenue] = await Promise.all([
    countReport(count, selection, query, groups),
    exclusions.length === 0 ? {} : countExcluded(count, query, exclusions, bind),
    query.currency === undefined ? undefined : countRevenue(count, query, selection),
  ]);
  const { leftOut, untouched } = groups;
  addExcluded(excluded, groups.excluded);
  return { ...makeNothingMeasured(), ...found, ...(revenue && { revenue }), excluded, leftOut, untouched };
}

/**
 * Counts the visits that each exclusion leaves out. The id 0 means all exclusions together. One visit may match two
 * exclusions. So the count of the id 0 is not the sum of the other counts. For a query about now, such as the last 5
 * minutes, only excluded visits that are active count.
 */
async function countExcluded(
  count: CountVisits,
  query: Query,
  exclusions: readonly Exclusion[],
  bind: Bind,
): Promise<ExcludedVisits> {
  const scope = { ranges: isAboutNow(query) ? [query.range] : listRanges(query), isWhole: true };
  const since = query.report === 'live' ? findMinutesStart(query.now) : 'now' in query ? findLiveStart(query.now) : 0;
  const where = isAboutNow(query) ? matchActive(since, query.now) : '1';
  const taken = exclusions.map((one) => matchExclusion(one, bind));
  const sums = Object.fromEntries([
    [`a0`, `countIf(${taken.join(' OR ')})`],
    ...taken.map((one, i) => [`a${i + 1}`, `countIf(${one})`]),
  ]);
  const [found = {}] = await count<Record<string, number>>({ ...scope, where }, { sums });
  const all = [{ id: 0 }, ...exclusions].map(({ id }, i) => [id, found[`a${i}`] ?? 0] as const);
  return Object.fromEntries(all.filter(([, visits]) => visits > 0));
}

async function countReport(
  count: CountVisits,
  selection: VisitSelection,
  query: Query,
  groups: DayGroups,
): Promise<Partial<Aggregates>> {
  const scope = { ranges: listRanges(query) };
  switch (query.report) {
    case 'overview':
    case 'timeseries':
      return await countSpans(count, query, selection, groups);
    case 'breakdown':
      return { rows: await countRows(count, selection, query, scope) };
    case 'table':
      return { table: await countTable(count, selection, query, scope) };
    case 'goals':
      return await countGoals(count, selection, query, scope, groups);
    case 'funnel':
      return await countFunnel(count, selection, query, scope);
    case 'journeys':
      return { journeys: await countJourneys(count, selection, query, scope) };
    case 'hours':
    case 'hourly':
      return await countHours(count, selection, query, scope);
    case 'vitals':
      return { vitals: await countVitals(count, selection, query, scope) };
    case 'realtime':
      return { live: await countLive(count, selection, query.now, [query.range]) };
    case 'live': {
      const [live, lately] = await Promise.all([
        countLive(count, selection, query.now, [query.range]),
        countLately(count, selection, query.now, [query.range]),
      ]);
      return { live, lately };
    }
  }
}
