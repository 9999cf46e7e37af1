// The effect of a note compares the two weeks after the day of the note with the two weeks before.
//
// Invariant: days are compared in pairs with equal weekdays, such as two Mondays. If one day of a pair is incomplete,
// the pair does not count. A notice names these pairs.
//
// Example: a note of 10 March compares 24 February to 9 March with 11 to 24 March. `stats/note-effect.ts` counts the
// days, and `stats/effects.ts` has the mathematics and the verdicts. The table in `routes.ts` calls `showEffect`.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, Time } from '../lib/http/fields.ts';
import { parseDay } from '../lib/time.ts';
import {
  type CountPair,
  EFFECT_DAYS,
  EFFECT_METRICS,
  measureEffect,
  sayEffect,
  sumSide,
  VERDICTS,
} from '../stats/effects.ts';
import {
  type CountByDay,
  countConversions,
  countHits,
  countPairs,
  type EffectSource,
  findWholePairs,
  listDays,
  listNotCompared,
} from '../stats/note-effect.ts';
import type { Range } from '../stats/query.ts';
import { type Days, findDays } from '../stats/site-days.ts';
import type { Goal } from '../store/sites/goals.ts';
import { findNote } from '../store/sites/notes.ts';
import { Count } from './answers.ts';
import { GoalId } from './input.ts';
import { describeNotices, Notices, TextCode } from './notices.ts';
import { listOutagesIn } from './outages.ts';
import type { SiteCall } from './route.ts';
import { chooseGoal } from './rows.ts';

export const EffectMetric = v.picklist(EFFECT_METRICS, fault('none_of', { known: EFFECT_METRICS.join(', ') }));

export const EffectQuery = v.strictObject({
  metric: v.optional(EffectMetric, 'visitors'),
  goal: v.optional(GoalId),
});

/**
 * The two weeks before or after the note. `days` says how many days are compared. `total` is the sum of their figures.
 */
export const Side = v.strictObject({ from: Time, to: Time, days: Count, total: Count });

export const Effect = v.strictObject({
  metric: EffectMetric,
  /** Only for the metric `conversions`: the id of the goal. */
  goal: v.optional(Id),
  before: Side,
  after: Side,
  change: v.nullable(v.number()),
  /**
   * The interval that contains the true change in 95 of 100 cases, in percent. `interval` is null if too little was
   * counted.
   */
  interval: v.nullable(v.pipe(v.array(v.number()), v.length(2))),
  verdict: v.picklist(VERDICTS),
  sentence: v.string(),
  sentence_code: TextCode,
  ...Notices,
});
export type Effect = v.InferOutput<typeof Effect>;

type EffectCall = SiteCall<undefined, v.InferOutput<typeof EffectQuery>>;

type Counter = { goal?: Goal; countOn(source: EffectSource, days: readonly number[]): Promise<CountByDay> };

export async function showEffect(call: EffectCall): Promise<Effect> {
  const { metric } = call.query;
  const note = findNote(call.db, call.site.id, call.id);
  if (!note) throw new Problem('not_found');
  const { goal, countOn } = chooseCounter(call);
  const day = parseDay(note.date);
  const days = await findDays(call);
  const source = makeSource(call, days);
  const { all, whole } = await findWholePairs(source, day);
  const counts = whole.length === 0 ? new Map<number, number>() : await countOn(source, listDays(whole));
  const { known, counted: pairs } = countPairs(whole, counts);

  const makeSide = (side: keyof CountPair, range: Range) => ({
    ...days.formatSpan(range),
    days: pairs.length,
    total: sumSide(pairs, side),
  });
  const [from, to] = [day - EFFECT_DAYS, day + 1 + EFFECT_DAYS];
  const notices = [
    ...listNotCompared(all.filter((pair) => !known.includes(pair))),
    ...(await days.listNotices({ from, to })),
  ];
  const found = measureEffect(pairs);
  const said = sayEffect(metric, pairs, found);
  return {
    metric,
    ...(goal ? { goal: goal.id } : {}),
    before: makeSide('before', { from, to: day }),
    after: makeSide('after', { from: day + 1, to }),
    ...found,
    sentence: inEnglish(said),
    sentence_code: said,
    ...describeNotices(notices),
  };
}

function chooseCounter({ db, site, query: { metric, goal: named } }: EffectCall): Counter {
  if (metric === 'conversions') {
    const goal = chooseGoal(db, site, named);
    return { goal, countOn: (source, days) => countConversions(source, goal, days) };
  }
  if (named !== undefined) throw invalid({ goal: coded('only_conversions') });
  return { countOn: (source, days) => countHits(source, metric, days) };
}

function makeSource(call: EffectCall, days: Days): EffectSource {
  const { api, site, now, signal } = call;
  return {
    ...{ ask: api.ask, queries: api.queries, site, days, now, signal: signal() },
    listOutages: (instants) => listOutagesIn(call, instants),
  };
}
