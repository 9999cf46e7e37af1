export type Cell = string | number;

/**
 * A spreadsheet takes a text that begins with one of these characters for a formula. Anybody can send a formula as the
 * name of an event.
 */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Writes a cell as in RFC 4180. An apostrophe in front of a formula makes a spreadsheet show the text and not run it.
 */
export function writeCsvCell(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
