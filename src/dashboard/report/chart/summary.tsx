import type { Overview } from '../../../api/answers.ts';
import type { Site } from '../../../api/sites.ts';
import type { Loaded } from '../../core/api.ts';
import { boot } from '../../core/boot.ts';
import { spanText } from '../../core/format.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { comparedSpan, isRunning } from '../../dates/comparison.ts';
import { spanOf } from '../../dates/range.ts';
import { Notices } from '../../ui/notices.tsx';
import { rateGoalsIn, useConversion } from '../model/conversion.ts';
import { useSeries } from '../model/series.ts';
import { Chart } from './chart.tsx';
import { FigureList } from './figure-list.tsx';

type Props = {
  domain: string | undefined;
  view: View;
  today: string;
  site: Site | undefined;
  overview: Loaded<Overview>;
};

/** Shows figures and chart. Both are made from several answers, and the notices of all these answers stand together. */
export function Summary({ domain, view: asked, today, site, overview }: Props) {
  const { data } = overview;
  const mainGoal = domain === undefined ? null : boot.share ? boot.share.mainGoal : site?.main_goal_id;
  const goals = rateGoalsIn(asked, mainGoal);
  // A saved view may ask for the conversion rate of a site that has no goal any more. The chart then shows visitors.
  const isWithoutRate = goals === null && asked.more.show === 'conversion_rate';
  const view = isWithoutRate ? { ...asked, more: { ...asked.more, show: '' } } : asked;
  const span = spanOf(view.range, today);
  const before = span && comparedSpan(view, span);
  const days = before ? spanText(before) : '';
  const when = isRunning(span, today) ? t('{days}, up to the same time', { days }) : days;
  const series = useSeries({ domain, view, today, goals });
  const { answers, ...rate } = useConversion({ domain, view, today, goals, overview, when });
  const canWrite = site !== undefined && site.role !== 'viewer';
  return (
    <>
      <Notices of={[data, series.current.data, series.previous.data, ...answers]} />
      <div class="card summary">
        <FigureList {...{ view, today, overview, rate, when }} isOneSite={domain !== undefined} />
        <Chart domain={domain} view={view} today={today} series={series} canWrite={canWrite} />
      </div>
    </>
  );
}
