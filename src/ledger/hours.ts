import { HOUR } from '../lib/time.ts';
import { type DayHours, noHours } from '../stats/measured.ts';
import { type Day, startsOf } from './day.ts';
import { type HitTest, matchesOf } from './hit-test.ts';
import { firstOf, type Selection } from './tally.ts';

/** One pass is enough, because hits are sorted by visitor and time. */
export function hoursOf(day: Day, { visits, count }: Selection, narrowing: HitTest): DayHours {
  const hours = noHours(day.day);
  const starts = startsOf(day);
  const again = day.column('again').codes;
  const second = day.column('second').codes;
  const [pageMatch] = matchesOf(day, narrowing);
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
      const at = second[hit] as number;
      const hour = Math.floor(at / HOUR);
      hours.last = Math.max(hours.last, at);
      if (hour === latestHour) continue;
      hours.visitors[hour] = (hours.visitors[hour] as number) + 1;
      if (latestHour < 0) hours.arrivals[hour] = (hours.arrivals[hour] as number) + 1;
      latestHour = hour;
    }
  }
  return hours;
}
