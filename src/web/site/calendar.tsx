import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { day } from '../format.ts';
import { earlier, later, monthAfter, monthOf, sameDayAfter } from './days.ts';
import { isAllowed, type Span, spanBetween } from './range.ts';
import { dayForKey, firstWeekdayOf, weekOf, weeksOf } from './weeks.ts';
import { weekdayText } from './words.ts';

const OLDEST = '1970-01-01';
const FIRST = firstWeekdayOf(navigator.language);

type Props = { span: Span | undefined; today: string; onPick(span: Span): void };

/** Two taps make a range: its first day and its last, in any order. */
export function Calendar({ span, today, onPick }: Props) {
  const [start, setStart] = useState<string>();
  const [at, setAt] = useState(earlier(span?.to ?? today, today));
  const table = useRef<HTMLTableElement>(null);
  const isMoved = useRef(true);
  // At once, or keys that follow quickly go to a day that is no longer there.
  useLayoutEffect(() => {
    if (isMoved.current) table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isMoved.current = false;
  });

  const shown = start === undefined ? span : spanBetween(start, at, today);
  const month = monthOf(at);
  const isFree = (date: string) => date >= OLDEST && isAllowed(spanBetween(start ?? date, date, date), today);
  const moveTo = (date: string) => setAt(later(OLDEST, earlier(date, today)));
  const pick = (date: string) => {
    if (!isFree(date)) return;
    setAt(date);
    if (start === undefined) setStart(date);
    else onPick(spanBetween(start, date, today));
  };
  const press = (event: KeyboardEvent) => {
    const next = dayForKey(event.key, at, FIRST, event.shiftKey);
    if (next === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    moveTo(next);
  };
  const turn = (months: number, sign: string, name: string) => (
    <button
      type="button"
      class="icon"
      aria-label={name}
      aria-disabled={months > 0 && monthAfter(month) > monthOf(today)}
      onClick={() => moveTo(sameDayAfter(at, months))}
    >
      {sign}
    </button>
  );

  return (
    <div class="calendar">
      <div class="calendar-month">
        {turn(-12, '«', 'A year back')}
        {turn(-1, '‹', 'A month back')}
        <h2 aria-live="polite">{day(month)}</h2>
        {turn(1, '›', 'A month on')}
        {turn(12, '»', 'A year on')}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move through its days */}
      <table ref={table} role="grid" aria-label={day(month)} onKeyDown={press}>
        <thead>
          <tr>
            {weekOf(FIRST).map((date) => (
              <th key={date} scope="col" abbr={weekdayText(date, 'long')}>
                {weekdayText(date, 'short')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, FIRST).map((week, row) => (
            <tr key={row}>
              {week.map((date, column) =>
                date === undefined ? (
                  <td key={column} />
                ) : (
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid can be selected
                  <td
                    key={date}
                    aria-selected={shown !== undefined && date >= shown.from && date <= shown.to}
                    class={date === shown?.from ? 'first' : date === shown?.to ? 'last' : ''}
                  >
                    <button
                      type="button"
                      class="calendar-day"
                      tabIndex={date === at ? 0 : -1}
                      aria-label={day(date)}
                      aria-disabled={!isFree(date)}
                      aria-current={date === today ? 'date' : undefined}
                      onClick={() => pick(date)}
                      onPointerMove={() => start !== undefined && isFree(date) && setAt(date)}
                    >
                      {Number(date.slice(8))}
                    </button>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="help" aria-live="polite">
        {start === undefined ? 'Choose the first day.' : `From ${day(start)}. Now choose the last day.`}
      </p>
    </div>
  );
}
