import { useMemo, useRef } from 'preact/hooks';
import type { Note } from '../../api/notes.ts';
import type { Overview, Timeseries } from '../../api/stats.ts';
import { reportQuery, sitePath } from '../address.ts';
import { type Loaded, useData } from '../api.ts';
import type { View } from '../view.ts';
import { chartFigureOf, drawnSpan, type Point, pointsOf } from './points.ts';
import { customRange, previousOf, type Span, spanOf } from './range.ts';

type Source = { domain: string; view: View; today: string; overview: Loaded<Overview>; pollSeconds: number };

export type Series = {
  current: Loaded<Timeseries>;
  previous: Loaded<Timeseries>;
  notes: Loaded<Note[]>;
  /** Undefined at first; later the points of the last view until all answers for the new one are there. */
  points: Point[] | undefined;
  isStale: boolean;
  isMonthly: boolean;
  /** The day, where the range is one day, which is drawn as the last of others. */
  onlyDay: string | undefined;
};

/** As the overview says; until it is there, computed in the same way, so that the request need not wait for it. */
function previousSpan(span: Span | undefined, { data, isStale }: Loaded<Overview>): Span | undefined {
  if (!data || isStale) return span && previousOf(span);
  return { from: data.previous.from.slice(0, 10), to: data.previous.to.slice(0, 10) };
}

const isLoaded = ({ data, error, isStale }: Loaded<unknown>): boolean => !isStale && Boolean(data || error);

/** The points of the chart, from up to three answers. */
export function useSeries({ domain, view, today, overview, pollSeconds }: Source): Series {
  const span = spanOf(view.range, today);
  const onlyDay = span && span.from === span.to ? span.to : undefined;
  const compared = onlyDay === undefined && view.more.compare !== 'off' ? previousSpan(span, overview) : undefined;
  const drawn = span && drawnSpan(span);
  const path = sitePath(domain, '/stats/timeseries');
  const query = (range: string) => reportQuery({ ...view, range });

  const current = useData<Timeseries>(path, query(onlyDay && drawn ? customRange(drawn) : view.range), pollSeconds);
  const previous = useData<Timeseries>(compared && path, query(compared ? customRange(compared) : ''));
  const notes = useData<Note[]>(drawn && sitePath(domain, '/notes'), drawn);

  const figure = chartFigureOf(view);
  const isReady = isLoaded(current) && (!compared || isLoaded(previous));
  const points = useMemo(
    () =>
      isReady && current.data
        ? pointsOf({
            series: current.data,
            previous: compared && previous.data,
            figure,
            notes: notes.data ?? [],
            today,
          })
        : undefined,
    [isReady, current.data, compared?.from, previous.data, figure, notes.data, today],
  );
  const shown = useRef<Pick<Series, 'points' | 'onlyDay' | 'isMonthly'>>({
    points: undefined,
    onlyDay: undefined,
    isMonthly: false,
  });
  if (points) shown.current = { points, onlyDay, isMonthly: current.data?.interval === 'month' };
  return { current, previous, notes, isStale: !isReady, ...shown.current };
}
