import type { Hit } from '../collect/stage.ts';
import { date } from './days.ts';
import { type Zones, zoneOfDay } from './zones.ts';

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What an answer lacks, in English and as data. */
export type Notice = { text: string; code: string; values: Record<string, unknown> };

/** Says how many of some visits are set aside. */
export function asideNotices(taken: readonly { by: readonly { id: number }[] }[]): Notice[] {
  const exclusions = new Set(taken.flatMap(({ by }) => by.map(({ id }) => id))).size;
  const visits = taken.length;
  const text = `${plural(visits, 'visit')} ${visits === 1 ? 'is' : 'are'} excluded by ${plural(exclusions, 'exclusion')}.`;
  return visits === 0 ? [] : [{ text, code: 'visits_excluded', values: { visits, exclusions } }];
}

export type Noticed = { notices?: string[]; notice_codes?: Omit<Notice, 'text'>[] };

export const together = (...lists: readonly (readonly Notice[])[]): Noticed => {
  const all = lists.flat();
  if (all.length === 0) return {};
  return { notices: all.map(({ text }) => text), notice_codes: all.map(({ text: _, ...data }) => data) };
};

/** Those of an answer. */
export const noticesIn = ({ notices = [], notice_codes: codes = [] }: Noticed): Notice[] =>
  codes.map((data, i) => ({ text: notices[i] ?? '', ...data }));

/** Names the days with hits that were counted in another zone than the last. */
export function zoneNotices(hits: readonly Hit[], zones: Zones, first: number, last: number): Notice[] {
  const now = zones.at(-1)?.zone ?? '';
  if (zones.length === 1) return [];
  const days = [...new Set(hits.filter(({ engaged }) => engaged === null).map(({ day }) => day))]
    .filter((day) => day >= first && day <= last && zoneOfDay(zones, day) !== now)
    .sort((one, other) => one - other);
  return [...Map.groupBy(days, (day) => zoneOfDay(zones, day))].map(([zone, own]) => {
    const spans: { from: string; to: string }[] = [];
    for (let day = first; day <= last; day++) {
      if (!own.includes(day) || own.includes(day - 1)) continue;
      let end = day;
      while (own.includes(end + 1)) end++;
      spans.push({ from: date(day), to: date(end) });
    }
    const named = spans.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', ');
    const text = `These days were counted in ${zone}, before the time zone changed to ${now}: ${named}.`;
    return { text, code: 'other_time_zone', values: { zone, own: now, days: spans } };
  });
}
