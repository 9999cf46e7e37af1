import { useMemo, useRef } from 'preact/hooks';
import type { Note } from '../../api/notes.ts';
import type { Overview, Timeseries } from '../../api/stats.ts';
import { reportQuery, sitePath, type View } from '../address.ts';
import { type Loaded, useData } from '../api.ts';
import { drawnSpan, type Point, pointsOf, shownOf } from './points.ts';
import { previousOf, type Span, spanOf, written } from './range.ts';

type Asked = { domain: string; view: View; today: string; overview: Loaded<Overview>; every: number };

type Series = {
  asked: Loaded<Timeseries>;
  /** Undefined until there are any; those before, until all that belongs to the new ones is there. */
  points: Point[] | undefined;
  notes: Loaded<Note[]>;
  isStale: boolean;
  isMonthly: boolean;
  /** The only day of the range, which is drawn as the last of others. */
  chosen: string | undefined;
};

/** As the server said, and until it did as it will say, so that nothing waits for it. */
function spanBefore(span: Span | undefined, { data, isStale }: Loaded<Overview>): Span | undefined {
  if (!data || isStale) return span && previousOf(span);
  return { from: data.previous.from.slice(0, 10), to: data.previous.to.slice(0, 10) };
}

const settled = ({ data, error, isStale }: Loaded<unknown>): boolean => !isStale && Boolean(data || error);

/** The points of the chart, from up to three answers. */
export function useSeries({ domain, view, today, overview, every }: Asked): Series {
  const span = spanOf(view.range, today);
  const chosen = span && span.from === span.to ? span.to : undefined;
  const past = chosen === undefined && view.more.compare !== 'off' ? spanBefore(span, overview) : undefined;
  const drawn = span && drawnSpan(span);
  const path = sitePath(domain, '/stats/timeseries');
  const question = (range: string) => reportQuery({ ...view, range });

  const asked = useData<Timeseries>(path, question(chosen && drawn ? written(drawn) : view.range), every);
  const before = useData<Timeseries>(past && path, question(past ? written(past) : ''));
  const notes = useData<Note[]>(drawn && sitePath(domain, '/notes'), drawn);

  const shown = shownOf(view);
  const isReady = settled(asked) && (!past || settled(before));
  const made = useMemo(
    () =>
      isReady && asked.data
        ? pointsOf({ series: asked.data, before: past && before.data, shown, notes: notes.data ?? [], today })
        : undefined,
    [isReady, asked.data, past?.from, before.data, shown, notes.data, today],
  );
  const kept = useRef<{ points: Point[]; chosen: string | undefined; isMonthly: boolean }>(undefined);
  if (made) kept.current = { points: made, chosen, isMonthly: asked.data?.interval === 'month' };
  return {
    asked,
    notes,
    points: kept.current?.points,
    isStale: !isReady,
    isMonthly: kept.current?.isMonthly ?? false,
    chosen: kept.current?.chosen,
  };
}
