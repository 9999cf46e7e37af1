// The chart of a question that has a time among its keys, such as the week. There is a line for each of the first five
// rows. The chart looks like the report's chart, and uses the code of report/chart. A line is dashed where an hour
// or a week has not ended.
//
// Invariant: a point is drawn only if its figure is known. For a week without visits, a sum such as pageviews is 0, and
// a rate is not known. If the answer leaves out all days of a week, the line has a gap.
//
// Example: visitors by channel and week give five lines, for the five channels with the most visitors.
//
// explore.tsx shows `OverTime`.

import { useMemo, useState } from 'preact/hooks';
import { isTimeKey, type KeyValue, type TableKey, type TimeKey } from '../../stats/table-keys.ts';
import { useNow } from '../core/clock.ts';
import { useSiteScope } from '../core/scope.ts';
import { t } from '../core/texts.ts';
import { earlier, later } from '../dates/days.ts';
import { ALL_TIME, type Span, spanOf } from '../dates/range.ts';
import { linesOf } from '../report/chart/lines.ts';
import { pathOf } from '../report/chart/paths.ts';
import { type Place, placesFor } from '../report/chart/places.ts';
import { type Scale, scaleFor } from '../report/chart/scale.ts';
import { FIGURES } from '../report/model/figures.ts';
import { KINDS } from '../report/model/intervals.ts';
import { leftOutOf } from '../report/model/missing-days.ts';
import { stateOf } from '../report/model/points.ts';
import { Answer } from '../ui/loaded.tsx';
import { NoticedAbove } from '../ui/notices.tsx';
import { LIKE, nameFigure, writeFigure } from './figure-text.ts';
import { nameKey, writeShort, writeValue } from './key-text.ts';
import { isSum } from './pivot.ts';
import { type Asked, chooseFigure, type Figure, type Question } from './question.ts';
import { fillTimes, listTimes } from './times.ts';
import { type Pivot, usePivot } from './use-pivot.ts';

/** The chart has at most this many lines, because readers could not tell more lines apart. */
const MOST_LINES = 5;

type Props = { asked: Asked; question: Question };

export function OverTime({ asked, question }: Props) {
  const { today, timeZone = 'UTC' } = useSiteScope();
  const { by } = question;
  const figure = chooseFigure(question);
  const time = by.findLast(isTimeKey) ?? 'day';
  const rowKeys = by.filter((key) => key !== time);
  const span = spanOf(asked.view.range, today);
  const pivot = usePivot(asked, {
    ...{ rowKeys, columnKey: time, figure, order: 'desc', mostRows: MOST_LINES },
    // A rate such as the bounce rate may be highest for a row with a single visit. So rows are then sorted by visitors.
    sort: isSum(figure) ? figure : 'visitors',
    columns: { known: span && listTimes(time, span, today) },
  });
  const columnsOf = (data: Pivot) => {
    const columns = time === 'hour' ? fillTimes(data.columns, timeZone) : data.columns;
    return asked.view.range === ALL_TIME ? fromFirst(data, columns) : columns;
  };
  // If there is an error, or no row, the table below the chart says so. Then the chart is left out.
  if (pivot.error || pivot.data?.rows.length === 0) return null;
  return (
    <div class="card">
      <NoticedAbove.Provider value={[pivot.data]}>
        <Answer of={pivot} lines={6}>
          {(data) => (
            <Lines
              {...{ figure, time, rowKeys, today, span, currency: asked.currency }}
              pivot={{ ...data, columns: columnsOf(data) }}
            />
          )}
        </Answer>
      </NoticedAbove.Provider>
    </div>
  );
}

/**
 * Removes the times before the first figure other than 0. So a chart of "All time" does not begin with a long line
 * at 0. An unknown figure counts as 0.
 */
function fromFirst({ rows, findCell }: Pivot, columns: readonly KeyValue[]): readonly KeyValue[] {
  const first = columns.findIndex((column) => rows.some((row) => Number(findCell(row, column) ?? 0) !== 0));
  return first < 0 ? columns : columns.slice(first);
}

