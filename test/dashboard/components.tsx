import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Site } from '../../src/api/sites.ts';
import type { Loaded } from '../../src/dashboard/core/api.ts';
import { Clock } from '../../src/dashboard/core/clock.ts';
import { USUAL_CHOICES } from '../../src/dashboard/core/parameters.ts';
import { PageScope, type Scope, type SiteScope } from '../../src/dashboard/core/scope.ts';
import { setLanguage } from '../../src/dashboard/core/texts.ts';
import type { View } from '../../src/dashboard/core/view.ts';
import { dashboardTexts } from '../../src/lang/dashboard.ts';
import { SWITCHES, type Switch } from '../../src/store/sites/sites.ts';

setLanguage('en', dashboardTexts('en'));

/** An answer as components get it. */
export function loaded<Data>(data: Data): Loaded<Data> {
  return { data, error: undefined, isStale: false, reload() {} };
}

/** What people read in HTML: its texts, with a space wherever there was a tag. */
export const textIn = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

export const SITE: Site = {
  id: 1,
  domain: 'example.com',
  account_id: 1,
  role: 'owner',
  created_at: '2026-01-01T00:00:00Z',
  ...(Object.fromEntries(SWITCHES.map((name) => [name, false])) as Record<Switch, boolean>),
  track_crawlers: true,
  shared: false,
  share_url: null,
  main_goal_id: null,
  private_paths: [],
  page_parameters: [],
  dimensions_off: [],
  currency: null,
  places: false,
  track_vitals: false,
  time_zone: 'UTC',
  snippet: '<script defer src="https://stats.example/day.js" data-site="example.com"></script>',
  vitals_snippet: null,
  has_searches: false,
};

export const VIEW: View = { ...USUAL_CHOICES, filters: {} };

export const SCOPE: SiteScope = {
  kind: 'site',
  domain: 'example.com',
  site: SITE,
  timeZone: 'UTC',
  mainGoal: null,
  mayChange: true,
  currency: null,
  view: VIEW,
  today: '2026-03-10',
};

/** Renders a component of a page with this scope. */
export const renderIn = (scope: Scope, node: VNode): string =>
  renderToString(
    <Clock.Provider value={() => Date.parse('2026-03-10T12:00:00Z')}>
      <PageScope.Provider value={scope}>{node}</PageScope.Provider>
    </Clock.Provider>,
  );
