import type { Goals } from '../../api/answers.ts';
import { pointsBetween } from '../../lib/percent.ts';
import { daysLeftOut, isAnyLeftOut } from '../../stats/left-out.ts';
import { reportQuery, statsPath } from '../address.ts';
import { useData } from '../api.ts';
import { percent } from '../format.ts';
import { t } from '../texts.ts';
import type { View } from '../view.ts';
import { leftOutOf, NO_VALUE } from './left-out.ts';
import { customRange, type Span } from './range.ts';
import { notCompared, type Trend, trendOf } from './trend.ts';

type Source = {
  domain: string | undefined;
  view: View;
  id: number | null | undefined;
  /** The days, and those that they are compared with. */
  span: Span | undefined;
  before: Span | undefined;
  when: string;
};

export type MainGoal = {
  /** Undefined while it is loading. */
  rate: string | undefined;
  trend: Trend | undefined;
  title: string | undefined;
  isStale: boolean;
};

/** The conversion rate of the goal that the site is about; undefined where there is none, or it is not there any more. */
export function useMainGoal({ domain, view, id, span, before: compared, when }: Source): {
  mainGoal?: MainGoal;
  answers: (Goals | undefined)[];
} {
  const path = id == null ? undefined : statsPath(domain, 'goals');
  const current = useData<Goals>(path, reportQuery(view));
  const previous = useData<Goals>(
    compared && path,
    reportQuery({ ...view, range: compared ? customRange(compared) : '' }),
  );
  const goal = current.data?.goals.find((one) => one.id === id);
  const before = compared && previous.data?.goals.find((one) => one.id === id);
  const answers = [current.data, compared && previous.data];
  if (path === undefined || (current.data && !goal)) return { answers };
  const [rate, rateBefore] = [goal?.conversion_rate, before?.conversion_rate];
  const isLeftOut = span && leftOutOf(span, daysLeftOut(current.data?.notices)) === 'all';
  const mainGoal = {
    rate: rate === undefined ? undefined : isLeftOut ? NO_VALUE : percent(rate),
    trend:
      rate === undefined || rateBefore === undefined
        ? undefined
        : answers.some((answer) => isAnyLeftOut(answer?.notices))
          ? notCompared()
          : trendOf({ change: pointsBetween(rate, rateBefore), isRate: true }, percent(rateBefore), when),
    title: goal && t('Visitors who reached the goal {goal}', { goal: goal.value }),
    isStale: current.isStale && goal !== undefined,
  };
  return { mainGoal, answers };
}
