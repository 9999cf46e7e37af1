// Finds how the figures of rows have changed since the comparison period. The rows of the comparison period are
// requested after the shown rows have arrived. If a key is a time, such as the week, rows have no change.
//
// Invariant: a change is shown only if both figures are known and belong to whole days. Today is not over. So if the
// range ends today, the last day of the range and of the comparison period is left out. The report does this too
// (report/model/row-changes.ts).
//
// Example: on 10 March, `7d` shows 4 to 10 March. The change compares 4 to 9 March with 25 February to 2 March.
//
// result-table.tsx calls `useChanges`.

import type { Table } from '../../api/answers.ts';
import { isAnyLeftOut, isAnyUnknown } from '../../stats/left-out.ts';
import { isTimeKey } from '../../stats/table-keys.ts';
import type { Loaded } from '../core/api.ts';
import { spanText } from '../core/format.ts';
import { useSiteScope } from '../core/scope.ts';
import { customRange, type Span } from '../dates/range.ts';
import { periodsIn } from '../report/model/row-changes.ts';
import type { Trend } from '../report/model/trend.ts';
import { compareFigure } from './figure-text.ts';
import type { Asked, Figure, Part } from './question.ts';
import { useTable } from './use-pivot.ts';

/**
 * How many rows of the comparison period are requested. If that period has more rows, the change of a row that is not
 * among them is unknown.
 */
const MOST_COMPARED = 1_000;

type Row = Table['rows'][number];
export type FindChange = (figure: Figure, row: Row) => Trend | undefined;

export function useChanges(asked: Asked, part: Part, rows: Loaded<Table>): FindChange {
  const { today } = useSiteScope();
  const isWanted = part.by.length > 0 && !part.by.some(isTimeKey) && !rows.isStale && rows.data !== undefined;
  const periods = isWanted ? periodsIn(asked.view, today) : undefined;
  const askIn = (span: Span | undefined): Part | undefined =>
    span && { ...part, range: customRange(span), limit: MOST_COMPARED };
  const before = useTable(asked, askIn(periods?.before));
  const now = useTable(asked, askIn(periods?.now));
  if (!periods || !isWhole(before) || (periods.now && !isWhole(now))) return () => undefined;
  const when = spanText(periods.before);
  const findBefore = findRows(before.data);
  const findNow = periods.now ? findRows(now.data) : (row: Row) => row.metrics;
  return (figure, row) => {
    const found = { now: findNow(row), before: findBefore(row) };
    if (!found.now || !found.before) return undefined;
    return compareFigure(figure, { ...found, when, currency: asked.currency });
  };
}

/** True if an answer has arrived, has rows, and counts all days. */
const isWhole = ({ data, isStale }: Loaded<Table>): boolean =>
  !isStale && !!data?.rows.length && !isAnyLeftOut(data.notice_codes) && !isAnyUnknown(data.notice_codes);

/** Makes a function that finds a row in an answer. A row that is missing from a complete answer had no visits. */
function findRows(data: Table | undefined): (row: Row) => Row['metrics'] | undefined {
  const known = new Map((data?.rows ?? []).map(({ by, metrics }) => [JSON.stringify(by), metrics]));
  const missing = data && data.rows.length >= data.total_rows ? {} : undefined;
  return ({ by }) => known.get(JSON.stringify(by)) ?? missing;
}
