// This file has the query for suggested exclusions, and turns a suggestion into an exclusion.
//
// A day is compared with the same weekday of the 8 weeks before. If the day is still running and it is 15:07 at the site, visits of all
// these days count only until 15:00. The API, the command line and the mails call `makeSuggestQuery`. Engines call `listCompared` to choose
// the days that they read.

import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { DAY, formatDay, MINUTE } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import type { Totals } from './aggregates.ts';
import type { Range } from './query.ts';
import { WEEKS } from './unusual.ts';
import type { Attribute } from './visit-table.ts';

/**
 * A query for suggestions for one day. `untils` has a time for this day, and then a time for the same weekday of each week before, in
 * seconds of the day. On each of these days, only visits that begin before the day's time count.
 */
export type SuggestQuery = { siteId: number; range: Range; untils: number[] };

/** A suggested exclusion for a day. `visits` is the number of visits of the day that were compared with the weeks before. */
export type Suggestion = {
  day: number;
  values: Partial<Record<Attribute, (string | number)[]>>;
  visits: number;
  /** Of the compared visits of the day, this number would be taken out. */
  now: number;
  usual: number;
  /** What the exclusion would take out if it is applied to the whole day. */
  totals: Totals;
};

/** Comparing by quarter hours is fast, because sealed days store the quarter hour of each hit. */
const QUARTER = 15 * MINUTE;

/** Makes the query for a day. If the day is still running, other days count only until the same time of day at the site. */
export function makeSuggestQuery(site: { id: number } & SiteZone, day: number, now: number): SuggestQuery {
  const { localAt, findInstant } = findZone(site.timeZone);
  const clock = localAt(now) - day * DAY;
  const isOver = findSiteDay(site, now) > day;
  const findUntil = (one: number): number =>
    isOver ? Number.POSITIVE_INFINITY : Math.floor((findInstant(one * DAY + clock) - one * DAY) / QUARTER) * QUARTER;
  const untils = Array.from({ length: WEEKS + 1 }, (_, week) => findUntil(day - week * 7));
  return { siteId: site.id, range: { from: day, to: day + 1 }, untils };
}

/** Gives the range of earlier days that may be compared with the day of the query. */
export const listWeeksBefore = ({ range: { from }, untils }: SuggestQuery): Range => ({
  from: from - untils.length * 7,
  to: from,
});

/** What is known about the weeks before: the days with visits, and the totals-only days. */
type Before = { visited: readonly number[]; totalsOnly: readonly number[] };

/**
 * Lists the day and the same weekday of the weeks before, from the first week with visits. Totals-only days are left out, because they have
 * no visits to compare.
 */
export function listCompared({ range: { from }, untils }: SuggestQuery, { visited, totalsOnly }: Before) {
  const first = Math.min(...visited);
  return untils
    .map((until, week) => ({ day: from - week * 7, until }))
    .filter(({ day }) => day === from || (day >= first && !totalsOnly.includes(day)));
}

/** Turns a suggestion into an exclusion. The result also says how many visitors, visits and hits the exclusion would take out. */
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
