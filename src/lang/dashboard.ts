import { ANSWERS } from './dashboard/answers.ts';
import { FRAME } from './dashboard/frame.ts';
import { PANELS } from './dashboard/panels.ts';
import { PANELS_BELOW } from './dashboard/panels-below.ts';
import { SETTINGS } from './dashboard/settings.ts';

/** What the dashboard says, by its English text. */
export const DASHBOARD = { ...ANSWERS, ...FRAME, ...PANELS, ...PANELS_BELOW, ...SETTINGS };

export type DashboardMessage = keyof typeof DASHBOARD;
