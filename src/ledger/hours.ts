import { HOUR } from '../lib/time.ts';
import { type DayHours, noHours } from '../stats/measured.ts';
import { type Narrowing, onPage } from './breakdowns.ts';
import { type Day, startsOf } from './day.ts';
import { firstOf, type Selection } from './tally.ts';

/** In one go, because the hits of a visitor stand together and in the order of time. */
export function hoursOf(day: Day, { visits, count }: Selection, narrowing: Narrowing): DayHours {
  const hours = noHours(day.day);
  const starts = startsOf(day);
  const again = day.column('again').codes;
  const second = day.column('second').codes;
  const [only] = onPage(day, narrowing);
  let latest = -1;
  let seen = -1;
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    if (again[visit] === 0 || firstOf(again, visit) > latest) seen = -1;
    latest = visit;
    const end = starts[visit + 1] as number;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      if (only && only.codes[hit] !== only.code) continue;
      const at = second[hit] as number;
      const hour = Math.floor(at / HOUR);
      hours.last = Math.max(hours.last, at);
      if (hour === seen) continue;
      hours.visitors[hour] = (hours.visitors[hour] as number) + 1;
      if (seen < 0) hours.arrivals[hour] = (hours.arrivals[hour] as number) + 1;
      seen = hour;
    }
  }
  return hours;
}
