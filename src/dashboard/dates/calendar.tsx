// In the calendar, a user picks a range with two clicks, on its first and its last day. The order does not matter. The
// calendar shows one month at a time. Arrow keys move the focus from day to day, and at the first and last day to
// another month.
//
// Days before 1970 and after today cannot be picked. After the first click, a day is not allowed if the range would be
// longer than two years.
//
// The range picker and the comparison picker load the calendar when the user opens it (any-days.tsx).

import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { DashboardMessage } from '../../lang/dashboard.ts';
import { day, weekday } from '../core/format.ts';
import { t } from '../core/texts.ts';
import { earlier, later, monthAfter, monthOf, sameDayAfter } from './days.ts';
import { mayChoose, type Span, spanBetween } from './range.ts';
import { dayForKey, firstWeekdayOf, weekOf, weeksOf } from './weeks.ts';

const OLDEST = '1970-01-01';
const FIRST_WEEKDAY = firstWeekdayOf(navigator.language);

type Props = { span: Span | undefined; today: string; onPick(span: Span): void };

export function Calendar({ span, today, onPick }: Props) {
  const { table, focused, focus, onKeyDown } = useFocusedDay(span?.to ?? today, today);
  const [start, setStart] = useState<string>();
  const isFree = (date: string) => date >= OLDEST && mayChoose(date, start, today);
  const pick = (date: string) => {
    if (!isFree(date)) return;
    focus(date);
    if (start === undefined) setStart(date);
    else onPick(spanBetween(start, date, today));
  };
  return (
    <div class="calendar">
      <MonthHeader month={monthOf(focused)} today={today} onTurn={(months) => focus(sameDayAfter(focused, months))} />
      <MonthTable
        table={table}
        month={monthOf(focused)}
        focused={focused}
        selected={start === undefined ? span : spanBetween(start, focused, today)}
        today={today}
        isFree={isFree}
        onKeyDown={onKeyDown}
        onPick={pick}
        onHover={(date) => start !== undefined && isFree(date) && focus(date)}
      />
      <p class="calendar-help" aria-live="polite">
        {start === undefined
          ? t('Choose the first day.')
          : t('From {day}. Now choose the last day.', { day: day(start) })}
      </p>
    </div>
  );
}

/**
 * Keeps track of the one day that the Tab key reaches. When the calendar opens, this day gets the focus. Keys such as
 * the arrow keys move the focus to another day. If the day changes in another way, such as by a click, the focus does
 * not move.
 */
function useFocusedDay(first: string, today: string) {
  const [focused, setFocused] = useState(earlier(first, today));
  const table = useRef<HTMLTableElement>(null);
  const isMovedByKey = useRef(true);
  // A layout effect moves the focus before the next key is pressed. With an ordinary effect, the focus could still be
  // on a day of a month that is no longer shown.
  useLayoutEffect(() => {
    if (isMovedByKey.current) table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isMovedByKey.current = false;
  });
  const focus = (date: string) => setFocused(later(OLDEST, earlier(date, today)));
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayForKey(event.key, focused, FIRST_WEEKDAY, event.shiftKey);
    if (next === undefined) return;
    event.preventDefault();
    isMovedByKey.current = true;
    focus(next);
  };
  return { table, focused, focus, onKeyDown };
}

type HeaderProps = { month: string; today: string; onTurn(months: number): void };

function MonthHeader({ month, today, onTurn }: HeaderProps) {
  const turn = (months: number, sign: string, label: DashboardMessage) => (
    <button
      type="button"
      class="icon calendar-turn"
      aria-label={t(label)}
      aria-disabled={months > 0 && monthAfter(month) > monthOf(today)}
      onClick={() => onTurn(months)}
    >
      {sign}
    </button>
  );
  return (
    <div class="calendar-header">
      {turn(-12, '«', 'Previous year')}
      {turn(-1, '‹', 'Previous month')}
      <h2 aria-live="polite">{day(month)}</h2>
      {turn(1, '›', 'Next month')}
      {turn(12, '»', 'Next year')}
    </div>
  );
}

type DayProps = {
  focused: string;
  selected: Span | undefined;
  today: string;
  isFree(date: string): boolean;
  onPick(date: string): void;
  onHover(date: string): void;
};

type TableProps = DayProps & {
  table: RefObject<HTMLTableElement | null>;
  month: string;
  onKeyDown(event: KeyboardEvent): void;
};

function MonthTable({ table, month, onKeyDown, ...days }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move through the days of this table
    <table ref={table} role="grid" aria-label={day(month)} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          {weekOf(FIRST_WEEKDAY).map((date) => (
            <th key={date} scope="col" abbr={weekday(date, 'long')}>
              {weekday(date, 'short')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month, FIRST_WEEKDAY).map((week, row) => (
          <tr key={row}>
            {week.map((date, column) =>
              date === undefined ? <td key={column} /> : <Day key={date} date={date} {...days} />,
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ date, focused, selected, today, isFree, onPick, onHover }: DayProps & { date: string }) {
  const isSelected = selected !== undefined && date >= selected.from && date <= selected.to;
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid can be selected, and this table is a grid
    <td
      aria-selected={isSelected}
      class={date === selected?.from ? 'is-first' : date === selected?.to ? 'is-last' : ''}
    >
      <button
        type="button"
        class="calendar-day"
        tabIndex={date === focused ? 0 : -1}
        aria-label={day(date)}
        aria-disabled={!isFree(date)}
        aria-current={date === today ? 'date' : undefined}
        onClick={() => onPick(date)}
        onPointerMove={() => onHover(date)}
      >
        {Number(date.slice(8))}
      </button>
    </td>
  );
}
