import { listRevenueSpans, type Query } from '../../stats/query.ts';
import { type Amounts, addAmounts } from '../../stats/revenue.ts';
import type { Conditions } from '../count/conditions.ts';
import type { Step } from '../count/funnel.ts';
import type { HitTest } from '../count/hit-filter.ts';
import { addEarned, type RevenueIn, sumRevenue, sumRevenueOf } from '../count/revenue.ts';
import type { Day, Selection } from '../day/day.ts';

type RevenueWork = {
  query: Query;
  conditions: Conditions;
  revenue: RevenueIn | undefined;
  earning: readonly HitTest[];
  steps: readonly Step[];
};

/** Adds up the revenue for a query, day by day. If the query has no currency, nothing is added. */
export function makeRevenueCounter({ query, conditions: { narrowing }, revenue, earning, steps }: RevenueWork) {
  const spans = listRevenueSpans(query);
  /**
   * `revenue` is the revenue of each span, by currency. `earned` is the revenue of each goal. For a funnel, `earned`
   * has one amount: the revenue of the hits that reached the funnel's last step.
   */
  const sums = { revenue: spans.map((): Amounts => ({})), earned: [...earning, ...steps.slice(-1)].map(() => 0) };
  return {
    ...sums,
    /** Adds a day. `listLastHits` lists the hits that reached the last step of the funnel. */
    add(day: Day, selection: Selection, listLastHits: () => readonly number[]): void {
      if (!revenue) return;
      const own = sumRevenue(day, selection, narrowing, revenue.read);
      for (const [i, { from, to }] of spans.entries()) {
        if (day.day >= from && day.day < to) addAmounts(sums.revenue[i] as Amounts, own);
      }
      addEarned(sums.earned, day, selection, earning, revenue);
      if (steps.length > 0) sums.earned[0] = (sums.earned[0] ?? 0) + sumRevenueOf(day, listLastHits(), revenue);
    },
  };
}
