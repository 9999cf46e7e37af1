// Explains a difference between two ranges of days. The answer has the groups of visitors that make up most of the
// difference.
//
// Such a group is called a reason, and filters describe it. Invariant: the figures of a reason equal a report with its
// filters, for the same days (test/stats/explain-answers.long.test.ts). `share` is the part of the difference that the
// reason makes up, in percent. Reasons may overlap, so the shares need not add up to 100.
//
// Example: a site has 200 more visitors. For `explain?range=7d`, the answer explains 180 of them with the filters `{
// country: 'DE', channel: 'Organic search' }`, and the share 90. A filter by a property is `property:plan`.
// stats/difference.ts has the search. The table in `routes.ts` calls `showExplanation`.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { fault } from '../lib/http/fault.ts';
import { Id } from '../lib/http/fields.ts';
import { computeShare } from '../lib/percent.ts';
import { findSiteDay } from '../lib/zone.ts';
import { EXPLAIN_VERDICTS, explainDifference, type Reason as Found } from '../stats/difference.ts';
import type { DifferenceQuestion } from '../stats/difference-cells.ts';
import { findDays } from '../stats/site-days.ts';
import type { Goal } from '../store/sites/goals.ts';
import type { ReportedSite } from '../store/sites/sites.ts';
import { Count, common } from './answers.ts';
import { CompareParameters, chooseCompared, makeCompare } from './compare.ts';
import { readFilters } from './filters.ts';
import { GoalId } from './input.ts';
import { describeNotices } from './notices.ts';
import { ReportParameters, readRange } from './query.ts';
import type { Api, SiteCall } from './route.ts';
import { chooseGoal } from './rows.ts';

export const EXPLAINED = ['visitors', 'visits', 'pageviews', 'conversions'] as const;
const By = v.picklist(EXPLAINED, fault('none_of', { known: EXPLAINED.join(', ') }));

export const ExplainQuery = v.strictObject({
  ...ReportParameters,
  ...CompareParameters,
  compare: v.optional(makeCompare(['previous', 'year']), 'previous'),
  by: v.optional(By, 'visitors'),
  goal: v.optional(GoalId),
});

const span = { from: common.from, to: common.to };

/**
 * `filters` has one value for each name, such as `country` or `property:plan`. `certain` is false if chance alone may
 * explain `difference`. `share` is null if the totals of both ranges are equal.
 */
export const Reason = v.strictObject({
  filters: v.record(v.string(), v.string()),
  total: Count,
  previous: Count,
  difference: v.pipe(v.number(), v.integer()),
  share: v.nullable(v.number()),
  certain: v.boolean(),
});

export const Explanation = v.strictObject({
  ...common,
  by: By,
  /** Only for conversions: the id of the goal. */
  goal: v.optional(Id),
  total: Count,
  previous: v.strictObject({ ...span, total: Count }),
  difference: v.pipe(v.number(), v.integer()),
  verdict: v.picklist(EXPLAIN_VERDICTS),
  reasons: v.array(Reason),
  /**
   * `tried` has the names of properties whose values were tried as reasons. If a site has too many properties,
   * `left_out` has the names of the others.
   */
  properties: v.strictObject({ tried: v.array(v.string()), left_out: v.array(v.string()) }),
});
export type Explanation = v.InferOutput<typeof Explanation>;

/**
 * What an explanation needs from a request. The command `daybook explain` has no request, and makes these fields itself
 * (cli/explain.ts).
 */
export type ExplainCall = Pick<
  SiteCall<undefined, v.InferOutput<typeof ExplainQuery>>,
  'db' | 'now' | 'query' | 'signal'
> & {
  api: Pick<Api, 'ask' | 'imports' | 'queries'>;
  site: ReportedSite;
};

export async function showExplanation(call: ExplainCall): Promise<Explanation> {
  const { api, db, site, query, now, signal } = call;
  const range = readRange(query.range, findSiteDay(site, now));
  const compared = chooseCompared(query, range, site, now);
  const { filters, applied } = readFilters(db, site.id, query);
  const goal = readGoal(call);
  const { id: siteId, timeZone } = site;
  const by = query.by === 'visits' || query.by === 'pageviews' ? query.by : undefined;
  const question: DifferenceQuestion = { siteId, timeZone, range, compared, filters, goal, by };
  const [found, days] = await Promise.all([explainDifference(api.ask, question, signal()), findDays(call)]);
  const { total, previous, verdict, reasons, properties } = found;
  const lacks = await Promise.all([range, compared].map(days.listNotices));
  const difference = total - previous;
  return {
    ...{ ...days.formatSpan(range), filters: applied },
    ...describeNotices([...found.notices, ...lacks.flat()]),
    ...{ by: query.by, ...(goal && { goal: goal.id }) },
    ...{ total, previous: { ...days.formatSpan(compared), total: previous }, difference, verdict },
    reasons: reasons.map((one) => writeReason(one, difference)),
    properties: { tried: properties.tried, left_out: properties.leftOut },
  };
}

function readGoal({ db, site, query: { by, goal } }: ExplainCall): Omit<Goal, 'created_at'> | undefined {
  if (by === 'conversions') {
    const { created_at: _, ...own } = chooseGoal(db, site, goal);
    return own;
  }
  if (goal !== undefined) throw invalid({ goal: coded('only_by_conversions') });
  return undefined;
}

function writeReason({ filters, total, previous, isCertain }: Found, all: number) {
  const difference = total - previous;
  const share = all === 0 ? null : computeShare(difference, all);
  return { filters: filters as Record<string, string>, total, previous, difference, share, certain: isCertain };
}
