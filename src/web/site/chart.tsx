// The chart shows a figure by hour, day, week or month, as a drawing or as a table. A click on a day opens its notes. A click
// on a week or a month shows its days. Marks on the chart say where visits are excluded, or where traffic is unusual.
// summary.tsx shows `Chart`.

import { useState } from 'preact/hooks';
import { changeView } from '../address.ts';
import { boot } from '../boot.ts';
import { Answer } from '../parts/answer.tsx';
import { lazy, NOTHING } from '../parts/lazy.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { t } from '../texts.ts';
import type { View } from '../view.ts';
import { DayNotes } from './day-notes.tsx';
import { chartFigureOf, FIGURES } from './figures.ts';
import { KINDS } from './intervals.ts';
import { Legend } from './legend.tsx';
import { Plot } from './plot.tsx';
import { PointTable } from './point-table.tsx';
import { spanBetweenPoints } from './points.ts';
import { rangeOf, type Span, spanBetween, spanOf } from './range.ts';
import type { Series } from './series.ts';

const Suggested = lazy(async () => (await import('../aside/suggested.tsx')).Suggested, NOTHING);
const ChartMarks = lazy(async () => (await import('../aside/chart-marks.tsx')).ChartMarks, NOTHING);

type Props = { domain: string | undefined; view: View; today: string; series: Series; canWrite: boolean };

export function Chart({ domain, view, today, series, canWrite }: Props) {
  const { current, points, notes, isStale, interval, onlyDay } = series;
  const [openDay, setOpenDay] = useState<string>();
  const figure = chartFigureOf(view, domain !== undefined);
  const name = t(KINDS[interval].per, { figure: t(FIGURES[figure].name) });

  const span = spanOf(view.range, today);
  const isWhole = FIGURES[figure].isSum && Object.keys(view.filters).length === 0;

  const showDays = ({ from, to }: Span) => changeView({ range: rangeOf(spanBetween(from, to, today), today) });
  const open = (index: number) => {
    const point = points?.[index];
    if (!point || point.value === null) return;
    const days = KINDS[point.interval].daysOf(point.date);
    if (days.from === days.to && domain !== undefined) setOpenDay(days.from);
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
        <Legend domain={domain} view={view} today={today} />
      </header>
      <div class={isStale && points ? 'chart-body is-stale' : 'chart-body'} aria-busy={isStale}>
        {current.error ? (
          <Answer of={current}>{() => null}</Answer>
        ) : points === undefined ? (
          <Skeleton lines={6} />
        ) : view.more.chart === 'table' ? (
          <PointTable points={points} figure={figure} name={name} onOpen={open} />
        ) : (
          <Plot
            canWrite={canWrite}
            points={points}
            figure={figure}
            onlyDay={onlyDay}
            name={name}
            onOpen={open}
            onSelect={select}
          />
        )}
        {points && domain !== undefined && !boot.share && view.more.chart !== 'table' && (
          <ChartMarks domain={domain} points={points} />
        )}
        {points && domain !== undefined && span && canWrite && isWhole && !isStale && (
          <Suggested domain={domain} span={span} points={points} figure={figure} />
        )}
      </div>
      {openDay !== undefined && domain !== undefined && (
        <DayNotes
          domain={domain}
          date={openDay}
          notes={(notes.data ?? []).filter(({ date }) => date === openDay)}
          canWrite={canWrite}
          onChange={notes.reload}
          onShowDay={() => showDays({ from: openDay, to: openDay })}
          onClose={() => setOpenDay(undefined)}
        />
      )}
    </section>
  );
}