type LinesProps = {
  pivot: Pivot;
  figure: Figure;
  time: TimeKey;
  rowKeys: readonly TableKey[];
  today: string;
  span: Span | undefined;
  currency: string | null;
};

type LineOf = { name: string; values: (number | null)[] };

function Lines({ pivot, figure, time, rowKeys, today, span, currency }: LinesProps) {
  const [pointed, setPointed] = useState<number>();
  const readClock = useNow();
  const { columns } = pivot;
  const lines = useMemo(() => linesIn(pivot, { time, rowKeys, span }), [pivot, time, rowKeys.join(), span?.from]);
  const points = lines.flatMap(({ values }) => values.map((value) => ({ value, previous: null })));
  const last = columns.length - 1;
  const scale = { ...scaleFor(points, LIKE[figure]), x: (index: number) => (last > 0 ? (index / last) * 100 : 50) };
  const unfinished = columns.map((column) => isUnfinished(time, column, { today, now: readClock() }));
  const index = pointed ?? last;
  const texts = lines.map(({ name, values }) => ({ name, text: writeFigure(figure, values[index], currency) }));
  const title = writeValue(time, columns[index] ?? '');
  const move = (next: number) => setPointed(Math.max(0, Math.min(last, next)));
  return (
    <figure class="over-time">
      {rowKeys.length > 0 && <Names lines={lines} />}
      <div class="plot">
        <div key={scale.counts.join()} class="plot-counts" aria-hidden="true">
          {scale.counts.toReversed().map((count) => (
            <span key={count}>{FIGURES[LIKE[figure]].short(count, currency ?? '')}</span>
          ))}
        </div>
        <div class="plot-body">
          <div
            class="plot-area over-time-area"
            role="slider"
            tabIndex={0}
            aria-label={t('{figure} by {name}', { figure: t(nameFigure(figure)), name: nameKey(time) })}
            aria-valuemin={0}
            aria-valuemax={Math.max(0, last)}
            aria-valuenow={Math.max(0, index)}
            aria-valuetext={`${title}: ${texts.map(({ name, text }) => `${name} ${text}`.trim()).join(', ')}`}
            onKeyDown={(event) => {
              const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
              if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
              event.preventDefault();
              move(index + step);
            }}
            onBlur={() => setPointed(undefined)}
            onPointerMove={({ currentTarget, clientX }) => {
              const { left, width } = currentTarget.getBoundingClientRect();
              move(Math.round(((clientX - left) / width) * last));
            }}
            onMouseLeave={() => setPointed(undefined)}
          >
            <Drawing {...{ lines, scale, unfinished, pointed }} />
          </div>
          {pointed !== undefined && (
            <div
              class={`chart-tooltip ${pointed > last / 2 ? 'is-on-right' : ''}`}
              style={{ left: `${scale.x(pointed)}%` }}
              aria-hidden="true"
            >
              <strong>{title}</strong>
              {texts.map(({ name, text }, i) => (
                <div key={name} class={`over-time-name is-${i}`}>
                  {name} <b>{text}</b>
                </div>
              ))}
            </div>
          )}
        </div>
        <Dates {...{ time, columns, scale }} />
      </div>
    </figure>
  );
}

const Names = ({ lines }: { lines: readonly LineOf[] }) => (
  <figcaption class="over-time-names">
    {lines.map(({ name }, i) => (
      <span key={name} class={`over-time-name is-${i}`}>
        {name}
      </span>
    ))}
  </figcaption>
);

type DrawingProps = {
  lines: readonly LineOf[];
  scale: Pick<Scale, 'x' | 'y' | 'counts'>;
  /** For each column, whether its time has not ended. */
  unfinished: readonly boolean[];
  pointed: number | undefined;
};

