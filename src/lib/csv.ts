export type Cell = string | number;

/**
 * Matches a text that a spreadsheet would run as a formula, because of its first character. Japanese keyboards have
 * wide forms of `=`, `+`, `-` and `@`. Some spreadsheets run texts that begin with these forms too. Anybody can send a
 * formula as the name of an event. `writeCsvCell` puts an apostrophe in front of each text that matches. A formula with
 * apostrophes in front matches too, and gets one more apostrophe. So receipts/read-export.ts gets the original text
 * back: it removes one apostrophe in front of each text that matches.
 */
const FORMULA = /^'*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/;

/**
 * Writes a cell as in RFC 4180. An apostrophe in front of a formula makes a spreadsheet show the text instead of
 * running the formula.
 */
export function writeCsvCell(value: Cell): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
