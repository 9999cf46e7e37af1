// The page of a site shows its reports: a header with range and filters, figures with a chart, and panels. A share link
// opens this page too, without a link to the settings. If the range includes today, all data is refreshed each minute.
// For a site without visitors in the last two years, the page shows how to install the script. If the URL has a
// question of the page "Explore", the answer replaces the reports.
//
// main.tsx shows `SitePage` for the route `site`.

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Overview } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { changeView, reportQuery, sitePath, useAddress, viewOf } from '../core/address.ts';
import { useData } from '../core/api.ts';
import { boot } from '../core/boot.ts';
import { useRefreshEvery } from '../core/refresh.ts';
import { PageScope, useSiteScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import { comparedSpan, compareQuery } from '../dates/comparison.ts';
import { customRange, longestUpTo, spanOf } from '../dates/range.ts';
import { useToday } from '../dates/today.ts';
import { Summary } from '../report/chart/summary.tsx';
import { KeyboardHelp } from '../report/header/keyboard-help.tsx';
import { SiteHeader } from '../report/header/site-header.tsx';
import { useShortcuts } from '../report/header/use-shortcuts.ts';
import { useIsEmptyBefore } from '../report/model/empty-comparison.ts';
import { revenueQuery } from '../report/model/figures.ts';
import { leftOutOf } from '../report/model/missing-days.ts';
import { Panels } from '../report/panels/panels.tsx';
import { Guard } from '../ui/error-boundary.tsx';
import { lazy } from '../ui/lazy.tsx';
import { NoticedAbove } from '../ui/notices.tsx';
import { usePrintKey } from '../ui/printing.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { InvalidView } from './invalid-view.tsx';
import { SiteNotFound } from './site-not-found.tsx';

/** Explains how to install the script, for a site without visitors in the last two years. */
const Welcome = lazy(async () => (await import('./welcome.tsx')).Welcome, { waiting: <Skeleton lines={8} /> });

const Explore = lazy(async () => (await import('../explore/explore.tsx')).Explore, { waiting: <Skeleton lines={8} /> });

/** After how many seconds all data is refreshed, if the range includes today. */
const POLL_SECONDS = 60;
/**
 * Status codes of the API for a removed goal (404), or for an invalid range or filter in the URL (422). Another try
 * would not help. So the page offers to reset range and filters.
 */
const INVALID = [404, 422];

export function SitePage({ domain }: { domain: string }) {
  const { search } = useAddress();
  const view = viewOf(search);
  const site = useData<Site>(boot.share ? undefined : sitePath(domain));
  const timeZone = boot.share?.timeZone ?? site.data?.time_zone;
  const today = useToday(timeZone ?? 'UTC');
  const [isHelpOpen, setHelpOpen] = useState(false);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useShortcuts(today, openHelp);
  usePrintKey();
  useEffect(() => {
    document.title = `${domain} · daybook`;
  }, [domain]);

  if (site.error?.status === 404) return <SiteNotFound domain={domain} />;
  const mainGoal = boot.share ? boot.share.mainGoal : site.data?.main_goal_id;
  const currency = boot.share ? boot.share.currency : site.data?.currency;
  const mayChange = site.data !== undefined && site.data.role !== 'viewer';
  return (
    <PageScope.Provider
      value={{ kind: 'site', domain, site: site.data, timeZone, mainGoal, currency, mayChange, view, today }}
    >
      <main id="main" class="site">
        <SiteHeader />
        {view.explore && !boot.share ? <Explore /> : <Reports />}
        <p class="site-foot">
          <button type="button" class="plain small" onClick={openHelp} aria-keyshortcuts="?">
            {t('Keyboard shortcuts')}
          </button>
        </p>
        {isHelpOpen && <KeyboardHelp onClose={() => setHelpOpen(false)} />}
      </main>
    </PageScope.Provider>
  );
}

function Reports() {
  const { domain, view, today, site, currency } = useSiteScope();
  const path = sitePath(domain, '/stats/overview');
  const span = spanOf(view.range, today);
  useRefreshEvery((span?.to ?? '') >= today ? POLL_SECONDS : 0);
  const overview = useData<Overview>(path, {
    ...reportQuery(view),
    ...compareQuery(view, today),
    ...revenueQuery(currency),
  });
  const hasNoVisitors = overview.data?.visitors === 0 && Object.keys(view.filters).length === 0;
  const before = span && comparedSpan(view, span);
  const isEmptyBefore = useIsEmptyBefore(overview.data?.previous?.visitors ? before : undefined);
  // If this range has no visitors, the longest range is requested too. The answer shows whether the site had visitors
  // in the last two years.
  const longest = useData<Overview>(site && hasNoVisitors ? path : undefined, {
    range: customRange(longestUpTo(today)),
  });
  // Runs when the site gets its first visit. The range changes to today, because all other days are empty.
  const showFirstVisit = () => {
    changeView({ range: 'today' }, 'replace');
    longest.reload();
    overview.reload();
  };
  if (overview.error && INVALID.includes(overview.error.status)) return <InvalidView error={overview.error} />;
  if (site && hasNoVisitors && longest.data?.visitors === 0) return <Welcome site={site} onVisit={showFirstVisit} />;
  return (
    <>
      <Guard>
        <Summary overview={overview} isEmptyBefore={isEmptyBefore} />
      </Guard>
      <NoticedAbove.Provider value={[overview.data]}>
        <Panels
          visitors={overview.isStale ? undefined : overview.data?.visitors}
          isPart={span && leftOutOf(span, overview.data?.left_out) !== 'none'}
          isEmptyBefore={isEmptyBefore}
        />
      </NoticedAbove.Provider>
    </>
  );
}
