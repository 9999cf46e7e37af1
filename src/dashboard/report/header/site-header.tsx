// The header of a report has the name of the site, the number of visitors now, the range and the filters. On large windows the
// header stays visible. The header also shows the time zone in which the days of the site begin and end.
// pages/site.tsx shows `SiteHeader`. pages/all-sites.tsx shows only `VisitorsNow`.

import type { Realtime } from '../../../api/answers.ts';
import type { Site } from '../../../api/sites.ts';
import { changeView, reportQuery, sitePath, statsPath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { boot } from '../../core/boot.ts';
import { plural, t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { RangePicker } from '../../dates/range-picker.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Link } from '../../ui/link.tsx';
import { LiveText } from '../../ui/live-text.tsx';
import { FilterBar } from './filter-bar.tsx';
import { SavedViews } from './saved-views.tsx';

type Props = { domain: string; view: View; today: string; site: Site | undefined };

export function SiteHeader({ domain, view, today, site }: Props) {
  return (
    <header class="site-header">
      <div class="site-header-name">
        <h1>{domain}</h1>
        <VisitorsNow domain={domain} view={view} />
        {site && site.role !== 'viewer' && (
          <Link href={sitePath(domain, '/settings/general')} class="soft site-header-settings">
            {t('Settings')}
          </Link>
        )}
      </div>
      <SiteZone zone={boot.share?.timeZone ?? site?.time_zone} />
      <RangePicker domain={domain} range={view.range} today={today} />
      <FilterBar domain={domain} view={view}>
        {!boot.share && (
          <SavedViews domain={domain} view={view} mayChange={site !== undefined && site.role !== 'viewer'} />
        )}
      </FilterBar>
    </header>
  );
}

/** The days of the site begin and end in this time zone. */
const SiteZone = ({ zone }: { zone: string | undefined }) => (
  <span class="site-header-zone" title={t('This site uses this time zone')}>
    {zone?.replaceAll('_', ' ')}
  </span>
);

const LiveNow = lazy(async () => (await import('../live/live-now.tsx')).LiveNow, { waiting: null });

/** Shows the number of visitors now. On the page of one site, a click shows what these visitors look at. */
export function VisitorsNow({ domain, view }: { domain: string | undefined; view: View }) {
  const { range: _, ...filters } = reportQuery(view);
  const { data } = useData<Realtime>(statsPath(domain, 'realtime'), filters, 10);
  const isOpen = view.more.live !== undefined;
  const open = (live: string) => changeView({ more: { ...view.more, live } });
  if (!data) return <LiveText isLive={false} />;
  const text = plural(data.visitors, '{count} visitor now', '{count} visitors now');
  if (domain === undefined) {
    return (
      <LiveText isLive={data.visitors > 0} title={t('Visitors in the last five minutes')}>
        {text}
      </LiveText>
    );
  }
  return (
    <>
      <LiveText isLive={data.visitors > 0} title={t('Visitors in the last five minutes')}>
        <button type="button" class="live-text-button" aria-haspopup="dialog" onClick={() => open('1')}>
          {text}
        </button>
      </LiveText>
      {isOpen && <LiveNow domain={domain} filters={filters} onClose={() => open('')} />}
    </>
  );
}
