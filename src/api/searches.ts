// The report of searches on Google. It lists search terms (Google calls them queries), pages, countries or devices,
// with their clicks, impressions and positions.
//
// The figures come from imported files of Google's Search Console. The figures do not count visits. `totals` come from
// the files' figures by day. Google includes rare search terms in these figures, but does not list them. So the rows
// may add up to less than the totals.
//
// Example: `GET /sites/example.com/stats/search?by=query&range=last-month`. `routes.ts` calls `showSearches`.

import * as v from 'valibot';
import { fault } from '../lib/http/fault.ts';
import { computeShare, rounded } from '../lib/percent.ts';
import { DAY, formatDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import {
  countDividedSpans,
  listTopSearches,
  SEARCH_KINDS,
  type SearchFigures as Sums,
  sumSearches,
} from '../store/sites/searches.ts';
import { Count } from './answers.ts';
import { Limit, RangeName, readRange } from './query.ts';
import type { SiteCall } from './route.ts';

const BY = SEARCH_KINDS.filter((kind) => kind !== 'day');
const By = v.picklist(BY, fault('none_of', { known: BY.join(', ') }));

export const SearchesQuery = v.strictObject({
  range: v.optional(RangeName, '30d'),
  by: v.optional(By, 'query'),
  limit: Limit,
});

/**
 * `ctr` is how many percent of the impressions led to a click. `position` is the average position of all impressions in
 * Google's results.
 */
const figures = { clicks: Count, impressions: Count, ctr: v.number(), position: v.nullable(v.number()) };

export const Searches = v.strictObject({
  from: v.string(),
  to: v.string(),
  by: By,
  /** Null if no imported file has days in the range. `first` and `last` are the first and the last of these days. */
  totals: v.nullable(v.strictObject({ ...figures, first: v.string(), last: v.string() })),
  rows: v.array(v.strictObject({ value: v.string(), ...figures })),
  /**
   * An imported row may be about several days together, such as a whole month. If only some of these days are in the
   * range, the row is left out. `left_out` counts the periods of these rows, such as 1 for a month with many rows.
   */
  left_out: Count,
});
export type Searches = v.InferOutput<typeof Searches>;

export function showSearches({
  db,
  site,
  query,
  now,
}: SiteCall<undefined, v.InferOutput<typeof SearchesQuery>>): Searches {
  const { by, limit } = query;
  const range = readRange(query.range, findSiteDay(site, now));
  const totals = sumSearches(db, site.id, 'day', range);
  return {
    ...{ from: formatDay(range.from * DAY), to: formatDay((range.to - 1) * DAY), by },
    totals: totals
      ? { ...describe(totals), first: formatDay(totals.firstDay * DAY), last: formatDay(totals.lastDay * DAY) }
      : null,
    rows: listTopSearches(db, site.id, by, { ...range, limit: Number(limit) }).map(({ name, ...sums }) => ({
      value: name,
      ...describe(sums),
    })),
    left_out: countDividedSpans(db, site.id, by, range),
  };
}

const describe = ({ clicks, impressions, places }: Sums) => ({
  ...{ clicks, impressions, ctr: computeShare(clicks, impressions) },
  position: impressions === 0 ? null : rounded(places / impressions / 1_000, 2),
});
