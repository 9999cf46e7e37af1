import { ANSWERS } from './dashboard/answers.ts';
import { FRAME } from './dashboard/frame.ts';
import { SETTINGS } from './dashboard/settings.ts';

/** What the dashboard says, by its English text. */
export const DASHBOARD = { ...ANSWERS, ...FRAME, ...SETTINGS };

export type DashboardMessage = keyof typeof DASHBOARD;
