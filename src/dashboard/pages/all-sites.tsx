// The page of all sites adds up the figures of the user's sites. Each site counts days in its own time zone. The page
// looks like a site's page, but has only reports that make sense for several sites together. So it has no goals,
// funnels, notes or lists of pages. main.tsx shows `AllSitesPage` for the route `all-sites`.

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Overview } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { reportQuery, useAddress, viewOf } from '../core/address.ts';
import { useData } from '../core/api.ts';
import { useRefreshEvery } from '../core/refresh.ts';
import { PageScope, type Scope, statsPath } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import { compareQuery } from '../dates/comparison.ts';
import { monthsAsDays, spanOf } from '../dates/range.ts';
import { RangePicker } from '../dates/range-picker.tsx';
import { useToday } from '../dates/today.ts';
import { Summary } from '../report/chart/summary.tsx';
import { FilterBar } from '../report/header/filter-bar.tsx';
import { KeyboardHelp } from '../report/header/keyboard-help.tsx';
import { VisitorsNow } from '../report/header/site-header.tsx';
import { useShortcuts } from '../report/header/use-shortcuts.ts';
import { revenueQuery } from '../report/model/figures.ts';
import { DEVICES, SITES, SOURCES } from '../report/model/tables.ts';
import { PlacesPanel } from '../report/panels/places.tsx';
import { TabbedPanel } from '../report/panels/tabbed-panel.tsx';
import { ownZone } from '../ui/time-zone.tsx';
import { InvalidView } from './invalid-view.tsx';

/**
 * After how many seconds the data is refreshed, if the range includes today. A request reads all sites, so this is
 * twice as long as for one site.
 */
const POLL_SECONDS = 120;

/**
 * Finds the common currency of the sites. Sites without a currency are ignored. Returns null if no site has a currency,
 * or if there are several currencies.
 */
export function findCommonCurrency(sites: readonly Pick<Site, 'currency'>[]): string | null {
  const [first, ...others] = new Set(sites.flatMap(({ currency }) => currency ?? []));
  return first !== undefined && others.length === 0 ? first : null;
}

export function AllSitesPage() {
  const { search } = useAddress();
  const chosen = viewOf(search);
  const today = useToday(ownZone());
  const view = { ...chosen, range: monthsAsDays(chosen.range, today) };
  const sites = useData<Site[]>('/sites');
  const currency = sites.data && findCommonCurrency(sites.data);
  const scope: Scope = { kind: 'all', mayChange: false, currency, view, today };
  const [isHelpOpen, setHelpOpen] = useState(false);
  const openHelp = useCallback(() => setHelpOpen(true), []);
  useShortcuts(today, openHelp);
  useEffect(() => {
    document.title = `${t('All sites')} · daybook`;
  }, []);
  useRefreshEvery((spanOf(view.range, today)?.to ?? '') >= today ? POLL_SECONDS : 0);
  const overview = useData<Overview>(statsPath(scope, 'overview'), {
    ...reportQuery(view),
    ...compareQuery(view, today),
    ...revenueQuery(currency),
  });
  const visitors = overview.isStale ? undefined : overview.data?.visitors;
  return (
    <PageScope.Provider value={scope}>
      <main id="main" class="site">
        <header class="site-header">
          <div class="site-header-name">
            <h1>{t('All sites')}</h1>
            <VisitorsNow />
          </div>
          <RangePicker range={chosen.range} today={today} />
          <FilterBar />
        </header>
        {overview.error?.status === 422 ? (
          <InvalidView error={overview.error} />
        ) : (
          <>
            <Summary overview={overview} />
            <div class="panels is-few">
              <TabbedPanel of={SITES} visitors={visitors} />
              <TabbedPanel of={SOURCES} visitors={visitors} />
              <TabbedPanel of={DEVICES} visitors={visitors} />
              <PlacesPanel visitors={visitors} />
            </div>
          </>
        )}
        {isHelpOpen && <KeyboardHelp onClose={() => setHelpOpen(false)} />}
      </main>
    </PageScope.Provider>
  );
}
