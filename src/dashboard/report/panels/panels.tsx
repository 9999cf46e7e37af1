import { useScope } from '../../core/scope.ts';
import { lazy } from '../../ui/lazy.tsx';
import { DEVICES, EVENTS, findTable, PAGES, SOURCES } from '../model/tables.ts';
import type { Totals } from './breakdown.tsx';
import { PanelSkeleton } from './panel.tsx';
import { PlacesPanel } from './places.tsx';
import { TabbedPanel } from './tabbed-panel.tsx';

const LowerPanels = lazy(async () => (await import('../later.ts')).LowerPanels, {
  waiting: <PanelSkeleton />,
  isLate: true,
});
const Details = lazy(async () => (await import('../later.ts')).Details, { waiting: null });

export function Panels(totals: Totals) {
  const { view } = useScope();
  const opened = findTable(view.details);
  const isOfEvent = opened?.table.id === 'event_labels';
  const event = isOfEvent ? view.labels : undefined;
  return (
    <div class="panels">
      <TabbedPanel of={PAGES} {...totals} />
      <TabbedPanel of={SOURCES} {...totals} />
      <PlacesPanel {...totals} />
      <TabbedPanel of={DEVICES} {...totals} />
      <TabbedPanel of={EVENTS} {...totals} />
      <LowerPanels />
      {opened && event !== '' ? <Details key={opened.table.id} {...opened} {...totals} event={event} /> : null}
    </div>
  );
}
