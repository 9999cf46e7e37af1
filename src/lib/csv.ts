export type Cell = string | number;

/** Spreadsheets would run such a text as a formula, and anybody can send one as an event. */
const FORMULA = /^[=+\-@\t\r]/;

/** A cell as RFC 4180 writes it, and as text where a spreadsheet would make a formula of it. */
export function csvCell(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
