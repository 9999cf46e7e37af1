// The query for suggestions of exclusions, and a suggestion as the exclusion that may be made of it.
//
// A day is compared with its weekday of the 8 weeks before. At 15:07 of a day that is not over, all of them count until 15:00 by the
// clocks of the site. The API, the command line and the mails ask by `makeSuggestQuery`; engines choose the days to read by `listCompared`.

import { coded } from '../lang/coded.ts';
import { inEnglish } from '../lang/sentences.ts';
import { DAY, formatDay, MINUTE } from '../lib/time.ts';
import { findSiteDay, findZone, type SiteZone } from '../lib/zone.ts';
import type { Totals } from './aggregates.ts';
import type { Range } from './query.ts';
import { WEEKS } from './unusual.ts';
import type { Attribute } from './visit-table.ts';

/** A query for suggestions of one day. `untils` has the second up to which visits count, of the day and then of each week before. */
export type SuggestQuery = { siteId: number; range: Range; untils: number[] };

/** A suggested exclusion of a day. `visits` are the visits of the day that were compared with the weeks before. */
export type Suggestion = {
  day: number;
  values: Partial<Record<Attribute, (string | number)[]>>;
  visits: number;
  /** How many visits it would take. */
  now: number;
  usual: number;
  /** What the exclusion would take, judged on all hits of the whole day. */
  totals: Totals;
};

/** Sealed days keep the quarter hour of each hit. */
const QUARTER = 15 * MINUTE;

/** Makes the query for a day. A day that is not over is compared with the same time of other days, by the clocks of the site. */
export function makeSuggestQuery(site: { id: number } & SiteZone, day: number, now: number): SuggestQuery {
  const { localAt, findInstant } = findZone(site.timeZone);
  const clock = localAt(now) - day * DAY;
  const isOver = findSiteDay(site, now) > day;
  const findUntil = (one: number): number =>
    isOver ? Number.POSITIVE_INFINITY : Math.floor((findInstant(one * DAY + clock) - one * DAY) / QUARTER) * QUARTER;
  const untils = Array.from({ length: WEEKS + 1 }, (_, week) => findUntil(day - week * 7));
  return { siteId: site.id, range: { from: day, to: day + 1 }, untils };
}

/** Gives the range of days before the day of a query that may be compared with it. */
export const listWeeksBefore = ({ range: { from }, untils }: SuggestQuery): Range => ({
  from: from - untils.length * 7,
  to: from,
});

/** What is known of the weeks before: the days with visits, and the totals-only days. */
type Before = { visited: readonly number[]; totalsOnly: readonly number[] };

/** Lists the day and its weekday before it, since the site has visits. A totals-only day has no visits to compare. */
export function listCompared({ range: { from }, untils }: SuggestQuery, { visited, totalsOnly }: Before) {
  const first = Math.min(...visited);
  return untils
    .map((until, week) => ({ day: from - week * 7, until }))
    .filter(({ day }) => day === from || (day >= first && !totalsOnly.includes(day)));
}

/** Makes the exclusion of a suggestion, with what it would take. */
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
