import { useState } from 'preact/hooks';
import type { Overview } from '../../api/stats.ts';
import { changeView, type View } from '../address.ts';
import type { Loaded } from '../api.ts';
import { Answer, Skeleton } from '../parts/states.tsx';
import { DayNotes } from './day-notes.tsx';
import { firstDayOf, lastDayOf } from './days.ts';
import { Legend } from './legend.tsx';
import { Plot } from './plot.tsx';
import { PointTable } from './point-table.tsx';
import { shownOf, spanBetweenPoints } from './points.ts';
import { rangeOf, type Span, spanBetween } from './range.ts';
import { useSeries } from './series.ts';
import { FIGURES } from './words.ts';

type Props = {
  domain: string;
  view: View;
  today: string;
  overview: Loaded<Overview>;
  canWrite: boolean;
  every: number;
};

/** The chosen figure by day or by month, with the notes that explain it. */
export function Chart({ domain, view, today, overview, canWrite, every }: Props) {
  const { asked, points, notes, isStale, isMonthly, chosen } = useSeries({ domain, view, today, overview, every });
  const [noted, setNoted] = useState<string>();
  const shown = shownOf(view);
  const name = `${FIGURES[shown].name} per ${isMonthly ? 'month' : 'day'}`;

  const look = ({ from, to }: Span) => changeView({ range: rangeOf(spanBetween(from, to, today), today) });
  const choose = (at: number) => {
    const date = points?.[at]?.date;
    if (date === undefined) return;
    if (isMonthly) look({ from: firstDayOf(date), to: lastDayOf(date) });
    else if (date <= today) setNoted(date);
  };
  const select = (first: number, last: number) => {
    const span = points && spanBetweenPoints(points, first, last);
    if (span && span.from <= today) look(span);
  };
  return (
    <section class="chart" aria-labelledby="chart">
      <header>
        <h2 id="chart">{name}</h2>
        <Legend view={view} today={today} isAlone={chosen !== undefined} />
      </header>
      <div class={isStale && points ? 'chart-body old' : 'chart-body'} aria-busy={isStale}>
        {asked.error ? (
          <Answer of={asked}>{() => null}</Answer>
        ) : points === undefined ? (
          <Skeleton lines={6} />
        ) : view.more.chart === 'table' ? (
          <PointTable points={points} shown={shown} name={name} onChoose={choose} />
        ) : (
          <Plot points={points} shown={shown} chosen={chosen} name={name} onChoose={choose} onSelect={select} />
        )}
      </div>
      {noted !== undefined && (
        <DayNotes
          domain={domain}
          date={noted}
          notes={(notes.data ?? []).filter(({ date }) => date === noted)}
          canWrite={canWrite}
          onChange={notes.reload}
          onLook={() => look({ from: noted, to: noted })}
          onClose={() => setNoted(undefined)}
        />
      )}
    </section>
  );
}
