// The tooltip of the chart. It shows everything about the point under the pointer.
//
// Invariant: the tooltip stays within the chart. Screen readers skip it, because plot.tsx gives them the same text.
//
// Example: for 23 November, the tooltip shows the date, 40 visitors and the 35 visitors of the compared day. It also
// shows up to three notes. plot.tsx shows the tooltip.

import type { DashboardMessage } from '../../../lang/dashboard.ts';
import { useScope } from '../../core/scope.ts';
import { plural, t } from '../../core/texts.ts';
import type { FigureName } from '../model/figures.ts';
import { countText, lacksOf, pointTitle, previousTitle, valueText } from '../model/point-text.ts';
import type { Point } from '../model/points.ts';

const MOST_NOTES = 3;

type Props = { point: Point; figure: FigureName; left: number; isOnRight: boolean };

export function ChartTooltip({ point, figure, left, isOnRight }: Props) {
  const { mayChange, currency } = useScope();
  const { previous, notes, value } = point;
  const click = clickText(point, mayChange);
  return (
    <div
      class={isOnRight ? 'chart-tooltip is-on-right' : 'chart-tooltip'}
      // Keeps the tooltip next to the point, and within the chart.
      style={{
        left: `${left}%`,
        maxInlineSize: `min(18rem, ${isOnRight ? `${left}% + 1.25rem` : `${100 - left}% + 0.25rem`})`,
      }}
      aria-hidden="true"
    >
      <p class="strong">{pointTitle(point)}</p>
      <p class="chart-tooltip-row">{countText(point, figure, currency ?? '')}</p>
      {lacksOf(point).map((lack) => (
        <p key={lack} class="chart-tooltip-row soft">
          {lack}
        </p>
      ))}
      {previous && (
        <p class="chart-tooltip-row is-previous">
          {valueText(previous.value, figure, currency ?? '')} <span class="soft">{previousTitle(point)}</span>
        </p>
      )}
      {notes.slice(0, MOST_NOTES).map(({ id, text }) => (
        <p key={id} class="chart-tooltip-row is-note">
          {text}
        </p>
      ))}
      {notes.length > MOST_NOTES && (
        <p class="soft">{plural(notes.length - MOST_NOTES, 'and {count} more', 'and {count} more')}</p>
      )}
      {value !== null && click !== undefined && <p class="soft">{t(click)}</p>}
    </div>
  );
}

/**
 * Says what a click on a point does. Returns undefined for an hour or a day without notes, if the user may not write
 * notes.
 */
function clickText({ interval, notes }: Point, mayChange: boolean): DashboardMessage | undefined {
  if (interval === 'week' || interval === 'month') return 'Click to show single days';
  if (notes.length > 0) return 'Click to show the notes';
  return mayChange ? 'Click to add a note' : undefined;
}
