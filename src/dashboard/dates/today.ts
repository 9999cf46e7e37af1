import { useEffect, useState } from 'preact/hooks';
import { DAY, formatDay } from '../../lib/time.ts';
import { findZone } from '../../lib/zone.ts';
import { useNow } from '../core/clock.ts';

/** Returns the date in a time zone. `now` is in milliseconds since 1970. */
export const todayIn = (timeZone: string, now: number): string =>
  formatDay(findZone(timeZone).dateAt(now / 1000) * DAY);

/**
 * The current date in the time zone of a site. While the page is open, the date changes within a minute after midnight.
 */
export function useToday(timeZone: string): string {
  const now = useNow();
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look((looks) => looks + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
  return todayIn(timeZone, now());
}
