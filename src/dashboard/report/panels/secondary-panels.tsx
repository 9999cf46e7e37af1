import type { Site } from '../../../api/sites.ts';
import { boot } from '../../core/boot.ts';
import type { View } from '../../core/view.ts';
import { CrawlersPanel } from './crawlers.tsx';
import { DropsPanel } from './drops.tsx';
import { FunnelsPanel } from './funnels.tsx';
import { GoalsPanel } from './goals.tsx';

type Props = { domain: string; view: View; site: Site | undefined };

/** These panels are far below the window when the page opens. So their code is loaded later. */
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
