import { useEffect, useState } from 'preact/hooks';
import { useInView } from '../parts/in-view.ts';
import { type Asked, BreakdownRows, chooserOf, useBreakdown } from './breakdown.tsx';
import { Card } from './panel.tsx';
import { PLACES } from './tables.ts';
import type { WorldMap } from './world-map.tsx';

type Map = typeof WorldMap;

/** The map is as large as all the rest of a panel, and comes when it is seen. */
function useMap(isSeen: boolean): Map | undefined {
  const [drawn, set] = useState<{ by: Map }>();
  useEffect(() => {
    if (!isSeen) return;
    // Without the map there is still the list.
    import('./world-map.tsx').then(({ WorldMap }) => set({ by: WorldMap })).catch(() => undefined);
  }, [isSeen]);
  return drawn?.by;
}

const [TABLE] = PLACES.tables;

function Body(asked: Asked) {
  const countries = useBreakdown(asked.domain, TABLE.id, asked.view);
  const [world, isSeen] = useInView<HTMLDivElement>(0);
  const Drawn = useMap(isSeen);
  return (
    <div class="body beside">
      <div ref={world} class={countries.isStale ? 'world old' : 'world'}>
        {Drawn ? (
          <Drawn rows={countries.data?.rows ?? []} chooserOf={(code) => chooserOf(TABLE, asked.view, code)} />
        ) : null}
      </div>
      <BreakdownRows of={countries} table={TABLE} title={PLACES.title} {...asked} />
    </div>
  );
}

export function PlacesPanel(asked: Asked) {
  return (
    <Card id={PLACES.id} title={PLACES.title} view={asked.view} class="whole">
      {(view) => <Body {...asked} view={view} />}
    </Card>
  );
}
