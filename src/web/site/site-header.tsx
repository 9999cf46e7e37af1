import type { Site } from '../../api/sites.ts';
import type { Realtime } from '../../api/stats.ts';
import { reportQuery, sitePath, type View } from '../address.ts';
import { useData } from '../api.ts';
import { number } from '../format.ts';
import { Link } from '../parts/link.tsx';
import { Picker } from './range-picker.tsx';

type Props = { domain: string; view: View; today: string; site: Site | undefined };

export function SiteHeader({ domain, view, today, site }: Props) {
  return (
    <header class="site-header">
      <div class="site-name">
        <h1>{domain}</h1>
        <Now domain={domain} view={view} />
        {site && site.role !== 'viewer' && (
          <Link href={sitePath(domain, '/settings/general')} class="soft">
            Settings
          </Link>
        )}
      </div>
      <Picker range={view.range} today={today} />
    </header>
  );
}

/** How many are on the site at this moment. */
function Now({ domain, view }: { domain: string; view: View }) {
  const { range: _, ...filters } = reportQuery(view);
  const { data } = useData<Realtime>(sitePath(domain, '/stats/realtime'), filters, 10);
  if (!data) return <p class="now" />;
  const { visitors } = data;
  return (
    <p class={visitors > 0 ? 'now live' : 'now'} title="Visitors in the last five minutes">
      {visitors === 1 ? '1 visitor now' : `${number(visitors)} visitors now`}
    </p>
  );
}
