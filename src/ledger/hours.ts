import { DAY, HOUR } from '../lib/time.ts';
import type { Zone } from '../lib/zone.ts';
import type { DayHours, Hour } from '../stats/measured.ts';
import { type Day, startsOf } from './day.ts';
import { type HitTest, matchesOf } from './hit-test.ts';
import { firstOf, type Selection } from './tally.ts';

const inOrder = (hours: Map<number, Hour>): Hour[] => [...hours.values()].sort((a, b) => a.hour - b.hour);

/** One pass is enough, because hits are sorted by visitor and time. Hours are those that the clocks of the zone show. */
export function hoursOf(day: Day, { visits, count }: Selection, narrowing: HitTest, zone: Zone): DayHours {
  const hours = new Map<number, Hour>();
  const starts = startsOf(day);
  const again = day.column('again').codes;
  const second = day.column('second').codes;
  const [pageMatch] = matchesOf(day, narrowing);
  let last = Number.NEGATIVE_INFINITY;
  let latestVisit = -1;
  /** The latest hour in which the visitor was counted. */
  let latestHour = -1;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (again[visit] === 0 || firstOf(again, visit) > latestVisit) latestHour = -1;
    latestVisit = visit;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (pageMatch && pageMatch.codes[hit] !== pageMatch.code) continue;
      const at = day.day * DAY + (second[hit] as number);
      const number = Math.floor(zone.localAt(at) / HOUR);
      last = Math.max(last, second[hit] as number);
      // Where an hour comes twice, a visitor may come in it, in the next and in it again.
      if (number <= latestHour) continue;
      const hour = hours.get(number) ?? { hour: number, visitors: 0, arrivals: 0 };
      hours.set(number, hour);
      hour.visitors++;
      if (latestHour < 0) hour.arrivals++;
      latestHour = number;
    }
  }
  return { day: day.day, hours: inOrder(hours), last };
}

/** By day; the parts of a large day add up. */
export function mergeHours(all: readonly DayHours[]): DayHours[] {
  return [...Map.groupBy(all, ({ day }) => day)]
    .map(([day, parts]) => {
      const hours = new Map<number, Hour>();
      for (const { hour, visitors, arrivals } of parts.flatMap((part) => part.hours)) {
        const sums = hours.get(hour) ?? { hour, visitors: 0, arrivals: 0 };
        hours.set(hour, { hour, visitors: sums.visitors + visitors, arrivals: sums.arrivals + arrivals });
      }
      return {
        day,
        hours: inOrder(hours).filter(({ visitors }) => visitors > 0),
        last: Math.max(...parts.map(({ last }) => last)),
      };
    })
    .sort((a, b) => a.day - b.day);
}
