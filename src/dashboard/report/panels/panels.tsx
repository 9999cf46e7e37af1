import type { Query } from '../../core/api.ts';
import { boot } from '../../core/boot.ts';
import { useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { lazy } from '../../ui/lazy.tsx';
import { DEVICES, EVENTS, findTable, PAGES, SOURCES, type Table, valuesOf } from '../model/tables.ts';
import type { Totals } from './breakdown.tsx';
import { PanelSkeleton } from './panel.tsx';
import { PlacesPanel } from './places.tsx';
import { PropertiesPanel, PropertyHint, usePropertyNames } from './properties.tsx';
import { TabbedPanel } from './tabbed-panel.tsx';

const LowerPanels = lazy(async () => (await import('../later.ts')).LowerPanels, {
  waiting: <PanelSkeleton />,
  isLate: true,
});
const SearchPanel = lazy(async () => (await import('../later.ts')).SearchPanel, {
  waiting: <PanelSkeleton />,
  isLate: true,
});
const Details = lazy(async () => (await import('../later.ts')).Details, { waiting: null });

export function Panels(totals: Totals) {
  const scope = useScope();
  const opened = findTable(scope.view.details);
  const properties = usePropertyNames();
  return (
    <div class="panels">
      <TabbedPanel of={PAGES} {...totals} />
      <TabbedPanel of={SOURCES} {...totals} />
      {scope.kind === 'site' && (boot.share?.hasSearches ?? scope.site?.has_searches) && <SearchPanel />}
      <PlacesPanel {...totals} />
      <TabbedPanel of={DEVICES} {...totals} />
      <TabbedPanel of={EVENTS} {...totals} foot={<PropertyHint names={properties} />} />
      <PropertiesPanel names={properties} {...totals} />
      <LowerPanels />
      {opened && <Opened {...opened} {...totals} />}
    </div>
  );
}

function Opened({ table, title, ...totals }: Totals & { table: Table; title: string }) {
  const { view } = useScope();
  const parameters = parametersFor(table, view);
  if (parameters === undefined) return null;
  const { property } = view;
  const of =
    table.id === 'property_values'
      ? { table: valuesOf(property), title: t('Property {name}', { name: property }) }
      : { table, title };
  return <Details key={table.id} {...of} {...totals} parameters={parameters} />;
}

/** Makes the parameters that only some tables need. Returns undefined if the URL does not have a needed value. */
function parametersFor({ id }: Table, { labels: event, property }: View): Query | undefined {
  if (id === 'event_labels') return event === '' ? undefined : { event };
  if (id === 'property_values') return property === '' ? undefined : { property };
  return {};
}
