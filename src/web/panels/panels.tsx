import type { Site } from '../../api/sites.ts';
import type { View } from '../address.ts';
import { boot } from '../boot.ts';
import { CrawlersPanel } from './crawlers.tsx';
import { DropsPanel } from './drops.tsx';
import { FunnelsPanel } from './funnels.tsx';
import { GoalsPanel } from './goals.tsx';
import { PlacesPanel } from './places.tsx';
import { TabbedPanel } from './tabbed-panel.tsx';
import { DEVICES, EVENTS, PAGES, SOURCES } from './tables.ts';

type Props = {
  domain: string;
  view: View;
  /** Not known behind a share link and while it is loading. */
  site: Site | undefined;
  /** All of them, of which rows show their share. */
  visitors: number | undefined;
};

/** Everything below the chart. */
export function Panels({ domain, view, site, visitors }: Props) {
  const asked = { domain, view, visitors };
  return (
    <div class="panels">
      <TabbedPanel of={PAGES} {...asked} />
      <TabbedPanel of={SOURCES} {...asked} />
      <PlacesPanel {...asked} />
      <TabbedPanel of={DEVICES} {...asked} />
      <TabbedPanel of={EVENTS} {...asked} />
      <GoalsPanel domain={domain} view={view} site={site} />
      <FunnelsPanel domain={domain} view={view} site={site} />
      <CrawlersPanel domain={domain} view={view} site={site} />
      {boot.share ? null : <DropsPanel domain={domain} view={view} />}
    </div>
  );
}
