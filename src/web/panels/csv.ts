import { type Cell, csvCell } from '../../lib/csv.ts';
import { DAY, formatDay } from '../../lib/time.ts';
import { findZone } from '../../lib/zone.ts';

/** The mark at the start tells spreadsheets that it is UTF-8. */
export const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`;

type Span = { from: string; to: string };

const HALF_DAY = DAY / 2;

/** The date of the middle of a day, which is its own also where it was counted in a zone some hours from this one. */
const dateOf = (time: string, toMiddle: number, timeZone: string): string =>
  formatDay(findZone(timeZone).localAt(Date.parse(time) / 1000 + toMiddle));

/** A name with the first and the last date, in the zone of the site. */
export const fileName =
  (domain: string, panel: string, { from, to }: Span) =>
  (timeZone: string): string =>
    `daybook-${domain}-${panel}-${dateOf(from, HALF_DAY, timeZone)}-${dateOf(to, -HALF_DAY, timeZone)}.csv`;
