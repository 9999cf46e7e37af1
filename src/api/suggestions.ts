import * as v from 'valibot';
import { Day } from '../lib/fields.ts';
import { dayNumber } from '../lib/time.ts';
import { dayOfSite } from '../lib/zone.ts';
import { draftOf, suggestQuestion } from '../stats/suggestion.ts';
import { Count } from './answers.ts';
import { Selection } from './exclusions.ts';
import { Applied } from './filters.ts';
import type { SiteCall } from './route.ts';

export const SuggestionsQuery = v.strictObject({
  date: v.optional(v.pipe(Day, v.description('a day of the site; today without it, up to now'))),
});

export const Draft = v.strictObject({
  from: Day,
  to: Day,
  filters: Applied,
  note: v.string(),
  visitors: Count,
  visits: Count,
  pageviews: Count,
  events: Count,
});
export type Draft = v.InferOutput<typeof Draft>;

export async function list({
  api,
  site,
  now,
  query,
  gone,
}: SiteCall<undefined, v.InferOutput<typeof SuggestionsQuery>>): Promise<Draft[]> {
  const today = dayOfSite(site, now);
  const day = query.date === undefined ? today : dayNumber(query.date);
  // Nothing is counted on such days, and those of long ago have no number that the engine takes.
  if (day < 0 || day > today) return [];
  const found = await api.engine.suggest(suggestQuestion(site, day, now), gone());
  // Old files may hold what no filter takes any more, such as a country that is none.
  return found.map(draftOf).filter(({ from, to, filters }) => v.is(Selection, { from, to, filters }));
}