const Drawing = ({ lines, scale, unfinished, pointed }: DrawingProps) => (
  <svg class="plot-drawing" aria-hidden="true">
    {scale.counts.map((count) => (
      <line key={count} class="plot-grid" x2="100%" y1={`${scale.y(count)}%`} y2={`${scale.y(count)}%`} />
    ))}
    <svg class="plot-lines" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {lines.map((line, i) => (
        <LinePaths key={line.name} {...{ line, scale, unfinished }} class={`over-time-line is-${i}`} />
      ))}
    </svg>
    {pointed !== undefined && (
      <line class="plot-cursor" x1={`${scale.x(pointed)}%`} x2={`${scale.x(pointed)}%`} y2="100%" />
    )}
  </svg>
);

type DatesProps = { time: TimeKey; columns: readonly KeyValue[]; scale: Pick<Scale, 'x'> };

/** The dates or times below the chart, as three lists. The style sheet shows the list that fits the width. */
const Dates = ({ time, columns, scale }: DatesProps) => (
  <div class="plot-places" aria-hidden="true">
    {(['narrow', 'middle', 'wide'] as const).map((width) => (
      <div key={width} class={WIDTHS[width].class}>
        {placesOf(time, columns, WIDTHS[width].most).map(({ index, label }) => (
          <span key={index} class={scale.x(index) > 97 ? 'is-last' : ''} style={{ left: `${scale.x(index)}%` }}>
            {label}
          </span>
        ))}
      </div>
    ))}
  </div>
);

const WIDTHS = {
  narrow: { class: 'is-narrow', most: 5 },
  middle: { class: 'is-middle', most: 8 },
  wide: { class: 'is-wide', most: 14 },
};

type PathProps = Pick<DrawingProps, 'scale' | 'unfinished'> & { line: LineOf; class: string };

/** Draws a line: solid where its times have ended, and dashed elsewhere, such as for the present week. */
function LinePaths({ line, scale, unfinished, class: name }: PathProps) {
  const { whole, parts } = linesOf(
    line.values.map((value, i) => ({
      value,
      previous: null,
      isUnfinished: unfinished[i] === true,
      isPartial: false,
    })),
  );
  return (
    <>
      <path class={name} d={pathOf(whole, scale)} />
      <path class={`${name} is-part`} d={pathOf(parts, scale)} />
    </>
  );
}

type DatedKey = 'day' | 'week' | 'month';
const isDated = (key: TimeKey): key is DatedKey => key === 'day' || key === 'week' || key === 'month';
const daysOf = (key: DatedKey, column: KeyValue): Span => KINDS[key].daysOf(String(column));

/** Weekdays and hours of the day are never unfinished, because each stands for several days. */
const isUnfinished = (key: TimeKey, column: KeyValue, at: { today: string; now: number }): boolean =>
  (isDated(key) || key === 'hour') && stateOf(key, String(column), KINDS[key].daysOf(String(column)), at).isUnfinished;

type Shape = Pick<LinesProps, 'time' | 'rowKeys' | 'span'>;

function linesIn({ rows, columns, findCell, left_out: leftOut }: Pivot, { time, rowKeys, span }: Shape): LineOf[] {
  const isLeftOut = (column: KeyValue): boolean => {
    if (!isDated(time) || !span) return false;
    const { from, to } = daysOf(time, column);
    return leftOutOf({ from: later(from, span.from), to: earlier(to, span.to) }, leftOut) === 'all';
  };
  return rows.map((row) => ({
    name: row.map((value, i) => writeValue(rowKeys[i] as TableKey, value)).join(' · '),
    values: columns.map((column) => {
      const value = isLeftOut(column) ? null : findCell(row, column);
      return value === null || value === undefined ? null : Number(value);
    }),
  }));
}

/**
 * Lists the dates or times below the chart. For hours, days, weeks and months, `placesFor` chooses dates such as every
 * Monday. Of weekdays and hours of the day, every `step`-th is listed, so that there are at most `most`.
 */
function placesOf(time: TimeKey, columns: readonly KeyValue[], most: number): Place[] {
  if (isDated(time) || time === 'hour')
    return placesFor(
      columns.map((column) => ({ date: time === 'month' ? `${column}-01` : String(column), interval: time })),
      most,
    );
  const step = Math.ceil(columns.length / most);
  return columns.flatMap((column, index) => (index % step === 0 ? [{ index, label: writeShort(time, column) }] : []));
}
