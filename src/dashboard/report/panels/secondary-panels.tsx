import { boot } from '../../core/boot.ts';
import { CrawlersPanel } from './crawlers.tsx';
import { DropsPanel } from './drops.tsx';
import { FunnelsPanel } from './funnels.tsx';
import { GoalsPanel } from './goals.tsx';

/** The panels that nobody sees without scrolling, so their code is loaded later. */
export function LowerPanels() {
  return (
    <>
      <GoalsPanel />
      <FunnelsPanel />
      <CrawlersPanel />
      {boot.share ? null : <DropsPanel />}
    </>
  );
}
