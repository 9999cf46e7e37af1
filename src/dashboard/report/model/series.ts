// The series is everything that the chart shows: the points of the range and of the comparison period, and notes. The
// series may need five answers of the API, because a conversion rate is computed from two timeseries. Until all
// timeseries have arrived, the old points stay, so that the chart does not change several times. Notes may appear
// later.
//
// Example: the conversion rate of a week with a comparison needs four timeseries and the notes.
//
// summary.tsx calls `useSeries`, and chart.tsx draws its points.

import { useMemo, useRef } from 'preact/hooks';
import type { Timeseries } from '../../../api/answers.ts';
import type { Note } from '../../../api/notes.ts';
import { reportQuery, sitePath } from '../../core/address.ts';
import { type Loaded, type Query, useData } from '../../core/api.ts';
import { useNow } from '../../core/clock.ts';
import { type Scope, statsPath } from '../../core/scope.ts';
import type { View } from '../../core/view.ts';
import { comparedSpan, matchOf } from '../../dates/comparison.ts';
import { dayAfter, daysIn, earlier } from '../../dates/days.ts';
import { ALL_TIME, customRange, type Span, spanOf } from '../../dates/range.ts';
import { everybodyQuery, type RateGoals, rateOf, reachedQuery } from './conversion.ts';
import { chartFigureOf, type FigureName, metricsOf } from './figures.ts';
import { type Interval, intervalOf } from './intervals.ts';
import { type ChartSeries, drawnSpan, type Point, pointsOf } from './points.ts';

export type Series = {
  current: Loaded<ChartSeries>;
  previous: Loaded<ChartSeries>;
  notes: Loaded<Note[]>;
  /**
   * The points of the chart. They are undefined until the first timeseries have arrived. After a change of the view,
   * the old points stay until all new timeseries have arrived.
   */
  points: Point[] | undefined;
  isStale: boolean;
  /**
   * The figure that the points count. It changes together with the points. Otherwise, for a moment, numbers of visitors
   * could be written as money.
   */
  figure: FigureName;
  interval: Interval;
  /**
   * Set if the range is a single day and is not shown by hours. The chart then draws two weeks that end with
   * this day.
   */
  onlyDay: string | undefined;
};

export function useSeries(scope: Scope, goals: RateGoals): Series {
  const { view, today } = scope;
  const readClock = useNow();
  const isOneSite = scope.kind === 'site';
  const span = spanOf(view.range, today);
  const interval = span ? intervalOf(view, span, isOneSite) : 'day';
  const onlyDay = span && span.from === span.to && interval !== 'hour' ? span.to : undefined;
  const compared = onlyDay === undefined && span ? drawnBefore(comparedSpan(view, span), span, interval) : undefined;
  const drawn = span && (onlyDay === undefined ? span : drawnSpan(span));
  const match = matchOf(view);
  const figure = chartFigureOf(view, isOneSite);
  const isRate = figure === 'conversion_rate';
  const { currency } = scope;
  const path = figure === 'revenue' && !currency ? undefined : statsPath(scope, 'timeseries');
  const asked = (range: string) => ({
    view: { ...view, range },
    more: { interval, ...metricsOf(figure, currency) },
    goals,
  });

  const current = useChartSeries({ path, ...asked(onlyDay && drawn ? customRange(drawn) : view.range) }, isRate);
  const before = { path: compared && path, ...asked(compared ? customRange(compared) : '') };
  const previous = useChartSeries(before, isRate);
  const notes = useData<Note[]>(isOneSite ? sitePath(scope.domain, '/notes') : undefined);

  const isReady = isLoaded(current) && (!compared || isLoaded(previous));
  const points = useMemo(
    () =>
      isReady && current.data && drawn
        ? pointsOf({
            series: current.data,
            range: drawn,
            previous: compared && previous.data && { series: previous.data, range: compared, match },
            figure,
            notes: notes.data ?? [],
            today,
            now: readClock(),
          })
        : undefined,
    [
      isReady,
      current.data,
      drawn?.from,
      drawn?.to,
      compared?.from,
      compared?.to,
      match,
      previous.data,
      figure,
      notes.data,
      today,
      readClock,
    ],
  );
  const shown = useRef<Pick<Series, 'points' | 'figure' | 'onlyDay' | 'interval'>>({
    points: undefined,
    figure,
    onlyDay: undefined,
    interval,
  });
  if (points)
    shown.current = { points: view.range === ALL_TIME ? fromFirst(points) : points, figure, onlyDay, interval };
  return { current, previous, notes, isStale: !isReady, ...shown.current };
}

/**
 * For the chart of "All time", leaves out the points with the value 0 at its start. The chart then begins with the
 * first point that has another value or lacks days.
 */
function fromFirst(points: Point[]): Point[] {
  const first = points.findIndex(({ value, leftOut }) => value !== 0 || leftOut !== 'none');
  return first < 0 ? points : points.slice(first);
}

const isLoaded = ({ data, error, isStale }: Loaded<unknown>): boolean => !isStale && Boolean(data || error);

/**
 * If the chart shows hours, cuts the comparison period to the length of the range. Further hours of the comparison
 * period would have no partner in the range. The API may also refuse to return so many hours.
 */
function drawnBefore(compared: Span | undefined, span: Span, interval: Interval): Span | undefined {
  if (!compared || interval !== 'hour') return compared;
  return { ...compared, to: earlier(compared.to, dayAfter(compared.from, daysIn(span.from, span.to) - 1)) };
}

type Asked = { path: string | undefined; view: View; more: Query; goals: RateGoals };

/**
 * Loads a timeseries. A conversion rate needs two: the visitors that reached the goal, and all visitors. If the chart
 * shows a rate but there is no goal, nothing is loaded.
 */
function useChartSeries({ path, view, more, goals }: Asked, isRate: boolean): Loaded<ChartSeries> {
  const ratePath = isRate && goals ? path : undefined;
  const reached = useData<Timeseries>(ratePath, { ...reachedQuery(view, goals ?? []), ...more });
  const everybody = isRate ? everybodyQuery(view, reached.data) : reportQuery(view);
  const all = useData<Timeseries>(isRate ? ratePath : path, { ...everybody, ...more });
  const [data, others] = [reached.data, all.data?.points];
  const rated = useMemo(
    () =>
      data &&
      others && { ...data, points: data.points.map((one, i) => ({ ...one, conversion_rate: rateOf(one, others[i]) })) },
    [data, others],
  );
  if (!isRate) return all;
  return { ...reached, data: rated, error: reached.error ?? all.error, isStale: reached.isStale || all.isStale };
}
