import { lazy } from '../parts/lazy.tsx';

/** The calendar. Its code is loaded when somebody opens a picker. */
export const AnyDays = lazy(async () => (await import('./calendar.tsx')).Calendar, {
  waiting: <div class="calendar" />,
});
