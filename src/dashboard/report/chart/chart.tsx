// The chart shows a figure by hour, day, week or month, as a drawing or as a table. On the page of one site, a click on
// an hour or a day opens the notes of the day. Any other click changes the range to the days of the point. Small signs
// on the chart show where visits are excluded, and where traffic is unusual. summary.tsx shows `Chart`.

import { useState } from 'preact/hooks';
import { changeView } from '../../core/address.ts';
import { useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import { rangeOf, type Span, spanBetween, spanOf } from '../../dates/range.ts';
import { lazy, NOTHING } from '../../ui/lazy.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { FIGURES } from '../model/figures.ts';
import { KINDS } from '../model/intervals.ts';
import { spanBetweenPoints } from '../model/points.ts';
import type { Series } from '../model/series.ts';
import { DayNotes } from './day-notes.tsx';
import { useExcluded } from './excluded.ts';
import { ExcludedRuns } from './excluded-runs.tsx';
import { Legend } from './legend.tsx';
import { Plot } from './plot.tsx';
import { PointTable } from './point-table.tsx';

const Suggested = lazy(async () => (await import('../later.ts')).Suggested, NOTHING);

export function Chart({ series }: { series: Series }) {
  const { kind, view, today, mayChange } = useScope();
  const isOneSite = kind === 'site';
  const { current, notes, isStale, figure, interval, onlyDay } = series;
  const { points, runs } = useExcluded(series.points);
  const [openDay, setOpenDay] = useState<string>();
  const name = t(KINDS[interval].per, { figure: t(FIGURES[figure].name) });

  const span = spanOf(view.range, today);
  const isWhole = FIGURES[figure].isSum && Object.keys(view.filters).length === 0;

  const showDays = ({ from, to }: Span) => changeView({ range: rangeOf(spanBetween(from, to, today), today) });
  const open = (index: number) => {
    const point = points?.[index];
    if (!point || point.value === null) return;
    const days = KINDS[point.interval].daysOf(point.date);
    if (days.from === days.to && isOneSite) setOpenDay(days.from);
    else showDays(days);
  };
  const select = (first: number, last: number) => {
    const span = points && spanBetweenPoints(points, first, last);
    if (span && span.from <= today) showDays(span);
  };
  return (
    <section class="chart" aria-labelledby="chart">
      <header>
        <h2 id="chart">{name}</h2>
        <Legend />
      </header>
      <div class={isStale && points ? 'chart-body is-stale' : 'chart-body'} aria-busy={isStale}>
        {current.error ? (
          <Answer of={current}>{() => null}</Answer>
        ) : points === undefined ? (
          <Skeleton lines={6} />
        ) : view.chart === 'table' ? (
          <PointTable points={points} figure={figure} name={name} onOpen={open} />
        ) : (
          <Plot points={points} figure={figure} onlyDay={onlyDay} name={name} onOpen={open} onSelect={select}>
            {(place) =>
              isOneSite && (
                <>
                  <ExcludedRuns runs={runs} place={place} />
                  {span && mayChange && isWhole && !isStale && <Suggested {...{ span, points, figure, place }} />}
                </>
              )
            }
          </Plot>
        )}
      </div>
      {openDay !== undefined && (
        <DayNotes
          date={openDay}
          notes={(notes.data ?? []).filter(({ date }) => date === openDay)}
          onChange={notes.reload}
          onShowDay={() => showDays({ from: openDay, to: openDay })}
          onClose={() => setOpenDay(undefined)}
        />
      )}
    </section>
  );
}
