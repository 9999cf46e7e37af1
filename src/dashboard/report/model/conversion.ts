// The conversion rate is the share of visitors that reached a goal. If the report has a filter by goals, the rate is
// about these goals. Otherwise it is about the site's main goal. All other filters apply to both counts: the visitors
// that reached the goal, and all visitors. Both counts must be about the same days, or the rate would be wrong.
//
// Example: 12 visitors match "Goal is Newsletter, Country is DE", and 480 match "Country is DE". The rate is 2.5 %.
//
// figure-list.tsx shows the rate, and series.ts draws it in the chart.

import { useRef } from 'preact/hooks';
import type { Overview } from '../../../api/answers.ts';
import type { Goal } from '../../../api/goals.ts';
import { computePoints, computeShare, rounded } from '../../../lib/percent.ts';
import { isAnyLeftOut } from '../../../stats/left-out.ts';
import { reportQuery, sitePath } from '../../core/address.ts';
import { type Loaded, type Query, useData } from '../../core/api.ts';
import { percent } from '../../core/format.ts';
import { nameTarget } from '../../core/goal-types.ts';
import { type Scope, statsPath } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { compareQuery } from '../../dates/comparison.ts';
import { spanOf } from '../../dates/range.ts';
import { leftOutOf, NO_VALUE } from './missing-days.ts';
import { notCompared, type Trend, trendOf, trendOfPart } from './trend.ts';

/**
 * The ids of the goals whose conversion rate is shown. These are the goals of the filter, or else the site's main goal.
 * Ids are texts, as in the page's URL. The list is null if the site has no main goal, and undefined while the site is
 * loading.
 */
export type RateGoals = readonly string[] | null | undefined;

export function rateGoalsIn({ filters }: View, mainGoal: number | null | undefined): RateGoals {
  if (filters.goal) return filters.goal;
  return mainGoal == null ? mainGoal : [String(mainGoal)];
}

/** Makes the parameters of a request that counts the visitors that reached at least one of the goals. */
export const reachedQuery = (view: View, goals: readonly string[]): Query =>
  reportQuery({ ...view, filters: { ...view.filters, goal: goals } });

/**
 * A filter that every visit passes, because no visit has a million pageviews. As with any filter, the query then leaves
 * out totals-only days.
 */
const ANY_VISIT = { 'filters[pageviews][not]': '1000000' };

/**
 * Makes the parameters of a request that counts all visitors. If the answer about the goal lacks totals-only days, this
 * request leaves these days out too. Otherwise the rate would be too low.
 */
export function everybodyQuery(view: View, reached: Pick<Overview, 'notice_codes'> | undefined): Query {
  const { goal: _, ...filters } = view.filters;
  const isUnfiltered = Object.keys(filters).length === 0;
  return {
    ...reportQuery({ ...view, filters }),
    ...(isUnfiltered && isAnyLeftOut(reached?.notice_codes) ? ANY_VISIT : {}),
  };
}

export const rateOf = (reached: { visitors: number }, everybody: { visitors: number } | undefined): number =>
  computeShare(reached.visitors, everybody?.visitors ?? 0, 2);

/**
 * Computes the rate with one decimal, as the page shows it. The change of the rate is computed from the rounded rates
 * of both periods. So the change matches the rates that people see.
 */
const shownRate = (...visitors: Parameters<typeof rateOf>): number => rounded(rateOf(...visitors), 1);

export type Conversion = {
  /** The names of the goals, joined by "or". */
  goal: string;
  rate: string;
  trend: Trend | undefined;
};

/**
 * Computes the conversion rate from two answers of the API (`Overview`). The two answers must be about equal days, or
 * the rate would be wrong.
 */
export function conversionOf(
  { reached, everybody, goal }: { reached: Overview; everybody: Overview; goal: string },
  { view, today, when }: { view: View; today: string; when: string },
): Conversion {
  const span = spanOf(view.range, today);
  const rate = shownRate(reached, everybody);
  const shown = { goal, rate: span && leftOutOf(span, reached.left_out) === 'all' ? NO_VALUE : percent(rate) };
  const [before, everybodyBefore] = [reached.previous, everybody.previous];
  if (!before || !everybodyBefore) return { ...shown, trend: undefined };
  if (isAnyLeftOut(reached.notice_codes)) return { ...shown, trend: notCompared() };
  const rateBefore = shownRate(before, everybodyBefore);
  const change = computePoints(rate, rateBefore, everybodyBefore.visitors === 0);
  const trend = trendOf({ change, isRate: true }, percent(rateBefore), when);
  const isPart = reached.complete === false || before.complete === false;
  return { ...shown, trend: isPart ? trendOfPart(trend) : trend };
}

type Source = { goals: RateGoals; overview: Loaded<Overview>; when: string };

type Answer = { conversion: Conversion | undefined; isStale: boolean; answers: (Overview | undefined)[] };

/**
 * Loads the conversion rate. While a new rate is loading, the last rate is shown. The page of all sites has no rate.
 */
export function useConversion(scope: Scope, { goals: ids, overview, when }: Source): Answer {
  const { view, today } = scope;
  const isOfGoals = scope.kind === 'site' && ids != null;
  const path = isOfGoals ? statsPath(scope, 'overview') : undefined;
  const isFiltered = view.filters.goal !== undefined;
  const compare = compareQuery(view, today);
  const known = useData<Goal[]>(isOfGoals ? sitePath(scope.domain, '/goals') : undefined);
  const asked = useData<Overview>(isFiltered ? undefined : path, { ...reachedQuery(view, ids ?? []), ...compare });
  const reached = isFiltered ? overview : asked;
  const isApart = isFiltered || isAnyLeftOut(reached.data?.notice_codes);
  const all = useData<Overview>(isApart ? path : undefined, { ...everybodyQuery(view, reached.data), ...compare });
  const everybody = isApart ? all : overview;

  const shown = useRef<Conversion>(undefined);
  const isStale = [reached, everybody, known].some((one) => one.isStale);
  // After an error, the last rate is removed, because it may belong to other days or filters.
  if ([reached, everybody, known].some(({ error }) => error)) shown.current = undefined;
  const goals = (ids ?? []).flatMap((id) => known.data?.find((goal) => String(goal.id) === id) ?? []);
  const names = goals.map(nameTarget);
  const isKnown = path !== undefined && names.length > 0;
  if (isKnown && !isStale && reached.data && everybody.data) {
    const of = { reached: reached.data, everybody: everybody.data, goal: names.join(` ${t('or')} `) };
    shown.current = conversionOf(of, { view, today, when });
  }
  const isGone = path === undefined || (known.data !== undefined && names.length === 0);
  return { conversion: isGone ? undefined : shown.current, isStale, answers: path ? [reached.data] : [] };
}
