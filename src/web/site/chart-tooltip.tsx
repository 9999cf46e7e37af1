import { countText, lacksOf, pointTitle, previousTitle, valueText } from './point-text.ts';
import type { ChartFigure, Point } from './points.ts';

const MOST_NOTES = 3;

/** What a click leads to. */
const CLICKS: Record<Point['interval'], string> = {
  hour: 'Click for the notes of its day',
  day: 'Click for its notes',
  week: 'Click for its days',
  month: 'Click for its days',
};

type Props = { point: Point; figure: ChartFigure; left: number; isOnRight: boolean };

/** All about the point under the pointer. Screen readers hear it as the value of the slider. */
export function ChartTooltip({ point, figure, left, isOnRight }: Props) {
  const { previous, interval, notes, value } = point;
  return (
    <div
      class={isOnRight ? 'chart-tooltip is-on-right' : 'chart-tooltip'}
      // It ends within the chart, on whichever side of the point it is.
      style={{
        left: `${left}px`,
        maxInlineSize: `min(18rem, ${isOnRight ? `${left}px` : `100% - ${left}px`} - 1rem)`,
      }}
      aria-hidden="true"
    >
      <p class="strong">{pointTitle(point)}</p>
      <p class="chart-tooltip-row">{countText(point, figure)}</p>
      {lacksOf(point).map((lack) => (
        <p key={lack} class="chart-tooltip-row soft">
          {lack}
        </p>
      ))}
      {previous && (
        <p class="chart-tooltip-row is-previous">
          {valueText(previous.value)} <span class="soft">{previousTitle(point)}</span>
        </p>
      )}
      {notes.slice(0, MOST_NOTES).map(({ id, text }) => (
        <p key={id} class="chart-tooltip-row is-note">
          {text}
        </p>
      ))}
      {notes.length > MOST_NOTES && <p class="soft">and {notes.length - MOST_NOTES} more</p>}
      {value !== null && <p class="soft">{CLICKS[interval]}</p>}
    </div>
  );
}
