import * as v from 'valibot';
import { coded } from '../lang/coded.ts';
import { invalid } from '../lib/errors.ts';
import { Day } from '../lib/http/fields.ts';
import { dayNumber } from '../lib/time.ts';
import { dayOfSite } from '../lib/zone.ts';
import { makeDraft, suggestQuestion } from '../stats/suggestion.ts';
import { dismissDay, isDismissed } from '../store/sites/dismissals.ts';
import { Count } from './answers.ts';
import { Selection } from './exclusions.ts';
import { Applied } from './filters.ts';
import type { SiteCall } from './route.ts';

export const SuggestionsQuery = v.strictObject({
  date: v.optional(v.pipe(Day, v.description('a day of the site; today without it, up to now'))),
});

export const Dismissal = v.strictObject({ date: Day });

export const Draft = v.strictObject({
  from: Day,
  to: Day,
  filters: Applied,
  note: v.string(),
  /** How many visits are like these on the same day of other weeks. */
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
  const today = dayOfSite(site, now);
  const day = query.date === undefined ? today : dayNumber(query.date);
  // Nothing is counted on such days, and those of long ago have no number that the engine takes.
  if (day < 0 || day > today || isDismissed(db, site.id, day)) return [];
  const found = await api.queries.suggestExclusions(suggestQuestion(site, day, now), signal());
  // Old files may hold what no filter takes any more, such as a country that is none.
  return found.map(makeDraft).filter(({ from, to, filters }) => v.is(Selection, { from, to, filters }));
}

export function dismiss({ db, site, now, body }: SiteCall<v.InferOutput<typeof Dismissal>>): void {
  const day = dayNumber(body.date);
  if (day < 0 || day > dayOfSite(site, now)) throw invalid({ date: coded('day_not_begun') });
  dismissDay(db, site.id, day);
}
