// Suggested exclusions of a site. A suggestion is a draft of an exclusion for a day with far more visits than usual.
// Such visits often come from bots.
//
// Nothing is excluded before a user applies a draft. After a user has dismissed a day, the day gets no more drafts. A
// note explains its own day and the next two days, so these days get no drafts either
// (test/api/suggestions.long.test.ts). Example: a note of Monday is about an article. The many readers on Tuesday are
// not suggested as bots.

import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { Day } from '../lib/http/fields.ts';
import { DAY, formatDay, parseDay } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import { makeDraft, makeSuggestQuery } from '../stats/suggestion.ts';
import { ECHO_DAYS } from '../stats/unusual.ts';
import type { Db } from '../store/db.ts';
import { dismissDay, isDismissed } from '../store/sites/dismissals.ts';
import { listNotes } from '../store/sites/notes.ts';
import { Count } from './answers.ts';
import { ExclusionSelection } from './exclusions.ts';
import { Applied } from './filters.ts';
import type { SiteCall } from './route.ts';

export const SuggestionsQuery = v.strictObject({
  date: v.optional(v.pipe(Day, v.description('default: today, up to now'))),
});

export const Dismissal = v.strictObject({ date: Day });

export const Draft = v.strictObject({
  from: Day,
  to: Day,
  filters: Applied,
  note: v.string(),
  /** The usual number of visits on this weekday that match the filters. */
  usual: Count,
  visitors: Count,
  visits: Count,
  pageviews: Count,
  events: Count,
});
export type Draft = v.InferOutput<typeof Draft>;

export async function list({
  api,
  db,
  site,
  now,
  query,
  signal,
}: SiteCall<undefined, v.InferOutput<typeof SuggestionsQuery>>): Promise<Draft[]> {
  const today = findSiteDay(site, now);
  const day = query.date === undefined ? today : parseDay(query.date);
  // Some days get no suggestions: future days, days that a user dismissed, and days that a note explains. The engine
  // takes no negative day numbers.
  if (day < 0 || day > today || isDismissed(db, site.id, day) || isExplained(db, site.id, day)) return [];
  const found = await api.queries.suggestExclusions(makeSuggestQuery(site, day, now), signal());
  // The engine may find a value that no filter allows, such as a wrong country code from an import. A draft with such a
  // value is left out.
  return found.map(makeDraft).filter(({ from, to, filters }) => v.is(ExclusionSelection, { from, to, filters }));
}

const isExplained = (db: Db, siteId: number, day: number): boolean =>
  listNotes(db, siteId, formatDay((day - ECHO_DAYS) * DAY), formatDay(day * DAY)).length > 0;

export function dismiss({ db, site, now, body }: SiteCall<v.InferOutput<typeof Dismissal>>): void {
  const day = parseDay(body.date);
  if (day < 0 || day > findSiteDay(site, now)) throw invalid({ date: coded('day_not_begun') });
  dismissDay(db, site.id, day);
}
