import type { Goals, Overview } from '../../api/stats.ts';
import { changeOf } from '../../lib/percent.ts';
import { reportQuery, sitePath } from '../address.ts';
import { useData } from '../api.ts';
import { percent } from '../format.ts';
import type { View } from '../view.ts';
import { customRange } from './range.ts';
import { type Trend, trendOf } from './trend.ts';

type Source = {
  domain: string;
  view: View;
  id: number | null | undefined;
  overview: Overview | undefined;
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
export function useMainGoal({ domain, view, id, overview, when }: Source): {
  goal?: MainGoal;
  answers: (Goals | undefined)[];
} {
  const path = id == null ? undefined : sitePath(domain, '/stats/goals');
  const before = overview && {
    from: overview.previous.from.slice(0, 10),
    to: overview.previous.to.slice(0, 10),
  };
  const current = useData<Goals>(path, reportQuery(view));
  const previous = useData<Goals>(before && path, reportQuery({ ...view, range: before ? customRange(before) : '' }));
  const found = current.data?.goals.find((one) => one.id === id);
  const old = previous.data?.goals.find((one) => one.id === id);
  const answers = [current.data, previous.data];
  if (path === undefined || (current.data && !found)) return { answers };
  const goal = {
    rate: found && percent(found.conversion_rate),
    trend:
      found && old && trendOf(changeOf(found.conversion_rate, old.conversion_rate), percent(old.conversion_rate), when),
    title: found && `Visitors who reached the goal ${found.value}`,
    isStale: current.isStale && found !== undefined,
  };
  return { goal, answers };
}
