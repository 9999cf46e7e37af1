import { lazy } from '../parts/lazy.tsx';

/** The calendar, which is only seen once something is opened. */
export const AnyDays = lazy(async () => (await import('./calendar.tsx')).Calendar, {
  waiting: <div class="calendar" />,
});
