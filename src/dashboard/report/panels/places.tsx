import { useEffect, useState } from 'preact/hooks';
import { t } from '../../core/texts.ts';
import { useInView } from '../../ui/in-view.ts';
import { openDetails } from '../details/details-address.ts';
import { PLACES } from '../model/tables.ts';
import { BreakdownRows, type ReportProps, selectionOf, useBreakdown } from './breakdown.tsx';
import { Panel } from './panel.tsx';
import type { WorldMap } from './world-map.tsx';

type MapComponent = typeof WorldMap;

export function PlacesPanel(report: ReportProps) {
  return (
    <Panel id={PLACES.id} title={t(PLACES.title)} view={report.view} class="is-wide is-map">
      {(view) => <Body {...report} view={view} />}
    </Panel>
  );
}

/** The map is loaded when it comes into view, because its code is as large as the code of all other panels. */
function useMap(isInView: boolean): MapComponent | undefined {
  const [loaded, set] = useState<{ map: MapComponent }>();
  useEffect(() => {
    if (!isInView) return;
    // If the map cannot be loaded, the list of countries remains.
    import('./world-map.tsx').then(({ WorldMap }) => set({ map: WorldMap })).catch(() => undefined);
  }, [isInView]);
  return loaded?.map;
}

const [COUNTRIES] = PLACES.tables;

function Body(report: ReportProps) {
  const countries = useBreakdown(report.domain, COUNTRIES, report.view);
  const [element, isInView] = useInView<HTMLDivElement>(0);
  const LoadedMap = useMap(isInView);
  return (
    <div class="panel-body places">
      <div ref={element} class={countries.isStale ? 'places-map is-stale' : 'places-map'}>
        {LoadedMap ? (
          <LoadedMap
            rows={countries.data?.rows ?? []}
            selectionOf={(code) => selectionOf(COUNTRIES, report.view, code)}
          />
        ) : null}
      </div>
      <BreakdownRows
        of={countries}
        table={COUNTRIES}
        title={t(PLACES.title)}
        {...report}
        onDetails={() => openDetails(report.view, COUNTRIES)}
      />
    </div>
  );
}
