import type { Site } from '../../api/sites.ts';
import { boot } from '../boot.ts';
import type { View } from '../view.ts';
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
  /** Undefined behind a share link and while it is loading. */
  site: Site | undefined;
  /** All visitors, of which rows show their share. */
  visitors: number | undefined;
};

/** Everything below the chart. */
export function Panels({ domain, view, site, visitors }: Props) {
  const report = { domain, view, visitors };
  return (
    <div class="panels">
      <TabbedPanel of={PAGES} {...report} />
      <TabbedPanel of={SOURCES} {...report} />
      <PlacesPanel {...report} />
      <TabbedPanel of={DEVICES} {...report} />
      <TabbedPanel of={EVENTS} {...report} />
      <GoalsPanel domain={domain} view={view} site={site} />
      <FunnelsPanel domain={domain} view={view} site={site} />
      <CrawlersPanel domain={domain} view={view} site={site} />
      {boot.share ? null : <DropsPanel domain={domain} view={view} />}
    </div>
  );
}
