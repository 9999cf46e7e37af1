// This file has the query for suggested exclusions, and turns a suggestion into an exclusion.
//
// A day is compared with the same weekday of the 8 weeks before. If the day is still running and it is 15:07 at the
// site, visits of all these days count only until 15:00. The API, the command line and the mails call
// `makeSuggestQuery`. Engines call `listCompared` to choose the days that they read.

import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { DAY, formatDay, MINUTE } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import type { Totals } from './aggregates.ts';
import type { Range } from './query.ts';
import { WEEKS } from './unusual.ts';
import type { Attribute } from './visit-table.ts';

/**
 * A query for suggestions for one day. `untils` has an end for this day, and one for the same weekday of each week
 * before. Only visits that begin before the end of their day count. An end is in seconds after the day's beginning.
 */
export type SuggestQuery = { siteId: number; range: Range; untils: number[] };

/** A suggested exclusion for a day. `visits` is how many visits of that day were compared with the weeks before. */
export type Suggestion = {
  day: number;
  values: Partial<Record<Attribute, (string | number)[]>>;
  visits: number;
  /** How many of the compared visits of the day would be taken out. `usual` is the usual number of such visits. */
  now: number;
  usual: number;
  /** What the exclusion would take out of the whole day, also after the compared hours. */
  totals: Totals;
};

/**
 * Visits are compared up to a full quarter of an hour. That is fast, because past days are stored with the quarter hour
 * of each hit.
 */
const QUARTER = 15 * MINUTE;

/**
 * Makes the query for suggestions for a day. If the day still runs, earlier days count only up to the same time of day
 * at the site.
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

/** Gives the range of earlier days that has all weeks to compare with. */
export const listWeeksBefore = ({ range: { from }, untils }: SuggestQuery): Range => ({
  from: from - untils.length * 7,
  to: from,
});

/** What is known about the weeks before: the days with visits, and the days for which only daily totals are stored. */
type Before = { visited: readonly number[]; totalsOnly: readonly number[] };

/**
 * Lists the day and the same weekday of the weeks before, from the first week with visits. Days with only daily totals
 * are left out, because they have no visits to compare.
 */
export function listCompared({ range: { from }, untils }: SuggestQuery, { visited, totalsOnly }: Before) {
  const first = Math.min(...visited);
  return untils
    .map((until, week) => ({ day: from - week * 7, until }))
    .filter(({ day }) => day === from || (day >= first && !totalsOnly.includes(day)));
}

/**
 * Turns a suggestion into an exclusion that a user can apply. The result also says how much the exclusion would take
 * out.
 */
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
