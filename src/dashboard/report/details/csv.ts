import { type Cell, writeCsvCell } from '../../../lib/csv.ts';
import { DAY, formatDay } from '../../../lib/time.ts';
import { findZone } from '../../../lib/zone.ts';

/**
 * Matches a place in a text after which a spreadsheet may begin another cell with a formula. A spreadsheet may also
 * split cells at a tab, and in German, French or Spanish at a semicolon. If a stranger sends the text `/a;=1+1;b`, it
 * would become three cells, and the middle cell would be a formula.
 */
const FORMULA_INSIDE = /([;\t][\s"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

const guardCell = (value: Cell): Cell =>
  typeof value === 'string' ? value.replaceAll(FORMULA_INSIDE, (before) => `${before}'`) : value;

/**
 * Writes rows as CSV. At the start stands a byte order mark (`\ufeff`), which tells spreadsheets that the text is
 * UTF-8.
 */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map((cell) => writeCsvCell(guardCell(cell))).join(',')}\r\n`).join('')}`;

/** The start and the end of a report, as times such as 2026-03-01T00:00:00+01:00. */
export type Span = { from: string; to: string };

const HALF_DAY = DAY / 2;

/**
 * Returns the date of the first or last day of a report. `time` is the midnight at which this day begins or ends.
 * `toMiddle` is the number of seconds that moves this time to the noon of the day. So the date is right even if `time`
 * is a midnight of another time zone than `timeZone`.
 */
const dateOf = (time: string, toMiddle: number, timeZone: string): string =>
  formatDay(findZone(timeZone).localAt(Date.parse(time) / 1000 + toMiddle));

/**
 * Makes the name of a CSV file. The name has the first and the last date of the report, in the time zone of the site.
 */
export const fileName = (domain: string, panel: string, { from, to }: Span, timeZone: string): string =>
  `daybook-${domain}-${panel}-${dateOf(from, HALF_DAY, timeZone)}-${dateOf(to, -HALF_DAY, timeZone)}.csv`;
