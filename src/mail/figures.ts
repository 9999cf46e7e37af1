import { HOUR } from '../lib/time.ts';
import { writtenIn } from '../lib/written.ts';
import type { Zone } from '../lib/zone.ts';
import type { Cell } from './letter.ts';

/** How figures are written in mails: always in English, because the reader's language is not known. */

const written = writtenIn('en');
export const { number, decimal, percent, duration } = written;

/** `better` is 1 where more is better, and -1 where less is. */
const cellOf = (value: number | null, better: 1 | -1, write: (value: number) => string): Cell => ({
  words: value === null ? '–' : write(value),
  ...(value ? { tone: value * better > 0 ? 'good' : 'bad' } : {}),
});

/** A change in percent, and that of a rate in percentage points. */
export const change = (value: number | null, better: 1 | -1): Cell => cellOf(value, better, written.signedPercent);
export const changeInPoints = (value: number | null, better: 1 | -1): Cell =>
  cellOf(value, better, written.signedPoints);

const inUtc = (options: Intl.DateTimeFormatOptions) => {
  let format: Intl.DateTimeFormat | undefined;
  return (second: number): string => {
    format ??= new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
    return format.format(second * 1000);
  };
};

export const dayLong = inUtc({ day: 'numeric', month: 'long', year: 'numeric' });
export const month = inUtc({ month: 'long', year: 'numeric' });
export const dayShort = inUtc({ weekday: 'short', day: 'numeric', month: 'short' });
const weekday = inUtc({ weekday: 'long' });
const clockTime = inUtc({ hour: '2-digit', minute: '2-digit' });

/** Days and times as the clocks of a zone show them. */
export const dayIn = (zone: Zone, instant: number): string => dayShort(zone.localAt(instant));
export const weekdayIn = (zone: Zone, instant: number): string => weekday(zone.localAt(instant));
export const hourIn = (zone: Zone, instant: number): string =>
  `${clockTime(zone.localAt(instant))}–${clockTime(zone.localAt(instant) + HOUR)} ${zone.name}`;
export const momentIn = (zone: Zone, instant: number): string =>
  `${dayIn(zone, instant)}, ${clockTime(zone.localAt(instant))} ${zone.name}`;

const LONGEST = 40;

/**
 * Text that visitors sent, such as a path or a name. It may hold anything, so that characters that break lines or change the
 * direction of writing are left out, and long text is cut.
 */
export function shown(value: string): string {
  const plain = value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const points = [...plain];
  return points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join('')}…` : plain;
}
