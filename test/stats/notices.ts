import type { Hit } from '../collect/stage.ts';
import { date } from './days.ts';
import { type Zones, zoneOfDay } from './zones.ts';

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Says how many of some visits are set aside. */
export function asideNotices(taken: readonly { by: readonly { id: number }[] }[]): string[] {
  const exclusions = new Set(taken.flatMap(({ by }) => by.map(({ id }) => id))).size;
  const verb = taken.length === 1 ? 'is' : 'are';
  return taken.length === 0
    ? []
    : [`${plural(taken.length, 'visit')} ${verb} set aside by ${plural(exclusions, 'exclusion')}.`];
}

export const together = (...lists: readonly (readonly string[])[]): { notices?: string[] } => {
  const notices = lists.flat();
  return notices.length === 0 ? {} : { notices };
};

/** Names the days with hits that were counted in another zone than the last. */
export function zoneNotices(hits: readonly Hit[], zones: Zones, first: number, last: number): string[] {
  const now = zones.at(-1)?.zone ?? '';
  if (zones.length === 1) return [];
  const days = [...new Set(hits.filter(({ engaged }) => engaged === null).map(({ day }) => day))]
    .filter((day) => day >= first && day <= last && zoneOfDay(zones, day) !== now)
    .sort((one, other) => one - other);
  return [...Map.groupBy(days, (day) => zoneOfDay(zones, day))].map(([zone, own]) => {
    const spans: string[] = [];
    for (let day = first; day <= last; day++) {
      if (!own.includes(day) || own.includes(day - 1)) continue;
      let end = day;
      while (own.includes(end + 1)) end++;
      spans.push(end === day ? date(day) : `${date(day)} to ${date(end)}`);
    }
    return `Counted as days of ${zone}, and not of ${now}: ${spans.join(', ')}.`;
  });
}
