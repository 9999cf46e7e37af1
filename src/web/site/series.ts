import { useMemo, useRef } from 'preact/hooks';
import type { Timeseries } from '../../api/answers.ts';
import type { Note } from '../../api/notes.ts';
import { reportQuery, sitePath, statsPath } from '../address.ts';
import { type Loaded, useData } from '../api.ts';
import type { View } from '../view.ts';
import { comparedSpan, matchOf } from './comparison.ts';
import { dayAfter, daysIn, earlier } from './days.ts';
import { chartFigureOf, metricsOf } from './figures.ts';
import { type Interval, intervalOf } from './intervals.ts';
import { drawnSpan, type Point, pointsOf } from './points.ts';
import { customRange, type Span, spanOf } from './range.ts';

type Source = { domain: string | undefined; view: View; today: string };

export type Series = {
  current: Loaded<Timeseries>;
  previous: Loaded<Timeseries>;
  notes: Loaded<Note[]>;
  /** Undefined at first; later the points of the last view until all answers for the new one are there. */
  points: Point[] | undefined;
  isStale: boolean;
  interval: Interval;
  /** The day, where the range is one day, which is drawn as the last of others if it is not drawn by its hours. */
  onlyDay: string | undefined;
};

const isLoaded = ({ data, error, isStale }: Loaded<unknown>): boolean => !isStale && Boolean(data || error);

/** Of days of one's own, the hours may be more than there are now, and more than the API gives at once. */
function drawnBefore(compared: Span | undefined, span: Span, interval: Interval): Span | undefined {
  if (!compared || interval !== 'hour') return compared;
  return { ...compared, to: earlier(compared.to, dayAfter(compared.from, daysIn(span.from, span.to) - 1)) };
}

/** The points of the chart, from up to three answers. */
export function useSeries({ domain, view, today }: Source): Series {
  const span = spanOf(view.range, today);
  const interval = span ? intervalOf(view, span, domain !== undefined) : 'day';
  const onlyDay = span && span.from === span.to && interval !== 'hour' ? span.to : undefined;
  const compared = onlyDay === undefined && span ? drawnBefore(comparedSpan(view, span), span, interval) : undefined;
  const drawn = span && (onlyDay === undefined ? span : drawnSpan(span));
  const match = matchOf(view);
  const path = statsPath(domain, 'timeseries');
  const figure = chartFigureOf(view, domain !== undefined);
  const query = (range: string) => ({ ...reportQuery({ ...view, range }), interval, ...metricsOf(figure) });

  const current = useData<Timeseries>(path, query(onlyDay && drawn ? customRange(drawn) : view.range));
  const previous = useData<Timeseries>(compared && path, query(compared ? customRange(compared) : ''));
  const notes = useData<Note[]>(drawn && domain !== undefined ? sitePath(domain, '/notes') : undefined, drawn);

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
            now: Date.now(),
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
    ],
  );
  const shown = useRef<Pick<Series, 'points' | 'onlyDay' | 'interval'>>({
    points: undefined,
    onlyDay: undefined,
    interval,
  });
  if (points) shown.current = { points, onlyDay, interval };
  return { current, previous, notes, isStale: !isReady, ...shown.current };
}
