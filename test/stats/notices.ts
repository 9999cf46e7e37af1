import type { Hit } from '../collect/stage.ts';
import { date } from './days.ts';
import { type Zones, zoneOfDay } from './zones.ts';

/** Names the days with hits that were counted in another zone than the last. */
export function noticesOf(hits: readonly Hit[], zones: Zones, first: number, last: number): { notices?: string[] } {
  const now = zones.at(-1)?.zone ?? '';
  if (zones.length === 1) return {};
  const days = [...new Set(hits.filter(({ engaged }) => engaged === null).map(({ day }) => day))]
    .filter((day) => day >= first && day <= last && zoneOfDay(zones, day) !== now)
    .sort((one, other) => one - other);
  if (days.length === 0) return {};
  const notices = [...Map.groupBy(days, (day) => zoneOfDay(zones, day))].map(([zone, own]) => {
    const spans: string[] = [];
    for (let day = first; day <= last; day++) {
      if (!own.includes(day) || own.includes(day - 1)) continue;
      let end = day;
      while (own.includes(end + 1)) end++;
      spans.push(end === day ? date(day) : `${date(day)} to ${date(end)}`);
    }
    return `Counted as days of ${zone}, and not of ${now}: ${spans.join(', ')}.`;
  });
  return { notices };
}
