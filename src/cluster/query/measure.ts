import { findLiveStart, findMinutesStart } from '../../stats/definitions.ts';
import { type Aside, type Measured, nothingMeasured } from '../../stats/measured.ts';
import { isOfNow, listRanges, type Question } from '../../stats/question.ts';
import type { Exclusion } from '../../store/sites/exclusions.ts';
import type { Nodes } from '../servers/nodes.ts';
import { type Count, counter, type Selection, takenBy } from './aggregate.ts';
import { type Bind, binder, counts, selects } from './filters.ts';
import { funnel, goals } from './goals.ts';
import { hours } from './hours.ts';
import { type Known, type Plan, planOf } from './plan.ts';
import { activeIn, latelyOf, liveOf } from './realtime.ts';
import { rows } from './rows.ts';
import { spans } from './totals.ts';

type Asking = { nodes: Nodes; known: Known; gone?: AbortSignal | undefined };

/** How many visits are set aside, by exclusion; of a question about now those that were active then. */
async function asideOf(count: Count, question: Question, exclusions: readonly Exclusion[], bind: Bind): Promise<Aside> {
  const reach = { ranges: isOfNow(question) ? [question.range] : listRanges(question), isWhole: true };
  const since =
    question.report === 'live' ? findMinutesStart(question.now) : 'now' in question ? findLiveStart(question.now) : 0;
  const where = isOfNow(question) ? activeIn(since, question.now) : '1';
  const taken = exclusions.map((one) => takenBy(one, bind));
  const sums = Object.fromEntries([
    [`a0`, `countIf(${taken.join(' OR ')})`],
    ...taken.map((one, i) => [`a${i + 1}`, `countIf(${one})`]),
  ]);
  const [found = {}] = await count<Record<string, number>>({ ...reach, where }, { sums });
  const all = [{ id: 0 }, ...exclusions].map(({ id }, i) => [id, found[`a${i}`] ?? 0] as const);
  return Object.fromEntries(all.filter(([, visits]) => visits > 0));
}

async function figures(count: Count, selection: Selection, question: Question, plan: Plan): Promise<Partial<Measured>> {
  const reach = { ranges: listRanges(question) };
  switch (question.report) {
    case 'overview':
    case 'timeseries':
      return await spans(count, question, selection, plan);
    case 'breakdown':
      return { rows: await rows(count, selection, question, reach) };
    case 'goals':
      return await goals(count, selection, question, reach, plan);
    case 'funnel':
      return await funnel(count, selection, question, reach);
    case 'hours':
    case 'hourly':
      return await hours(count, selection, question, reach);
    case 'realtime':
      return { live: await liveOf(count, selection, question.now, [question.range]) };
    case 'live': {
      const [live, lately] = await Promise.all([
        liveOf(count, selection, question.now, [question.range]),
        latelyOf(count, selection, question.now, [question.range]),
      ]);
      return { live, lately };
    }
  }
}

/** Answers a question about one site. */
export async function measure(asking: Asking, question: Question): Promise<Measured> {
  const { exclusions } = asking.known;
  const bound = binder();
  const { bind } = bound;
  const plan = planOf(question, asking.known);
  const count = counter({ ...asking, plan }, question.siteId, bound);
  const selection = { where: selects(question.filters, bind), counted: counts(question.filters, bind), bind };
  const [found, aside] = await Promise.all([
    figures(count, selection, question, plan),
    exclusions.length === 0 ? {} : asideOf(count, question, exclusions, bind),
  ]);
  const { leftOut, untouched } = plan;
  return { ...nothingMeasured(), ...found, aside, leftOut, untouched };
}
