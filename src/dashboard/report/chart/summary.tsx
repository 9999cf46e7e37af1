// The top of a report: its figures and its chart. The two are made from several answers of the API. The notices of
// these answers are shown in one place. If the URL asks for an explanation, this file shows the dialog "Why?" too.
//
// Example: a site has no currency, but a saved view names the revenue for the chart. Then the chart shows visitors.
//
// pages/site.tsx and pages/all-sites.tsx show `Summary`.

import type { Overview } from '../../../api/answers.ts';
import type { Loaded } from '../../core/api.ts';
import { spanText } from '../../core/format.ts';
import { mayExplore, PageScope, type Scope, useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { comparedSpan, isRunning } from '../../dates/comparison.ts';
import { spanOf } from '../../dates/range.ts';
import { lazy, NOTHING } from '../../ui/lazy.tsx';
import { Notices } from '../../ui/notices.tsx';
import { rateGoalsIn, useConversion } from '../model/conversion.ts';
import type { IsEmptyBefore } from '../model/empty-comparison.ts';
import { useSeries } from '../model/series.ts';
import { emptyText } from '../model/trend.ts';
import { Chart } from './chart.tsx';
import { FigureList } from './figure-list.tsx';

const PastChanges = lazy(async () => (await import('../later.ts')).PastChanges, NOTHING);
const WhyDialog = lazy(async () => (await import('../later.ts')).WhyDialog, { waiting: null, isOptional: true });

type Props = {
  overview: Loaded<Overview>;
  /**
   * True if nothing was counted in the first half of the comparison period. The other half is too little for a
   * comparison, so no trend is shown. The field is null until the answers have arrived (empty-comparison.ts).
   */
  isEmptyBefore?: IsEmptyBefore;
};

export function Summary({ overview, isEmptyBefore = false }: Props) {
  const asked = useScope();
  const { today } = asked;
  const goals = rateGoalsIn(asked.view, asked.kind === 'all' ? null : asked.mainGoal);
  // A saved view may name a figure that the site no longer has. Without a goal, there is no conversion rate, and
  // without a currency no revenue. Then the chart shows visitors.
  const { show } = asked.view;
  const isMissing = (goals === null && show === 'conversion_rate') || (asked.currency === null && show === 'revenue');
  const view = isMissing ? { ...asked.view, show: 'visitors' as const } : asked.view;
  const scope: Scope = { ...asked, view };
  const span = spanOf(view.range, today);
  const before = span && comparedSpan(view, span);
  const days = before ? spanText(before) : '';
  const when = isRunning(span, today) ? t('{days}, up to the same time of day', { days }) : days;
  const series = useSeries(scope, goals);
  const { answers, ...rate } = useConversion(scope, { goals, overview, when });
  const goal = goals?.length === 1 ? goals[0] : undefined;
  const empty = isEmptyBefore ? { notices: [emptyText(days)] } : undefined;
  return (
    <PageScope.Provider value={scope}>
      <Notices of={[overview.data, series.current.data, series.previous.data, ...answers, empty]} />
      <div class="card summary">
        <FigureList {...{ overview, rate, when, isEmptyBefore, goal }} />
        {mayExplore(scope) && <PastChanges />}
        {mayExplore(scope) && before && view.why !== '' && <WhyDialog goal={goal} />}
        <Chart series={series} />
      </div>
    </PageScope.Provider>
  );
}
