export type Cell = string | number;

/**
 * A spreadsheet takes a text that begins with one of these characters for a formula. Some spreadsheets also take the
 * wide forms of these characters, which Japanese keyboards have. Anybody can send a formula as the name of an event.
 * Apostrophes in front are allowed, so that taking one away gives the text back in every case.
 */
const FORMULA = /^'*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/;

/**
 * Writes a cell as in RFC 4180. An apostrophe in front of a formula makes a spreadsheet show the text and not run it.
 */
export function writeCsvCell(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
