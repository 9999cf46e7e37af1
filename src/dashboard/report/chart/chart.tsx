// The chart shows a figure by hour, day, week or month, as a drawing or as a table. A click on a day opens its notes. A click
// on a week or a month shows its days. Marks on the chart say where visits are excluded, or where traffic is unusual.
// summary.tsx shows `Chart`.

import { useState } from 'preact/hooks';
import { changeView } from '../../core/address.ts';
import { boot } from '../../core/boot.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { rangeOf, type Span, spanBetween, spanOf } from '../../dates/range.ts';
import { lazy, NOTHING } from '../../ui/lazy.tsx';
import { Answer } from '../../ui/loaded.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { chartFigureOf, FIGURES } from '../model/figures.ts';
import { KINDS } from '../model/intervals.ts';
import { spanBetweenPoints } from '../model/points.ts';
import type { Series } from '../model/series.ts';
import { DayNotes } from './day-notes.tsx';
import { Legend } from './legend.tsx';
import { Plot } from './plot.tsx';
import { PointTable } from './point-table.tsx';

const Suggested = lazy(async () => (await import('./suggested.tsx')).Suggested, NOTHING);
const ChartMarks = lazy(async () => (await import('./chart-marks.tsx')).ChartMarks, NOTHING);

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
