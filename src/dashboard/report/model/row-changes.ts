// Finds how the visitors of each row changed since the comparison period: "google.com 437 ↑ 12.0%". An answer of the
// API has the rows of only one period. So the rows of the comparison period are requested too. Past days hardly change,
// so they are not requested again until the view changes.
//
// Today is not over, and half a day must not be compared with a whole day. So if a range ends today, the last day of
// the range and of the comparison period is left out. If the range is only today, rows have no change.
//
// Example: on 10 March, `7d` shows 4 to 10 March. For the change, 4 to 9 March are compared with 25 February to 2
// March.
//
// panels/breakdown.tsx calls `useRowChanges`, for panels and for details/details.tsx.

import type { Breakdown } from '../../../api/answers.ts';
import { computeChange } from '../../../lib/percent.ts';
import { isAnyLeftOut, isAnyUnknown } from '../../../stats/left-out.ts';
import { NO_WHY, searchOf } from '../../core/address.ts';
import { type Loaded, type Query, useData } from '../../core/api.ts';
import { number, spanText } from '../../core/format.ts';
import { statsPath, useScope } from '../../core/scope.ts';
import { t } from '../../core/texts.ts';
import type { View } from '../../core/view.ts';
import { comparedSpan, isRunning } from '../../dates/comparison.ts';
import { dayAfter } from '../../dates/days.ts';
import { customRange, type Span, spanOf } from '../../dates/range.ts';
import { useIsTimeForRest } from '../../ui/printing.ts';
import { type Trend, trendOf } from './trend.ts';

/**
 * The API returns at most this many rows of a breakdown. If an answer has exactly this many rows, there may be more.
 * Then a row that is missing from the answer may have visitors.
 */
const MOST_ROWS = 100;

/**
 * Finds how the visitors of the row with this value changed since the comparison period. `visitors` is how many
 * visitors the row has in the range. Returns undefined if the change is not known.
 */
export type RowChanges = (value: string, visitors: number) => Trend | undefined;

/**
 * The two periods to compare: `now` for the range, and `before` for the comparison period. If the range ends today,
 * both lack their last day, and the rows of both are requested. Otherwise `now` is undefined, because the table already
 * has the rows of the range.
 */
type Periods = { now: Span | undefined; before: Span };

export function periodsIn(view: View, today: string): Periods | undefined {
  const span = spanOf(view.range, today);
  const before = span && comparedSpan(view, span);
  if (!before) return undefined;
  if (!isRunning(span, today)) return { now: undefined, before };
  if (span.from === span.to || before.from === before.to) return undefined;
  return { now: withoutLast(span), before: withoutLast(before) };
}

/** Writes the two periods as parameters of a view or of a request. */
export const writePeriods = ({ now, before }: Partial<Periods> = {}): { range?: string; compare?: string } => ({
  ...(now && { range: customRange(now) }),
  ...(before && { compare: customRange(before) }),
});

const withoutLast = ({ from, to }: Span): Span => ({ from, to: dayAfter(to, -1) });

/**
 * Loads the rows of the periods to compare (`Periods`). Returns a function that finds the change of a row. `queryFor`
 * makes the parameters of a request for the rows of a range.
 */
export function useRowChanges(isWanted: boolean, report: string, queryFor: (range: string) => Query): RowChanges {
  const scope = useScope();
  // People read the rows first. So the changes are requested only after all visible parts of the page are loaded. The
  // dialog "Why?" changes no row, so the changes stay while it opens.
  const isTime = useIsTimeForRest(searchOf({ ...scope.view, ...NO_WHY }));
  const periods = isWanted && isTime ? periodsIn(scope.view, scope.today) : undefined;
  const path = statsPath(scope, report);
  const useRows = (span: Span | undefined) =>
    useData<Breakdown>(span && path, { ...queryFor(span ? customRange(span) : ''), limit: String(MOST_ROWS) }, 0);
  const before = useRows(periods?.before);
  const now = useRows(periods?.now);
  if (!periods || !isWhole(before) || (periods.now && !isWhole(now))) return () => undefined;
  const when = spanText(periods.before);
  return (value, visitors) => changeOf(periods.now ? countIn(now, value) : visitors, countIn(before, value), when);
}

/**
 * True if an answer has arrived, has rows, and lacks no days or figures. Without rows in the comparison period, every
 * row of the table would look new. So no change is shown then.
 */
const isWhole = ({ data, isStale }: Loaded<Breakdown>): boolean =>
  !isStale && !!data?.rows.length && !isAnyLeftOut(data.notice_codes) && !isAnyUnknown(data.notice_codes);

function countIn({ data }: Loaded<Breakdown>, value: string): number | undefined {
  const rows = data?.rows ?? [];
  return rows.find((row) => row.value === value)?.visitors ?? (rows.length < MOST_ROWS ? 0 : undefined);
}

export function changeOf(now: number | undefined, before: number | undefined, when: string): Trend | undefined {
  if (now === undefined || before === undefined) return undefined;
  if (before === 0) {
    return now === 0
      ? undefined
      : { sign: '', text: t('new'), kind: '', sentence: t('No visitors in the comparison period ({when}).', { when }) };
  }
  return trendOf({ change: computeChange(now, before) }, number(before), when);
}
