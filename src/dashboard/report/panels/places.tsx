import { useScope } from '../../core/scope.ts';
import { useInView } from '../../ui/in-view.ts';
import { openDetails } from '../details/details-address.ts';
import { PLACES, type Table } from '../model/tables.ts';
import { BreakdownRows, selectionOf, type Totals, useBreakdown } from './breakdown.tsx';
import { TabbedPanel } from './tabbed-panel.tsx';
import { usePictures } from './use-pictures.ts';

/** Shows the visitors of each country, with a map. If the site stores regions and cities, they have tabs. */
export const PlacesPanel = (totals: Totals) => (
  <TabbedPanel of={PLACES} class="is-wide is-map" bodies={{ countries: Countries }} {...totals} />
);

function Countries({ table, title, ...totals }: Totals & { table: Table; title: string }) {
  const { view } = useScope();
  const countries = useBreakdown(table);
  const [element, isInView] = useInView<HTMLDivElement>(0);
  // If the map cannot be loaded, the list of countries remains.
  const { WorldMap } = usePictures(isInView) ?? {};
  return (
    <div class="places">
      <div
        ref={element}
        hidden={countries.data?.rows.length === 0}
        class={countries.isStale ? 'places-map is-stale' : 'places-map'}
      >
        {isInView && WorldMap ? (
          <WorldMap rows={countries.data?.rows ?? []} selectionOf={(code) => selectionOf(table, view, code)} />
        ) : null}
      </div>
      <BreakdownRows of={countries} table={table} title={title} {...totals} onDetails={() => openDetails(table)} />
    </div>
  );
}
