// Measuring answers a query about one site with aggregates. A plan says which sealed days are read from visits and which from
// rollups. Then each report counts what it needs, and excluded visits are counted beside it.
//
// queries.ts calls `measure`.
import { findLiveStart, findMinutesStart } from '../../stats/definitions.ts';
import { type Aside, type Measured, makeNothingMeasured } from '../../stats/measured.ts';
import { isAboutNow, listRanges, type Question } from '../../stats/question.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Nodes } from '../servers/nodes.ts';
import { buildCount, type CountVisits, matchExclusion, type VisitSelection } from './aggregate.ts';
import { type Bind, buildBinder, matchFilters, matchHits } from './filters.ts';
import { countFunnel, countGoals } from './goals.ts';
import { countHours } from './hours.ts';
import { type DayPlan, type KnownDays, planDays } from './plan.ts';
import { countLately, countLive, matchActive } from './realtime.ts';
import { countRows } from './rows.ts';
import { countSpans } from './totals.ts';

type MeasureDeps = { nodes: Nodes; known: KnownDays; signal?: AbortSignal | undefined };

/** Answers a query about one site. */
export async function measure(deps: MeasureDeps, question: Question): Promise<Measured> {
  const { exclusions } = deps.known;
  const bound = buildBinder();
  const { bind } = bound;
  const plan = planDays(question, deps.known);
  const count = buildCount({ ...deps, plan }, question.siteId, bound);
  const selection = { where: matchFilters(question.filters, bind), counted: matchHits(question.filters, bind), bind };
  const [found, aside] = await Promise.all([
    countReport(count, selection, question, plan),
    exclusions.length === 0 ? {} : countExcluded(count, question, exclusions, bind),
  ]);
  const { leftOut, untouched } = plan;
  return { ...makeNothingMeasured(), ...found, aside, leftOut, untouched };
}

/** Counts the excluded visits, in all (0) and by exclusion. A query about now counts those that were active. */
async function countExcluded(
  count: CountVisits,
  question: Question,
  exclusions: readonly Exclusion[],
  bind: Bind,
): Promise<Aside> {
  const scope = { ranges: isAboutNow(question) ? [question.range] : listRanges(question), isWhole: true };
  const since =
    question.report === 'live' ? findMinutesStart(question.now) : 'now' in question ? findLiveStart(question.now) : 0;
  const where = isAboutNow(question) ? matchActive(since, question.now) : '1';
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
  question: Question,
  plan: DayPlan,
): Promise<Partial<Measured>> {
  const scope = { ranges: listRanges(question) };
  switch (question.report) {
    case 'overview':
    case 'timeseries':
      return await countSpans(count, question, selection, plan);
    case 'breakdown':
      return { rows: await countRows(count, selection, question, scope) };
    case 'goals':
      return await countGoals(count, selection, question, scope, plan);
    case 'funnel':
      return await countFunnel(count, selection, question, scope);
    case 'hours':
    case 'hourly':
      return await countHours(count, selection, question, scope);
    case 'realtime':
      return { live: await countLive(count, selection, question.now, [question.range]) };
    case 'live': {
      const [live, lately] = await Promise.all([
        countLive(count, selection, question.now, [question.range]),
        countLately(count, selection, question.now, [question.range]),
      ]);
      return { live, lately };
    }
  }
}
