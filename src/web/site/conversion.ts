// The conversion rate: of all visitors, those who reached a goal. With a filter on goals it is about these goals, and the other
// filters hold; without one it is about the main goal. Both numbers are figures that the API gives anyway, so that the rate is
// compared with the days and the time of day of its neighbours:
//
//   12 visitors under "Goal is Newsletter, Country is DE", 480 under "Country is DE": 2.5 %
//
// The figures ask it here, and the chart in series.ts.

import { useRef } from 'preact/hooks';
import type { Overview } from '../../api/answers.ts';
import type { Goal } from '../../api/goals.ts';
import { computeShare, pointsBetween } from '../../lib/percent.ts';
import { isAnyLeftOut } from '../../stats/left-out.ts';
import { reportQuery, sitePath, statsPath } from '../address.ts';
import { type Loaded, type Query, useData } from '../api.ts';
import { percent } from '../format.ts';
import { t } from '../texts.ts';
import type { View } from '../view.ts';
import { compareQuery } from './comparison.ts';
import { leftOutOf, NO_VALUE } from './left-out.ts';
import { spanOf } from './range.ts';
import { notCompared, type Trend, trendOf, trendOfPart } from './trend.ts';

/** Ids of goals as they stand in the address; null where there is none, undefined while the site is loading. */
export type RateGoals = readonly string[] | null | undefined;

export function rateGoalsIn({ filters }: View, mainGoal: number | null | undefined): RateGoals {
  if (filters.goal) return filters.goal;
  return mainGoal == null ? mainGoal : [String(mainGoal)];
}

/** Asks only for those who reached one of the goals. */
export const reachedQuery = (view: View, goals: readonly string[]): Query =>
  reportQuery({ ...view, filters: { ...view.filters, goal: goals } });

/** True of every visit. Days of which only totals are kept are left out wherever there is a filter. */
const ANY_VISIT = { 'filters[pageviews][not]': '1000000' };

/** Asks for all visitors of the days that are in the answer about those who reached a goal. */
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

export type Conversion = {
  /** Of which goal it is. */
  goal: string;
  rate: string;
  trend: Trend | undefined;
};

/** What the card says, of two answers about the same days. */
export function conversionOf(
  { reached, everybody, goal }: { reached: Overview; everybody: Overview; goal: string },
  { view, today, when }: { view: View; today: string; when: string },
): Conversion {
  const span = spanOf(view.range, today);
  const rate = rateOf(reached, everybody);
  const shown = { goal, rate: span && leftOutOf(span, reached.left_out) === 'all' ? NO_VALUE : percent(rate) };
  const [before, everybodyBefore] = [reached.previous, everybody.previous];
  if (!before || !everybodyBefore) return { ...shown, trend: undefined };
  if (isAnyLeftOut(reached.notice_codes)) return { ...shown, trend: notCompared() };
  const rateBefore = rateOf(before, everybodyBefore);
  const change = pointsBetween(rate, rateBefore, everybodyBefore.visitors === 0);
  const trend = trendOf({ change, isRate: true }, percent(rateBefore), when);
  const isPart = reached.complete === false || before.complete === false;
  return { ...shown, trend: isPart ? trendOfPart(trend) : trend };
}

type Source = {
  domain: string | undefined;
  view: View;
  today: string;
  goals: RateGoals;
  overview: Loaded<Overview>;
  when: string;
};

/** The conversion rate beside the figures of an overview; while another is loading the last one stays. */
export function useConversion({ domain, view, today, goals: ids, overview, when }: Source): {
  conversion: Conversion | undefined;
  isStale: boolean;
  answers: (Overview | undefined)[];
} {
  const path = domain === undefined || !ids ? undefined : statsPath(domain, 'overview');
  const isFiltered = view.filters.goal !== undefined;
  const compare = compareQuery(view, today);
  const known = useData<Goal[]>(path && domain !== undefined ? sitePath(domain, '/goals') : undefined);
  const asked = useData<Overview>(isFiltered ? undefined : path, { ...reachedQuery(view, ids ?? []), ...compare });
  const reached = isFiltered ? overview : asked;
  const isApart = isFiltered || isAnyLeftOut(reached.data?.notice_codes);
  const all = useData<Overview>(isApart ? path : undefined, { ...everybodyQuery(view, reached.data), ...compare });
  const everybody = isApart ? all : overview;

  const shown = useRef<Conversion>(undefined);
  const isStale = [reached, everybody, known].some((one) => one.isStale);
  // Of a question that is not answered, the last rate would be of other days.
  if ([reached, everybody, known].some(({ error }) => error)) shown.current = undefined;
  const names = (ids ?? []).flatMap((id) => known.data?.find((goal) => String(goal.id) === id)?.value ?? []);
  const isKnown = path !== undefined && names.length > 0;
  if (isKnown && !isStale && reached.data && everybody.data) {
    const of = { reached: reached.data, everybody: everybody.data, goal: names.join(` ${t('or')} `) };
    shown.current = conversionOf(of, { view, today, when });
  }
  const isGone = path === undefined || (known.data !== undefined && names.length === 0);
  return { conversion: isGone ? undefined : shown.current, isStale, answers: path ? [reached.data] : [] };
}
