import type { Realtime } from '../../api/answers.ts';
import type { Site } from '../../api/sites.ts';
import { reportQuery, sitePath, statsPath } from '../address.ts';
import { useData } from '../api.ts';
import { counted } from '../format.ts';
import { Link } from '../parts/link.tsx';
import { LiveText } from '../parts/live-text.tsx';
import type { View } from '../view.ts';
import { FilterBar } from './filter-bar.tsx';
import { RangePicker } from './range-picker.tsx';

type Props = { domain: string; view: View; today: string; site: Site | undefined };

/** The name of the site, and what is shown of it: days and filters. */
export function SiteHeader({ domain, view, today, site }: Props) {
  return (
    <header class="site-header">
      <div class="site-header-name">
        <h1>{domain}</h1>
        <VisitorsNow domain={domain} view={view} />
        {site && site.role !== 'viewer' && (
          <Link href={sitePath(domain, '/settings/general')} class="soft">
            Settings
          </Link>
        )}
      </div>
      <RangePicker domain={domain} range={view.range} today={today} />
      <FilterBar domain={domain} view={view} />
    </header>
  );
}

export function VisitorsNow({ domain, view }: { domain: string | undefined; view: View }) {
  const { range: _, ...filters } = reportQuery(view);
  const { data } = useData<Realtime>(statsPath(domain, 'realtime'), filters, 10);
  if (!data) return <LiveText isLive={false} />;
  return (
    <LiveText isLive={data.visitors > 0} title="Visitors in the last five minutes">
      {counted(data.visitors, 'visitor')} now
    </LiveText>
  );
}
