import { boot } from '../../core/boot.ts';
import { useScope } from '../../core/scope.ts';
import { CrawlersPanel } from './crawlers.tsx';
import { DropsPanel } from './drops.tsx';
import { FunnelsPanel } from './funnels.tsx';
import { GoalsPanel } from './goals.tsx';
import { JourneysPanel } from './journeys.tsx';
import { SpeedPanel } from './speed.tsx';

/** The panels that nobody sees without scrolling. Their code is loaded later. */
export function LowerPanels() {
  const scope = useScope();
  const measures = scope.kind === 'site' && scope.site?.track_vitals === true;
  return (
    <>
      <GoalsPanel />
      <FunnelsPanel />
      <JourneysPanel />
      {measures && <SpeedPanel />}
      {boot.share?.isPart ? null : <CrawlersPanel />}
      {boot.share ? null : <DropsPanel />}
    </>
  );
}
