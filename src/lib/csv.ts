export type Cell = string | number;

/**
 * A spreadsheet takes a text that begins with one of these characters for a formula. Anybody can send such a text as
 * the name of an event.
 */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Writes a cell as in RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe in front, so that
 * the formula does not run.
 */
export function writeCsvCell(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
