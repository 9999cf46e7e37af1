import { sentencesIn } from './codes.ts';
import { EXCLUSIONS } from './dashboard/exclusions.ts';
import { FRAME } from './dashboard/frame.ts';
import { PANELS } from './dashboard/panels.ts';
import { PANELS_BELOW } from './dashboard/panels-below.ts';
import { PARTS } from './dashboard/parts.ts';
import { SETTINGS } from './dashboard/settings.ts';
import { ACCOUNT_SETTINGS } from './dashboard/settings-account.ts';
import { SERVER_SETTINGS } from './dashboard/settings-server.ts';
import { SITE_SETTINGS } from './dashboard/settings-site.ts';
import { SNIPPET } from './dashboard/settings-snippet.ts';
import { SITE } from './dashboard/site.ts';
import { SITE_PARTS } from './dashboard/site-parts.ts';
import { SITES } from './dashboard/sites.ts';
import type { Language } from './languages.ts';
import { type Texts, textsIn } from './messages.ts';

/** All messages of the dashboard. The key of a message is its English text. */
export const DASHBOARD = {
  ...FRAME,
  ...PANELS,
  ...PANELS_BELOW,
  ...PARTS,
  ...SETTINGS,
  ...SITE,
  ...SITE_PARTS,
  ...SITE_SETTINGS,
  ...SITES,
  ...SNIPPET,
  ...EXCLUSIONS,
  ...ACCOUNT_SETTINGS,
  ...SERVER_SETTINGS,
};

/** Lists all texts of the dashboard in one language, with the sentences of the server's codes. */
export const dashboardTexts = (language: Language): Texts => ({
  ...textsIn(DASHBOARD, language),
  ...sentencesIn(language),
});

export type DashboardMessage = keyof typeof DASHBOARD;
