// Merges the partials of several threads, and makes the aggregates of the result.
//
// Invariant: merging means adding. A visitor code is valid for one day, and each thread counts different days, so no
// visitor counts twice.
//
// Example: term 12 stands for the page /a. Thread 1 counts 30 visitors for term 12, and thread 2 counts 5. The merged
// row has 35 visitors. At the end, the text /a replaces the term. queries.ts and work/tasks.ts call `makeMeasured`.
// measure.ts calls `mergePartials` within a thread.

import {
  type Aggregates,
  addExcluded,
  addTimes,
  addTotals,
  type ExcludedVisits,
  noTimes,
  noTotals,
  type RowAggregates,
  type Times,
  type Totals,
} from '../../stats/aggregates.ts';
import { BREAKDOWNS, type Breakdown } from '../../stats/dimensions.ts';
import { addKeyCounts, type KeyCounts, listKeyCounts } from '../../stats/key-counts.ts';
import { makeRank, type RowSums } from '../../stats/metrics.ts';
import type { Of, Query } from '../../stats/query.ts';
import { type Amounts, addAllAmounts } from '../../stats/revenue.ts';
import { needsHits } from '../../stats/sums.ts';
import { ALL, KEYS, type VitalRow } from '../../stats/vitals.ts';
import { chooseTexts } from '../count/dimension-column.ts';
import { mergeHours } from '../count/hours.ts';
import { listJourneyRows } from '../count/journeys.ts';
import { mergeCounts } from '../count/term-counts.ts';
import type { Texts } from '../rows/terms.ts';
import { listTopRows } from '../rows/top-terms.ts';
import { mergeTables } from './merge-tables.ts';
import { GOALS } from './needs.ts';
import type { DayPartial } from './scan.ts';
import { makeTable } from './table-rows.ts';

export function makeMeasured(query: Query, partials: readonly DayPartial[], texts: Texts): Aggregates {
  const [first] = partials;
  const merged = first && partials.length === 1 ? first : mergePartials(partials, query);
  const { totals, times, revenue, steps, earned, hours, leftOut, excluded, untouched } = merged;
  return {
    totals,
    times,
    rows: makeRows(query, merged, texts),
    goals: listGoals(query, merged, texts.findTerm),
    steps,
    hours: mergeHours(hours),
    ...(query.currency === undefined ? {} : { revenue, earned }),
    ...(query.report === 'vitals' ? { vitals: listVitalRows(query, merged.vitals, texts) } : {}),
    ...(query.report === 'journeys' ? { journeys: listJourneyRows(merged.journeys, query.limit, texts) } : {}),
    ...(query.report === 'table' && merged.table ? { table: makeTable(query, merged.table, texts) } : {}),
    live: 0,
    leftOut,
    excluded,
    untouched,
  };
}

export function mergePartials(partials: readonly DayPartial[], query: Query): DayPartial {
  const names = new Set(partials.flatMap(({ counts }) => Object.keys(counts) as Breakdown[]));
  const counts = [...names].map((name) => [
    name,
    mergeCounts(
      name,
      partials.flatMap((partial) => partial.counts[name] ?? []),
    ),
  ]);
  const totalsAt = (i: number): Totals => {
    const sums = noTotals();
    for (const { totals } of partials) addTotals(sums, totals[i] ?? noTotals());
    return sums;
  };
  const timesAt = (i: number): Times => {
    const sums = noTimes();
    for (const { times } of partials) addTimes(sums, times[i] ?? noTimes());
    return sums;
  };
  const revenue: Amounts[] = [];
  for (const partial of partials) addAllAmounts(revenue, partial.revenue);
  return {
    totals: (partials[0]?.totals ?? []).map((_, i) => totalsAt(i)),
    times: (partials[0]?.times ?? []).map((_, i) => timesAt(i)),
    revenue,
    counts: Object.fromEntries(counts),
    reached: (partials[0]?.reached ?? []).map((_, i) => ({
      visitors: partials.reduce((sum, { reached }) => sum + (reached[i]?.visitors ?? 0), 0),
      hits: partials.reduce((sum, { reached }) => sum + (reached[i]?.hits ?? 0), 0),
    })),
    steps: (partials[0]?.steps ?? []).map((_, i) => partials.reduce((sum, { steps }) => sum + (steps[i] ?? 0), 0)),
    earned: (partials[0]?.earned ?? []).map((_, i) => partials.reduce((sum, { earned }) => sum + (earned[i] ?? 0), 0)),
    hours: partials.flatMap(({ hours }) => hours),
    vitals: mergeKeyCounts(partials, 'vitals'),
    journeys: mergeKeyCounts(partials, 'journeys'),
    ...(query.report === 'table' && {
      table: mergeTables(
        query,
        partials.flatMap(({ table }) => table ?? []),
      ),
    }),
    leftOut: partials.flatMap(({ leftOut }) => leftOut),
    excluded: addAllExcluded(partials),
    untouched: partials.flatMap(({ untouched }) => untouched),
  };
}

