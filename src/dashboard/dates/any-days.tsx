import { lazy } from '../ui/lazy.tsx';

/** The calendar. Its code is loaded when the user opens a picker. */
export const AnyDays = lazy(async () => (await import('./calendar.tsx')).Calendar, {
  waiting: <div class="calendar" />,
});
