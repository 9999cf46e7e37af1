import { type Cell, writeCsvCell } from '../../../lib/csv.ts';
import { DAY, formatDay } from '../../../lib/time.ts';
import { findZone } from '../../../lib/zone.ts';

/** Writes rows as CSV. The byte order mark at the start tells spreadsheets that the text is UTF-8. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(writeCsvCell).join(',')}\r\n`).join('')}`;

type Span = { from: string; to: string };

const HALF_DAY = DAY / 2;

/**
 * Returns the date of the first or last day of a span. `time` is the start or the end of the span, at midnight.
 * `toMiddle` moves it to noon. So the date is right even if the time zone differs by some hours.
 */
const dateOf = (time: string, toMiddle: number, timeZone: string): string =>
  formatDay(findZone(timeZone).localAt(Date.parse(time) / 1000 + toMiddle));

/** Makes the name of the CSV file. The name has the first and the last date of the report, in the time zone of the site. */
export const fileName =
  (domain: string, panel: string, { from, to }: Span) =>
  (timeZone: string): string =>
    `daybook-${domain}-${panel}-${dateOf(from, HALF_DAY, timeZone)}-${dateOf(to, -HALF_DAY, timeZone)}.csv`;
