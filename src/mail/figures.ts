import { HOUR } from '../lib/time.ts';
import type { Zone } from '../lib/zone.ts';
import type { Cell } from './letter.ts';

/** How figures are written in mails: always in English, because the reader's language is not known. */

/** A formatter takes 10 ms to make, so that each is made when it is first used and not at every start. */
const numbers = (options?: Intl.NumberFormatOptions) => {
  let format: Intl.NumberFormat | undefined;
  return (value: number): string => {
    format ??= new Intl.NumberFormat('en', options);
    return format.format(value);
  };
};

export const number = numbers();
export const decimal = numbers({ maximumFractionDigits: 1 });
const twoDigits = numbers({ maximumFractionDigits: 2 });
const signed = numbers({ maximumFractionDigits: 1, signDisplay: 'exceptZero' });
export const percent = (value: number): string => `${twoDigits(value)} %`;

export function duration(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes === 0) return `${rest} s`;
  return minutes < 60 ? `${minutes} m ${rest} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

/** A change in percent; `better` is 1 where more is better, and -1 where less is. */
export function change(value: number | null, better: 1 | -1): Cell {
  if (value === null) return { words: '–' };
  const words = `${signed(value)} %`;
  return value === 0 ? { words } : { words, tone: value * better > 0 ? 'good' : 'bad' };
}

const inUtc = (options: Intl.DateTimeFormatOptions) => {
  let format: Intl.DateTimeFormat | undefined;
  return (second: number): string => {
    format ??= new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
    return format.format(second * 1000);
  };
};

export const dayLong = inUtc({ day: 'numeric', month: 'long', year: 'numeric' });
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
