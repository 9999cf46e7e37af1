// The page of a site shows its reports: a header with range and filters, figures with a chart, and panels. A share link leads
// to this page too, without settings. If a range includes today, everything is refreshed each minute. For a site that never had
// a visitor, the page shows how to install the script.
//
// main.tsx shows `SitePage` for the route `site`.

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Overview } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { reportQuery, sitePath, useAddress, viewOf } from '../core/address.ts';
import { useData } from '../core/api.ts';
import { boot } from '../core/boot.ts';
import { useClock } from '../core/refresh.ts';
import { t } from '../core/texts.ts';
import type { View } from '../core/view.ts';
import { compareQuery } from '../dates/comparison.ts';
import { customRange, longestUpTo, spanOf } from '../dates/range.ts';
import { useToday } from '../dates/today.ts';
import { Summary } from '../report/chart/summary.tsx';
import { SiteTimeZone } from '../report/details/download.tsx';
import { KeyboardHelp } from '../report/header/keyboard-help.tsx';
import { SiteHeader } from '../report/header/site-header.tsx';
import { useShortcuts } from '../report/header/use-shortcuts.ts';
import { leftOutOf } from '../report/model/missing-days.ts';
import { Panels } from '../report/panels/panels.tsx';
import { Guard } from '../ui/error-boundary.tsx';
import { lazy } from '../ui/lazy.tsx';
import { usePrintKey } from '../ui/printing.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { InvalidView } from './invalid-view.tsx';
import { SiteNotFound } from './site-not-found.tsx';

/** The page shows this component while a site has no visitor yet. */
const Welcome = lazy(async () => (await import('./welcome.tsx')).Welcome, { waiting: <Skeleton lines={8} /> });

/** All data is refreshed after this many seconds if the range includes today. */
const POLL_SECONDS = 60;
/**
 * The status codes of the API if the URL has a removed goal or an invalid range. A retry would not help, so the page
 * offers another range.
 */
const INVALID = [404, 422];

export function SitePage({ domain }: { domain: string }) {
  const { search } = useAddress();
  const view = viewOf(search);
  const site = useData<Site>(boot.share ? undefined : sitePath(domain));
  const timeZone = boot.share?.timeZone ?? site.data?.time_zone ?? 'UTC';
  const today = useToday(timeZone);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useShortcuts(today, openHelp);
  usePrintKey();
  useEffect(() => {
    document.title = `${domain} · daybook`;
  }, [domain]);

  if (site.error?.status === 404) return <SiteNotFound domain={domain} />;
  return (
    <main id="main" class="site">
      <SiteHeader domain={domain} view={view} today={today} site={site.data} />
      <SiteTimeZone.Provider value={timeZone}>
        <Reports domain={domain} view={view} today={today} site={site.data} />
      </SiteTimeZone.Provider>
      <p class="site-foot">
        <button type="button" class="plain small" onClick={openHelp} aria-keyshortcuts="?">
          {t('Keyboard shortcuts')}
        </button>
      </p>
      {isHelpOpen && <KeyboardHelp onClose={() => setHelpOpen(false)} />}
    </main>
  );
}

type Props = { domain: string; view: View; today: string; site: Site | undefined };

function Reports({ domain, view, today, site }: Props) {
  const path = sitePath(domain, '/stats/overview');
  const span = spanOf(view.range, today);
  useClock((span?.to ?? '') >= today ? POLL_SECONDS : 0);
  const overview = useData<Overview>(path, { ...reportQuery(view), ...compareQuery(view, today) });
  const hasNoVisitors = overview.data?.visitors === 0 && Object.keys(view.filters).length === 0;
  // There are no visitors in this range. The page also requests the longest range, to find out whether the site ever
  // had visitors.
  const longest = useData<Overview>(site && hasNoVisitors ? path : undefined, {
    range: customRange(longestUpTo(today)),
  });
  const reload = () => {
    longest.reload();
    overview.reload();
  };
  if (overview.error && INVALID.includes(overview.error.status))
    return <InvalidView view={view} error={overview.error} />;
  if (site && hasNoVisitors && longest.data?.visitors === 0) return <Welcome site={site} onVisit={reload} />;
  return (
    <>
      <Guard>
        <Summary domain={domain} view={view} today={today} site={site} overview={overview} />
      </Guard>
      <Panels
        site={site}
        domain={domain}
        view={view}
        visitors={overview.isStale ? undefined : overview.data?.visitors}
        isPart={span && leftOutOf(span, overview.data?.left_out) !== 'none'}
      />
    </>
  );
}
