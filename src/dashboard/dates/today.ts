import { useEffect, useState } from 'preact/hooks';
import { DAY, formatDay } from '../../lib/time.ts';
import { findZone } from '../../lib/zone.ts';

export const todayIn = (timeZone: string): string => formatDay(findZone(timeZone).dateAt(Date.now() / 1000) * DAY);

/** The current date in the time zone of a site. The date changes at midnight while the page is open. */
export function useToday(timeZone: string): string {
  const [, look] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => look((looks) => looks + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
  return todayIn(timeZone);
}
