// Counts the days before and after a note, in pairs of equal weekdays.
//
// Invariant: a pair counts only if both days are whole. A whole day is over, has 23 to 25 hours, had no outage, and was
// not deleted. The first day of the site is not whole. With these rules, a gap in collection never looks like an
// effect.
//
// Example: for a note of 10 March, 24 February to 9 March are compared with 11 to 24 March. If the server was down on
// 12 March, 26 February does not count either, because the two days are a pair. effects.ts has the mathematics.
// api/effects.ts and mail/effects.ts call `findWholePairs` and the counters.

import type { Queries } from '../engine/engine.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { isPattern } from '../lib/pattern.ts';
import { HOUR } from '../lib/time.ts';
import { findSiteDay, type SiteZone } from '../lib/zone.ts';
import type { Outage } from '../store/server/outages.ts';
import type { Goal } from '../store/sites/goals.ts';
import type { Ask } from './ask.ts';
import { makeCompletenessCheck } from './completeness.ts';
import { type DayPair, pairDays } from './effects.ts';
import { listDaySpans } from './notices.ts';
import type { Range } from './query.ts';
import type { Days } from './site-days.ts';

export type EffectSource = {
  ask: Ask;
  queries: Pick<Queries, 'findFirstHits' | 'listDayStatus' | 'listVisitedDays'>;
  site: { id: number } & SiteZone;
  days: Pick<Days, 'findInstants' | 'listDeleted'>;
  listOutages(instants: Range): readonly Outage[];
  now: number;
  signal?: AbortSignal | undefined;
};

/** `whole` has the pairs of two whole days. `all` has all pairs. */
export type WholePairs = { all: DayPair[]; whole: DayPair[] };

export async function findWholePairs(source: EffectSource, day: number): Promise<WholePairs> {
  const all = pairDays(day);
  const whole = new Set(await listWholeDays(source, listDays(all)));
  return { all, whole: all.filter(isAmong(whole)) };
}

/** The figure of each day. A day whose figure is unknown is missing. */
export type CountByDay<Count = number> = ReadonlyMap<number, Count>;

/** Returns the pairs whose two days both have a known count, and their counts. */
export function countPairs<Count>(pairs: readonly DayPair[], counts: CountByDay<Count>) {
  const known = pairs.filter(isAmong(counts));
  const read = (day: number): Count => counts.get(day) as Count;
  return { known, counted: known.map(({ before, after }) => ({ before: read(before), after: read(after) })) };
}

export async function countHits(
  { ask, site, signal }: EffectSource,
  metric: 'visitors' | 'pageviews',
  days: readonly number[],
): Promise<CountByDay> {
  const range = findSpan(days);
  const asked = { report: 'timeseries', siteId: site.id, range, filters: {}, interval: 'day' } as const;
  const { points } = await ask(asked, signal);
  return new Map(points.map((point, i) => [range.from + i, point[metric]]));
}

/**
 * Counts conversions by day. A totals-only day has no hits, therefore a goal such as `/blog/*` cannot be counted on it.
 * The figure of that day is unknown.
 */
export async function countConversions(
  { ask, queries, site, signal }: EffectSource,
  goal: Goal,
  days: readonly number[],
): Promise<CountByDay> {
  const status = isPattern(goal.value) ? await queries.listDayStatus(site.id, findSpan(days), signal) : [];
  const unknown = new Set(status.filter(({ state }) => state === 'sums').map(({ day }) => day));
  const known = days.filter((day) => !unknown.has(day));
  const counts = await Promise.all(
    known.map(async (day): Promise<[number, number][]> => {
      const asked = { report: 'goals', siteId: site.id, range: { from: day, to: day + 1 }, filters: {} } as const;
      const { goals } = await ask({ ...asked, goals: [goal] }, signal);
      return goals.flatMap(({ conversions }) => (conversions === null ? [] : [[day, conversions] as [number, number]]));
    }),
  );
  return new Map(counts.flat());
}

/** Makes a notice that names the days of pairs that do not count. */
export const listNotCompared = (pairs: readonly DayPair[]): Coded[] =>
  pairs.length === 0 ? [] : [coded('not_compared', { days: listDaySpans(listDays(pairs)) })];

export const listDays = (pairs: readonly DayPair[]): number[] => pairs.flatMap(({ before, after }) => [before, after]);

/** Returns the range from the first to the last of some days. */
export const findSpan = (days: readonly number[]): Range => ({ from: Math.min(...days), to: Math.max(...days) + 1 });

async function listWholeDays(
  { queries, site, days, listOutages, now }: EffectSource,
  asked: readonly number[],
): Promise<number[]> {
  const today = findSiteDay(site, now);
  const span = findSpan(asked);
  const visited = await queries.listVisitedDays(site.id, { from: 0, to: Math.min(today, span.to) });
  const first = Math.min(...visited);
  const deleted = new Set(await days.listDeleted(span));
  const findInstants = (day: number) => days.findInstants({ from: day, to: day + 1 });
  const all = days.findInstants(span);
  const isComplete = await makeCompletenessCheck(queries, listOutages(all), [site.id], all);
  return asked.filter(
    (day) =>
      day > first &&
      day < today &&
      !deleted.has(day) &&
      isUsual(findInstants(day)) &&
      isComplete(site.id, findInstants(day)),
  );
}

/**
 * True if a day has 23 to 25 hours. Daylight saving time makes a day one hour longer or shorter. A change of the site's
 * time zone can make a day longer or shorter by several hours.
 */
const isUsual = ({ from, to }: Range): boolean => to - from >= 23 * HOUR && to - from <= 25 * HOUR;

const isAmong =
  (days: { has(day: number): boolean }) =>
  ({ before, after }: DayPair): boolean =>
    days.has(before) && days.has(after);
