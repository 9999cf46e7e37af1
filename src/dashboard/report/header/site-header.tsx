// The header of a report, with the site's name, the number of visitors now, the range and the filters. It also shows
// the time zone of the site. In large windows, the header stays visible while people scroll. pages/site.tsx shows
// `SiteHeader`. pages/all-sites.tsx shows only `VisitorsNow`.

import { useEffect, useState } from 'preact/hooks';
import type { Realtime } from '../../../api/answers.ts';
import { changeView, reportQuery, searchOf, sitePath } from '../../core/address.ts';
import { useData } from '../../core/api.ts';
import { boot } from '../../core/boot.ts';
import { statsPath, useScope, useSiteScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import { RangePicker } from '../../dates/range-picker.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Link } from '../../ui/link.tsx';
import { LiveText } from '../../ui/live-text.tsx';
import { useIsTimeForRest } from '../../ui/printing.ts';
import { FilterBar } from './filter-bar.tsx';
import { SavedViews } from './saved-views.tsx';
import { SiteSwitcher } from './site-switcher.tsx';

export function SiteHeader() {
  const { domain, timeZone, mayChange, view, today } = useSiteScope();
  return (
    <header class="site-header">
      <div class="site-header-name">
        {boot.share ? <h1>{domain}</h1> : <SiteSwitcher />}
        {boot.share?.isPart && <span class="soft">{t('Only some of the visits')}</span>}
        <VisitorsNow />
        {!boot.share && (
          <Link href={searchOf({ ...view, explore: true })} current={view.explore} class="soft">
            {t('Explore')}
          </Link>
        )}
        {mayChange && (
          <Link href={sitePath(domain, '/settings/general')} class="soft site-header-settings">
            {t('Settings')}
          </Link>
        )}
      </div>
      {/* Days of the report begin and end at midnight in this time zone. */}
      <span class="site-header-zone" title={t('Time zone of this site')}>
        {timeZone?.replaceAll('_', ' ')}
      </span>
      <RangePicker range={view.range} today={today} />
      <FilterBar>{!boot.share && <SavedViews />}</FilterBar>
    </header>
  );
}

const LiveNow = lazy(async () => (await import('../later.ts')).LiveNow, { waiting: null });

/** Shows the number of visitors now. On the page of one site, a click shows what these visitors look at. */
export function VisitorsNow() {
  const scope = useScope();
  const { view } = scope;
  const { range: _, ...filters } = reportQuery(view);
  // People open the page for the report. So the number of visitors now is requested after the data of the report. While
  // the dialog `LiveNow` is open, the dialog provides this number, and nothing is requested here.
  const isTime = useIsTimeForRest('') && !view.live;
  const { data } = useData<Realtime>(isTime ? statsPath(scope, 'realtime') : undefined, filters, 10);
  const [streamed, setStreamed] = useState<number>();
  // A new answer is newer than the last number from the dialog `LiveNow`, so the answer replaces that number.
  useEffect(() => setStreamed(undefined), [data]);
  const visitors = streamed ?? data?.visitors;
  const open = (live: boolean) => changeView({ live });
  return (
    <>
      <Count visitors={visitors} onOpen={scope.kind === 'all' ? undefined : () => open(true)} />
      {scope.kind !== 'all' && view.live && (
        <LiveNow filters={filters} onVisitors={setStreamed} onClose={() => open(false)} />
      )}
    </>
  );
}

/** Shows the number of visitors now. With `onOpen`, the number is a button. */
function Count({ visitors, onOpen }: { visitors: number | undefined; onOpen: (() => void) | undefined }) {
  if (visitors === undefined) return <LiveText isLive={false} />;
  const text = plural(visitors, '{count} visitor now', '{count} visitors now');
  return (
    <LiveText isLive={visitors > 0} title={t('Visitors in the last five minutes')}>
      {onOpen ? (
        <button type="button" class="live-text-button" aria-haspopup="dialog" onClick={onOpen}>
          {text}
        </button>
      ) : (
        text
      )}
    </LiveText>
  );
}
