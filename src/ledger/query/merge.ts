// Merges what threads counted of some days, and makes the answer of the engine of it.
// Invariant: merging is adding. A visitor code is of one day, and each thread has other days, so no visitor counts twice.
//
// Example: thread 1 counts term 12 with 30 visitors, thread 2 with 5. The merged row has 35. Then the terms of the rows that were asked for
// become texts.
// Called by queries.ts and work/tasks.ts.
import type { Breakdown } from '../../stats/dimensions.ts';
import {
  type Aside,
  addAside,
  addTimes,
  addTotals,
  type Measured,
  noTimes,
  noTotals,
  type Row,
  type Times,
  type Totals,
} from '../../stats/measured.ts';
import { findFigure, type RowSums } from '../../stats/metrics.ts';
import type { Question } from '../../stats/question.ts';
import { isOfManyPages } from '../../stats/sums.ts';
import { mergeHours } from '../count/hours.ts';
import { mergeCounts } from '../count/term-counts.ts';
import type { Texts } from '../rows/terms.ts';
import { listTopRows } from '../rows/top-terms.ts';
import { GOALS } from './plan.ts';
import type { Part } from './scan.ts';

/** Merges what was counted of all days and looks up the texts of its rows. */
export function makeMeasured(question: Question, parts: readonly Part[], { findTerm, readText }: Texts): Measured {
  const [first] = parts;
  const merged = first && parts.length === 1 ? first : mergeParts(parts);
  const { totals, times, steps, hours, leftOut, aside, untouched } = merged;
  return {
    totals,
    times,
    rows: makeRows(question, merged, readText),
    goals: listGoals(question, merged, findTerm),
    steps,
    hours: mergeHours(hours),
    live: 0,
    leftOut,
    aside,
    untouched,
  };
}

export function mergeParts(parts: readonly Part[]): Part {
  const names = new Set(parts.flatMap(({ counts }) => Object.keys(counts) as Breakdown[]));
  const counts = [...names].map((name) => [
    name,
    mergeCounts(
      name,
      parts.flatMap((part) => part.counts[name] ?? []),
    ),
  ]);
  const totalsAt = (i: number): Totals => {
    const sums = noTotals();
    for (const { totals } of parts) addTotals(sums, totals[i] ?? noTotals());
    return sums;
  };
  const timesAt = (i: number): Times => {
    const sums = noTimes();
    for (const { times } of parts) addTimes(sums, times[i] ?? noTimes());
    return sums;
  };
  return {
    totals: (parts[0]?.totals ?? []).map((_, i) => totalsAt(i)),
    times: (parts[0]?.times ?? []).map((_, i) => timesAt(i)),
    counts: Object.fromEntries(counts),
    reached: (parts[0]?.reached ?? []).map((_, i) => ({
      visitors: parts.reduce((sum, { reached }) => sum + (reached[i]?.visitors ?? 0), 0),
      hits: parts.reduce((sum, { reached }) => sum + (reached[i]?.hits ?? 0), 0),
    })),
    steps: (parts[0]?.steps ?? []).map((_, i) => parts.reduce((sum, { steps }) => sum + (steps[i] ?? 0), 0)),
    hours: parts.flatMap(({ hours }) => hours),
    leftOut: parts.flatMap(({ leftOut }) => leftOut),
    aside: addAsides(parts),
    untouched: parts.flatMap(({ untouched }) => untouched),
  };
}

function addAsides(parts: readonly Part[]): Aside {
  const sums: Aside = {};
  for (const { aside } of parts) addAside(sums, aside);
  return sums;
}

function makeRows(question: Question, { counts }: Part, readText: Texts['readText']): Row[] {
  if (question.report !== 'breakdown') return [];
  const { breakdown, metrics = [], sort } = question;
  const { terms = [], visitors = [], hits = [], more = {} } = counts[breakdown] ?? {};
  const sumsAt = (i: number): RowSums => ({
    ...Object.fromEntries(Object.entries(more).map(([name, sums]) => [name, sums[i] ?? 0])),
    visitors: visitors[i] ?? 0,
    hits: hits[i] ?? 0,
  });
  const figure = sort && findFigure(breakdown, sort);
  // No figure is below 0, so rows without a known figure come last.
  const ranks = figure ? Array.from(terms, (_, i) => figure.exact(sumsAt(i)) ?? -1) : visitors;
  return listTopRows(terms, ranks, question, readText).map(({ value, place }) => {
    const row = { value, visitors: visitors[place] ?? 0 };
    return metrics.length === 0 ? row : { ...row, sums: sumsAt(place) };
  });
}

function listGoals(question: Question, { counts, reached }: Part, findTerm: Texts['findTerm']): Measured['goals'] {
  if (question.report !== 'goals') return [];
  const ofPages = reached.values();
  return question.goals.map(({ type, value }) => {
    if (isOfManyPages({ type, value })) return ofPages.next().value ?? { visitors: 0, hits: 0 };
    const { terms = [], visitors = [], hits = [] } = counts[GOALS[type]] ?? {};
    const i = Array.prototype.indexOf.call(terms, findTerm(value) ?? -1);
    return { visitors: visitors[i] ?? 0, hits: hits[i] ?? 0 };
  });
}
