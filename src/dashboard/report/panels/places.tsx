import { useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { useInView } from '../../ui/in-view.ts';
import { openDetails } from '../details/details-address.ts';
import { listShown } from '../model/shown-tables.ts';
import { PLACES } from '../model/tables.ts';
import { BreakdownRows, selectionOf, type Totals, useBreakdown } from './breakdown.tsx';
import { Panel } from './panel.tsx';
import { usePictures } from './use-pictures.ts';

/** Shows the visitors of each country. The panel is hidden if the site does not keep countries. */
export function PlacesPanel(totals: Totals) {
  return listShown(PLACES.tables, useScope()).length === 0 ? null : (
    <Panel id={PLACES.id} title={t(PLACES.title)} class="is-wide is-map">
      <Body {...totals} />
    </Panel>
  );
}

const [COUNTRIES] = PLACES.tables;

function Body(totals: Totals) {
  const { view } = useScope();
  const countries = useBreakdown(COUNTRIES);
  const [element, isInView] = useInView<HTMLDivElement>(0);
  // If the map cannot be loaded, the list of countries remains.
  const { WorldMap } = usePictures(isInView) ?? {};
  return (
    <div class="panel-body places">
      <div
        ref={element}
        hidden={countries.data?.rows.length === 0}
        class={countries.isStale ? 'places-map is-stale' : 'places-map'}
      >
        {isInView && WorldMap ? (
          <WorldMap rows={countries.data?.rows ?? []} selectionOf={(code) => selectionOf(COUNTRIES, view, code)} />
        ) : null}
      </div>
      <BreakdownRows
        of={countries}
        table={COUNTRIES}
        title={t(PLACES.title)}
        {...totals}
        onDetails={() => openDetails(COUNTRIES)}
      />
    </div>
  );
}
