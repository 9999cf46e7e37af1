import { ANSWERS } from './dashboard/answers.ts';
import { FRAME } from './dashboard/frame.ts';
import { PANELS } from './dashboard/panels.ts';
import { PANELS_BELOW } from './dashboard/panels-below.ts';
import { PARTS } from './dashboard/parts.ts';
import { SETTINGS } from './dashboard/settings.ts';
import { SITE_SETTINGS } from './dashboard/settings-site.ts';
import { SNIPPET } from './dashboard/settings-snippet.ts';
import { SITES } from './dashboard/sites.ts';

/** What the dashboard says, by its English text. */
export const DASHBOARD = {
  ...ANSWERS,
  ...FRAME,
  ...PANELS,
  ...PANELS_BELOW,
  ...PARTS,
  ...SETTINGS,
  ...SITE_SETTINGS,
  ...SITES,
  ...SNIPPET,
};

export type DashboardMessage = keyof typeof DASHBOARD;
