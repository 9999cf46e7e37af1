// The effect of a note compares the two weeks after the day of the note with the two weeks before.
//
// Invariant: days are compared in pairs with equal weekdays, such as two Mondays. A pair counts only if both days are
// whole. A whole day is over and has 23 to 25 hours and no outage. The first day of the site is not whole. So a gap in
// collection never looks like an effect. A notice names the pairs that do not count.
//
// Example: a note of 10 March compares 24 February to 9 March with 11 to 24 March. `stats/effects.ts` has the
// mathematics and the verdicts. The table in `routes.ts` calls `showEffect`.

import * as v from 'valibot';
import { type Coded, coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id, Time } from '../lib/http/fields.ts';
import { isPattern } from '../lib/pattern.ts';
import { HOUR, parseDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import {
  type CountPair,
  type DayPair,
  EFFECT_DAYS,
  EFFECT_METRICS,
  measureEffect,
  pairDays,
  sayEffect,
  sumSide,
  VERDICTS,
} from '../stats/effects.ts';
import { listDaySpans } from '../stats/notices.ts';
import type { Range } from '../stats/query.ts';
import type { Goal } from '../store/sites/goals.ts';
import { findNote } from '../store/sites/notes.ts';
import { Count } from './answers.ts';
import { type Days, findDays } from './days.ts';
import { GoalId } from './input.ts';
import { describeNotices, Notices, TextCode } from './notices.ts';
import { checkCompleteness } from './outages.ts';
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
  /** The true change is between these two bounds, in percent, in 95 of 100 cases. Null if too little was counted. */
  interval: v.nullable(v.pipe(v.array(v.number()), v.length(2))),
  verdict: v.picklist(VERDICTS),
  sentence: v.string(),
  sentence_code: TextCode,
  ...Notices,
});
export type Effect = v.InferOutput<typeof Effect>;

type EffectCall = SiteCall<undefined, v.InferOutput<typeof EffectQuery>>;

/** The figure of each day. A day is missing if its figure is unknown. */
type VisitorsByDay = ReadonlyMap<number, number>;

type DayCounter = { goal?: Goal; countOn(days: readonly number[]): Promise<VisitorsByDay> };

export async function showEffect(call: EffectCall): Promise<Effect> {
  const { metric } = call.query;
  const note = findNote(call.db, call.site.id, call.id);
  if (!note) throw new Problem('not_found');
  const { goal, countOn } = chooseCounter(call);
  const day = parseDay(note.date);
  const days = await findDays(call);
  const all = pairDays(day);
  const whole = all.filter(isAmong(new Set(await listWholeDays(call, days, listDays(all)))));
  const counts: VisitorsByDay = whole.length === 0 ? new Map() : await countOn(listDays(whole));
  const compared = whole.filter(isAmong(counts));
  const readCount = (one: number): number => counts.get(one) ?? 0;
  const pairs = compared.map(({ before, after }) => ({ before: readCount(before), after: readCount(after) }));

  const makeSide = (side: keyof CountPair, range: Range) => ({
    ...days.formatSpan(range),
    days: pairs.length,
    total: sumSide(pairs, side),
  });
  const [from, to] = [day - EFFECT_DAYS, day + 1 + EFFECT_DAYS];
  const notices = [
    ...listLeftOut(all.filter((pair) => !compared.includes(pair))),
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

function chooseCounter(call: EffectCall): DayCounter {
  const { metric, goal: named } = call.query;
  if (metric === 'conversions') {
    const goal = chooseGoal(call.db, call.site, named);
    return { goal, countOn: (days) => countConversions(call, goal, days) };
  }
  if (named !== undefined) throw invalid({ goal: coded('only_conversions') });
  return { countOn: (days) => countHits(call, metric, days) };
}

async function countHits(
  call: EffectCall,
  metric: 'visitors' | 'pageviews',
  days: readonly number[],
): Promise<VisitorsByDay> {
  const { api, site, signal } = call;
  const range = { from: Math.min(...days), to: Math.max(...days) + 1 };
  const asked = { report: 'timeseries', siteId: site.id, range, filters: {}, interval: 'day' } as const;
  const { points } = await api.ask(asked, signal());
  return new Map(points.map((point, i) => [range.from + i, point[metric]]));
}

/**
 * Counts conversions by day. A totals-only day has no visits, so a goal such as `/blog/*` cannot be counted there. The
 * figure of that day is unknown.
 */
async function countConversions(
  { api, site, signal }: EffectCall,
  goal: Goal,
  days: readonly number[],
): Promise<VisitorsByDay> {
  const range = { from: Math.min(...days), to: Math.max(...days) + 1 };
  const status = isPattern(goal.value) ? await api.queries.listDayStatus(site.id, range, signal()) : [];
  const unknown = new Set(status.filter(({ state }) => state === 'sums').map(({ day }) => day));
  const known = days.filter((day) => !unknown.has(day));
  const counts = await Promise.all(
    known.map(async (day): Promise<[number, number][]> => {
      const asked = { report: 'goals', siteId: site.id, range: { from: day, to: day + 1 }, filters: {} } as const;
      const { goals } = await api.ask({ ...asked, goals: [goal] }, signal());
      return goals.flatMap(({ conversions }) => (conversions === null ? [] : [[day, conversions] as [number, number]]));
    }),
  );
  return new Map(counts.flat());
}

/**
 * Leaves out days that cannot be compared fairly: days that are not over, and the first day of the site. Also leaves
 * out days with an unusual length or an outage.
 */
async function listWholeDays(call: EffectCall, days: Days, asked: readonly number[]): Promise<number[]> {
  const { api, site, now } = call;
  const today = findSiteDay(site, now);
  const visited = await api.queries.listVisitedDays(site.id, { from: 0, to: Math.min(today, Math.max(...asked) + 1) });
  const first = Math.min(...visited);
  const findInstants = (day: number) => days.findInstants({ from: day, to: day + 1 });
  const all = days.findInstants({ from: Math.min(...asked), to: Math.max(...asked) + 1 });
  const isComplete = await checkCompleteness(call, site.id, all);
  return asked.filter(
    (day) => day > first && day < today && isUsual(findInstants(day)) && isComplete(findInstants(day)),
  );
}

/**
 * Whether a day has 23 to 25 hours. Daylight saving time changes the length of a day by one hour. A change of the time
 * zone can change it by more.
 */
const isUsual = ({ from, to }: Range): boolean => to - from >= 23 * HOUR && to - from <= 25 * HOUR;

const listLeftOut = (leftOut: readonly DayPair[]): Coded[] =>
  leftOut.length === 0 ? [] : [coded('not_compared', { days: listDaySpans(listDays(leftOut)) })];

const listDays = (pairs: readonly DayPair[]): number[] => pairs.flatMap(({ before, after }) => [before, after]);

const isAmong =
  (days: { has(day: number): boolean }) =>
  ({ before, after }: DayPair): boolean =>
    days.has(before) && days.has(after);
