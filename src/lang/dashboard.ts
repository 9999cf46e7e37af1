import { ANSWERS } from './dashboard/answers.ts';
import { FRAME } from './dashboard/frame.ts';
import { PANELS } from './dashboard/panels.ts';
import { PANELS_BELOW } from './dashboard/panels-below.ts';
import { PARTS } from './dashboard/parts.ts';
import { SETTINGS } from './dashboard/settings.ts';
import { SITES } from './dashboard/sites.ts';

/** What the dashboard says, by its English text. */
export const DASHBOARD = { ...ANSWERS, ...FRAME, ...PANELS, ...PANELS_BELOW, ...PARTS, ...SETTINGS, ...SITES };

export type DashboardMessage = keyof typeof DASHBOARD;
