import type { View } from '../address.ts';
import { boot } from '../boot.ts';
import type { SiteData } from '../shapes.ts';
import { Crawlers } from './crawlers.tsx';
import { Drops } from './drops.tsx';
import { Funnels } from './funnels.tsx';
import { Goals } from './goals.tsx';
import { Places } from './places.tsx';
import { Tabbed } from './tabbed.tsx';
import { DEVICES, EVENTS, PAGES, SOURCES } from './tables.ts';

type Props = {
  domain: string;
  view: View;
  /** Not known behind a share link and while it is loading. */
  site: SiteData | undefined;
  /** All of them, of which rows show their share. */
  visitors: number | undefined;
};

/** Everything below the chart. */
export function Panels({ domain, view, site, visitors }: Props) {
  const asked = { domain, view, visitors };
  return (
    <div class="panels">
      <Tabbed of={PAGES} {...asked} />
      <Tabbed of={SOURCES} {...asked} />
      <Places {...asked} />
      <Tabbed of={DEVICES} {...asked} />
      <Tabbed of={EVENTS} {...asked} />
      <Goals domain={domain} view={view} site={site} />
      <Funnels domain={domain} view={view} site={site} />
      <Crawlers domain={domain} view={view} site={site} />
      {boot.share ? null : <Drops domain={domain} view={view} />}
    </div>
  );
}
