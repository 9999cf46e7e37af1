import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Site } from '../../api/sites.ts';
import type { Overview } from '../../api/stats.ts';
import { reportQuery, sitePath, useAddress, type View, viewOf } from '../address.ts';
import { useData } from '../api.ts';
import { boot } from '../boot.ts';
import { Panels } from '../panels/panels.tsx';
import { Chart } from '../site/chart.tsx';
import { Figures } from '../site/figures.tsx';
import { FilterBar } from '../site/filter-bar.tsx';
import { Refused } from '../site/invalid-view.tsx';
import { Help } from '../site/keyboard-help.tsx';
import { longestUpTo, spanOf, written } from '../site/range.ts';
import { useShortcuts } from '../site/shortcuts.ts';
import { SiteHeader } from '../site/site-header.tsx';
import { Missing } from '../site/site-not-found.tsx';
import { useToday } from '../site/today.ts';
import { Welcome } from '../site/welcome.tsx';

/** Seconds after which figures that may still grow are asked for again. */
const FRESH = 60;
/** Who asks again is told the same: a goal that is gone, or days that do not exist. */
const REFUSED = [404, 422];

export function SitePage({ domain }: { domain: string }) {
  const { search } = useAddress();
  const view = viewOf(search);
  const today = useToday();
  const [isHelp, setHelp] = useState(false);
  const help = useCallback(() => setHelp(true), []);
  useShortcuts(today, help);
  useEffect(() => {
    document.title = `${domain} · daybook`;
  }, [domain]);

  const site = useData<Site>(boot.share ? undefined : sitePath(domain));
  if (site.error?.status === 404) return <Missing domain={domain} />;
  return (
    <main id="main" class="site">
      <SiteHeader domain={domain} view={view} today={today} site={site.data} />
      <Content domain={domain} view={view} today={today} site={site.data} />
      <p class="site-foot">
        <button type="button" class="plain small" onClick={help} aria-keyshortcuts="?">
          Keyboard
        </button>
      </p>
      {isHelp && <Help onClose={() => setHelp(false)} />}
    </main>
  );
}

type Props = { domain: string; view: View; today: string; site: Site | undefined };

function Content({ domain, view, today, site }: Props) {
  const every = (spanOf(view.range, today)?.to ?? '') >= today ? FRESH : 0;
  const overview = useData<Overview>(sitePath(domain, '/stats/overview'), reportQuery(view), every);
  const isBlank = overview.data?.visitors === 0 && Object.keys(view.filters).length === 0;
  // Nothing in these days: was there ever anything, as far as can be asked?
  const ever = useData<Overview>(site && isBlank ? sitePath(domain, '/stats/overview') : undefined, {
    range: written(longestUpTo(today)),
  });
  const reload = () => {
    ever.reload();
    overview.reload();
  };
  if (overview.error && REFUSED.includes(overview.error.status))
    return <Refused domain={domain} view={view} error={overview.error} />;
  if (site && isBlank && ever.data?.visitors === 0) return <Welcome site={site} onHit={reload} />;
  return (
    <>
      <FilterBar domain={domain} view={view} />
      {overview.data?.notices?.map((sentence) => (
        <p key={sentence} class="soft small">
          {sentence}
        </p>
      ))}
      <div class="card summary">
        <Figures domain={domain} view={view} today={today} site={site} overview={overview} />
        <Chart
          domain={domain}
          view={view}
          today={today}
          overview={overview}
          canWrite={site !== undefined && site.role !== 'viewer'}
          every={every}
        />
      </div>
      <Panels
        site={site}
        domain={domain}
        view={view}
        visitors={overview.isStale ? undefined : overview.data?.visitors}
      />
    </>
  );
}
