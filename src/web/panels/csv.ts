import { type Cell, csvCell } from '../../lib/csv.ts';

/** The mark at the start tells spreadsheets that it is UTF-8. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`;

type Span = { from: string; to: string };

export const fileName = (domain: string, panel: string, { from, to }: Span): string =>
  `daybook-${domain}-${panel}-${from.slice(0, 10)}-${to.slice(0, 10)}.csv`;
