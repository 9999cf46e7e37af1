import type { Site } from '../../../api/sites.ts';
import type { View } from '../../core/view.ts';
import { lazy } from '../../ui/lazy.tsx';
import { openTableId } from '../details/details-address.ts';
import { DEVICES, EVENTS, findTable, PAGES, SOURCES } from '../model/tables.ts';
import { LABELS_OF } from './event-labels.tsx';
import { PlacesPanel } from './places.tsx';
import { TabbedPanel } from './tabbed-panel.tsx';

const LowerPanels = lazy(async () => (await import('./secondary-panels.tsx')).LowerPanels, { waiting: null });
const Details = lazy(async () => (await import('../details/details.tsx')).Details, { waiting: null });

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