function mergeKeyCounts(partials: readonly DayPartial[], name: 'vitals' | 'journeys'): KeyCounts {
  const sums = new Map<number, number>();
  for (const partial of partials) addKeyCounts(sums, partial[name]);
  return listKeyCounts(sums);
}

function listVitalRows({ limit }: Of<'vitals'>, { keys, counts }: KeyCounts, { readText }: Texts): VitalRow[] {
  const rows = new Map<number, Map<number, number>>();
  for (let i = 0; i < keys.length; i++) {
    const term = Math.floor((keys[i] as number) / KEYS);
    const row = rows.get(term) ?? new Map<number, number>();
    rows.set(term, row);
    row.set((keys[i] as number) % KEYS, counts[i] as number);
  }
  const terms = [...rows.keys()].filter((term) => (rows.get(term)?.get(ALL) ?? 0) > 0);
  const ranks = terms.map((term) => rows.get(term)?.get(ALL) ?? 0);
  return listTopRows(terms, ranks, { limit }, readText).map(({ place, value }) => ({
    value,
    counts: rows.get(terms[place] as number) ?? new Map(),
  }));
}

function addAllExcluded(partials: readonly DayPartial[]): ExcludedVisits {
  const sums: ExcludedVisits = {};
  for (const { excluded } of partials) addExcluded(sums, excluded);
  return sums;
}

function makeRows(query: Query, { counts }: DayPartial, texts: Texts): RowAggregates[] {
  if (query.report !== 'breakdown') return [];
  const { breakdown, metrics = [], sort, order } = query;
  const { terms = [], visitors = [], hits = [], more = {} } = counts[breakdown] ?? {};
  const sumsAt = (i: number): RowSums => ({
    ...Object.fromEntries(Object.entries(more).map(([name, sums]) => [name, sums[i] ?? 0])),
    visitors: visitors[i] ?? 0,
    hits: hits[i] ?? 0,
  });
  // By default, rows are sorted by visitors. The other sums of rows are then not needed for sorting.
  const rank = makeRank(breakdown, sort, order);
  const ranks = sort || order === 'asc' ? Array.from(terms, (_, i) => rank(sumsAt(i))) : visitors;
  const { readText } = chooseTexts(BREAKDOWNS[breakdown], texts);
  return listTopRows(terms, ranks, query, readText).map(({ value, place }) => {
    const row = { value, visitors: visitors[place] ?? 0 };
    return metrics.length === 0 ? row : { ...row, sums: sumsAt(place) };
  });
}

function listGoals(query: Query, { counts, reached }: DayPartial, findTerm: Texts['findTerm']): Aggregates['goals'] {
  if (query.report !== 'goals') return [];
  const ofPages = reached.values();
  return query.goals.map((goal) => {
    const { type, value } = goal;
    if (needsHits(goal)) return ofPages.next().value ?? { visitors: 0, hits: 0 };
    const { terms = [], visitors = [], hits = [] } = counts[GOALS[type]] ?? {};
    const i = Array.prototype.indexOf.call(terms, findTerm(value) ?? -1);
    return { visitors: visitors[i] ?? 0, hits: hits[i] ?? 0 };
  });
}
