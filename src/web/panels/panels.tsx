import type { Site } from '../../api/sites.ts';
import { lazy } from '../parts/lazy.tsx';
import type { View } from '../view.ts';
import { openTableId } from './details-address.ts';
import { LABELS_OF } from './event-labels.tsx';
import { PlacesPanel } from './places.tsx';
import { TabbedPanel } from './tabbed-panel.tsx';
import { DEVICES, EVENTS, findTable, PAGES, SOURCES } from './tables.ts';

const LowerPanels = lazy(async () => (await import('./lower-panels.tsx')).LowerPanels, { waiting: null });
const Details = lazy(async () => (await import('./details.tsx')).Details, { waiting: null });

type Props = {
  domain: string;
  view: View;
  /** Undefined while the site is loading, and always for visitors with a share link. */
  site: Site | undefined;
  /** The total number of visitors. A row shows its share of the total. */
  visitors: number | undefined;
  /**
   * Whether a filter left days out of the total, because only their daily totals are stored. Such days have no visits
   * to filter.
   */
  isPart?: boolean | undefined;
};

export function Panels({ domain, view, site, visitors, isPart }: Props) {
  const report = { domain, view, visitors, isPart };
  const opened = findTable(openTableId(view));
  const isOfEvent = opened?.table.id === 'event_labels';
  const event = isOfEvent ? view.more[LABELS_OF] : undefined;
  return (
    <div class="panels">
      <TabbedPanel of={PAGES} {...report} />
      <TabbedPanel of={SOURCES} {...report} />
      <PlacesPanel {...report} />
      <TabbedPanel of={DEVICES} {...report} />
      <TabbedPanel of={EVENTS} {...report} />
      <LowerPanels domain={domain} view={view} site={site} />
      {opened && (event !== undefined || !isOfEvent) ? (
        <Details key={opened.table.id} {...opened} {...report} site={site} event={event} />
      ) : null}
    </div>
  );
}
