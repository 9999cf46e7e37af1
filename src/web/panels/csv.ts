import { type Cell, csvCell } from '../../lib/csv.ts';
import { DAY_MS, dayOf } from '../../lib/time.ts';

/** The mark at the start tells spreadsheets that it is UTF-8. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`;

type Span = { from: string; to: string };

const HALF_DAY_MS = DAY_MS / 2;

/** The UTC date of the middle of a day is its date in nearly every zone. */
const dateAfter = (time: string, after: number): string => dayOf((Date.parse(time) + after) / 1000);

export const fileName = (domain: string, panel: string, { from, to }: Span): string =>
  `daybook-${domain}-${panel}-${dateAfter(from, HALF_DAY_MS)}-${dateAfter(to, -HALF_DAY_MS)}.csv`;
