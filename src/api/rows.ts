// The parameters of breakdown rows: which figures a row has, which rows the answer has, and in which order.
//
// Each breakdown has its own figures: pages have `time_on_page`, events have `count`. If the query asks for a metric
// that the breakdown does not have, the answer is 422. Conversions need a goal: the goal that the query names, or else
// the main goal of the site. `stats.ts` calls `readRowQuery`. Other reports with conversions call `chooseGoal`.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import type { Breakdown } from '../stats/dimensions.ts';
import { findFigure, METRIC_NAMES, needsGoal, ORDERS } from '../stats/metrics.ts';
import type { Db } from '../store/db.ts';
import { findGoal, type Goal, type Target } from '../store/sites/goals.ts';
import type { Site } from '../store/sites/sites.ts';
import { GoalId, listOf, whole } from './input.ts';
import { CurrencyParameter, chooseCurrency } from './revenue.ts';

const LONGEST_SEARCH = 1_024;
const MOST_OFFSET = 100_000;

export const Offset = v.optional(whole(0, MOST_OFFSET, fault('out_of_bounds', { least: 0, most: MOST_OFFSET })), '0');

export const Metric = v.picklist(METRIC_NAMES, fault('none_of', { known: METRIC_NAMES.join(', ') }));
type Metric = v.InferOutput<typeof Metric>;

export const RowParameters = {
  metrics: v.optional(listOf(METRIC_NAMES)),
  goal: v.optional(GoalId),
  sort: v.optional(Metric),
  order: v.optional(v.picklist(ORDERS, fault('none_of', { known: ORDERS.join(', ') }))),
  search: v.optional(v.pipe(v.string(), v.maxLength(LONGEST_SEARCH, fault('too_long', { most: LONGEST_SEARCH })))),
  offset: Offset,
  ...CurrencyParameter,
};
const RowQuery = v.strictObject(RowParameters);
type RowQuery = v.InferOutput<typeof RowQuery>;

/**
 * Reads what the rows of a breakdown should have. Refuses a metric that the breakdown does not have, such as
 * `time_on_page` for countries.
 */
export function readRowQuery(
  db: Db,
  site: Site,
  breakdown: Breakdown,
  { metrics = [], goal, sort, order, search, offset, currency }: RowQuery,
) {
  const unknown = metrics.find((metric) => findFigure(breakdown, metric) === undefined);
  if (unknown) throw invalid({ metrics: coded('not_in_breakdown', { breakdown, metric: unknown }) });
  if (sort && !metrics.includes(sort)) throw invalid({ sort: coded('sort_not_asked') });
  const target = findTarget(db, site, metrics, goal);
  return {
    metrics,
    goal: target,
    sort,
    order,
    search,
    offset,
    currency: chooseCurrency([site], { metrics, currency }),
  };
}

/** Chooses the goal that conversions are counted for: the named goal, or else the main goal of the site. */
export function chooseGoal(
  db: Db,
  { id: siteId, main_goal_id }: Pick<Site, 'id' | 'main_goal_id'>,
  named: number | undefined,
): Goal {
  const id = named ?? main_goal_id;
  if (id === null) throw invalid({ goal: coded('goal_required') });
  const goal = findGoal(db, siteId, id);
  if (!goal) throw new Problem('not_found');
  return goal;
}

/** Chooses the goal whose conversions the rows count. Returns undefined if no metric is about conversions. */
function findTarget(db: Db, site: Site, metrics: readonly Metric[], named?: number): Target | undefined {
  if (metrics.some(needsGoal)) {
    const { id: _, created_at: __, ...target } = chooseGoal(db, site, named);
    return target;
  }
  if (named !== undefined) throw invalid({ goal: coded('only_conversion_metrics') });
  return undefined;
}
