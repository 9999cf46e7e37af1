// The query for suggested exclusions, and the exclusion that a suggestion becomes.
//
// Example: a day is compared with the same weekday of the 8 weeks before. If the day is not over and it is 15:07 at the
// site, all these days count only until 15:00. The API, the command line and the mails call `makeSuggestQuery`. Engines
// call `listCompared` to choose the days that they read.

import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { DAY, formatDay, MINUTE } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import type { Totals } from './aggregates.ts';
import type { Range } from './query.ts';
import { WEEKS } from './unusual.ts';
import type { Attribute } from './visit-table.ts';

/**
 * A query for suggestions for one day. `untils` has an end for this day, and for the same weekday of each week before.
 * Only visits that begin before the end count. An end is in seconds since 00:00 UTC of its day.
 */
export type SuggestQuery = { siteId: number; range: Range; untils: number[] };

/** A suggested exclusion. `visits` is the number of visits of the day that were compared with the weeks before. */
export type Suggestion = {
  day: number;
  values: Partial<Record<Attribute, (string | number)[]>>;
  visits: number;
  /** The number of compared visits that the exclusion would leave out. `usual` is the usual number of such visits. */
  now: number;
  usual: number;
  /** What the exclusion would leave out of the whole day, including the hours that were not compared. */
  totals: Totals;
};

/** Visits are compared up to a full quarter hour, because quarter hours of sealed days are fast to read. */
const QUARTER = 15 * MINUTE;

/**
 * Makes the query for suggestions for a day. If the day is not over, earlier days count only up to the same time of
 * day.
 */
export function makeSuggestQuery(site: { id: number } & SiteZone, day: number, now: number): SuggestQuery {
  const { localAt, findInstant } = findZone(site.timeZone);
  const clock = localAt(now) - day * DAY;
  const isOver = findSiteDay(site, now) > day;
  const findUntil = (one: number): number =>
    isOver ? Number.POSITIVE_INFINITY : Math.floor((findInstant(one * DAY + clock) - one * DAY) / QUARTER) * QUARTER;
  const untils = Array.from({ length: WEEKS + 1 }, (_, week) => findUntil(day - week * 7));
  return { siteId: site.id, range: { from: day, to: day + 1 }, untils };
}

export const listWeeksBefore = ({ range: { from }, untils }: SuggestQuery): Range => ({
  from: from - untils.length * 7,
  to: from,
});

/** What is known about the weeks before: the days with visits, and the totals-only days. */
type Before = { visited: readonly number[]; totalsOnly: readonly number[] };

/**
 * Lists the day and the same weekday of the weeks before, from the first week with visits. Totals-only days are left
 * out, because they have no visits to compare.
 */
export function listCompared({ range: { from }, untils }: SuggestQuery, { visited, totalsOnly }: Before) {
  const first = Math.min(...visited);
  return untils
    .map((until, week) => ({ day: from - week * 7, until }))
    .filter(({ day }) => day === from || (day >= first && !totalsOnly.includes(day)));
}

/** Makes an exclusion from a suggestion, with the counts of what it would leave out. */
export function makeDraft({ day, values, usual, totals: { visitors, visits, pageviews, events } }: Suggestion) {
  const date = formatDay(day * DAY);
  const filters = Object.fromEntries(
    Object.entries(values).map(([name, list]) => [
      name,
      list.length === 1 ? (list[0] as string | number) : { is: list },
    ]),
  );
  const note = inEnglish(coded('suggested', { visits, usual: Math.round(usual) }));
  return {
    from: date,
    to: date,
    filters,
    note,
    usual: Math.round(usual),
    visitors,
    visits,
    pageviews,
    events,
  };
}
