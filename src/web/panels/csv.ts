export type Cell = string | number;

/** Spreadsheets would run a text that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(cell: Cell): string {
  const text = typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** CSV as RFC 4180 has it; the byte order mark tells spreadsheets that it is UTF-8. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`;

type Span = { from: string; to: string };

export const fileName = (domain: string, panel: string, { from, to }: Span): string =>
  `daybook-${domain}-${panel}-${from.slice(0, 10)}-${to.slice(0, 10)}.csv`;
