import type { Site } from '../../api/sites.ts';
import { boot } from '../boot.ts';
import type { View } from '../view.ts';
import { CrawlersPanel } from './crawlers.tsx';
import { DropsPanel } from './drops.tsx';
import { FunnelsPanel } from './funnels.tsx';
import { GoalsPanel } from './goals.tsx';

type Props = { domain: string; view: View; site: Site | undefined };

/** Shows the panels far below the window. Their code is loaded after what is in view. */
export function LowerPanels(report: Props) {
  return (
    <>
      <GoalsPanel {...report} />
      <FunnelsPanel {...report} />
      <CrawlersPanel {...report} />
      {boot.share ? null : <DropsPanel domain={report.domain} view={report.view} />}
    </>
  );
}
