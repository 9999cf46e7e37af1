import type { Language } from '../lang/languages.ts';
import { HOUR } from '../lib/time.ts';
import { writtenIn } from '../lib/written.ts';
import type { Zone } from '../lib/zone.ts';
import type { Cell } from './letter.ts';

/** Days are written as in Britain, where the day comes before the month. */
const DATES: Partial<Record<Language, string>> = { en: 'en-GB' };

const inUtc = (language: Language, options: Intl.DateTimeFormatOptions) => {
  let format: Intl.DateTimeFormat | undefined;
  return (second: number): string => {
    format ??= new Intl.DateTimeFormat(DATES[language] ?? language, { timeZone: 'UTC', ...options });
    return format.format(second * 1000);
  };
};

/** A figure, or a dash where it is not known. */
const known = (value: number | null, write: (value: number) => string): string => (value === null ? '–' : write(value));

/** `better` is 1 where more is better, and -1 where less is. */
const cellOf = (value: number | null, better: 1 | -1, write: (value: number) => string): Cell => ({
  words: known(value, write),
  ...(value ? { tone: value * better > 0 ? 'good' : 'bad' } : {}),
});

export type Figures = ReturnType<typeof figuresIn>;

/** How figures, days and times are written in the mails of a language. */
export function figuresIn(language: Language) {
  const { number, decimal, percent, duration, signedPercent, signedPoints } = writtenIn(language);
  const dayShort = inUtc(language, { weekday: 'short', day: 'numeric', month: 'short' });
  const weekday = inUtc(language, { weekday: 'long' });
  const clockTime = inUtc(language, { hour: '2-digit', minute: '2-digit' });
  const dayIn = (zone: Zone, instant: number): string => dayShort(zone.localAt(instant));
  return {
    ...{ known, number, decimal, percent, duration, dayShort },
    /** A change in percent, and that of a rate in percentage points. */
    change: (value: number | null, better: 1 | -1): Cell => cellOf(value, better, signedPercent),
    changeInPoints: (value: number | null, better: 1 | -1): Cell => cellOf(value, better, signedPoints),
    dayLong: inUtc(language, { day: 'numeric', month: 'long', year: 'numeric' }),
    month: inUtc(language, { month: 'long', year: 'numeric' }),
    /** Days and times as the clocks of a zone show them. */
    dayIn,
    weekdayIn: (zone: Zone, instant: number): string => weekday(zone.localAt(instant)),
    hourIn: (zone: Zone, instant: number): string =>
      `${clockTime(zone.localAt(instant))}–${clockTime(zone.localAt(instant) + HOUR)} ${zone.name}`,
    momentIn: (zone: Zone, instant: number): string =>
      `${dayIn(zone, instant)}, ${clockTime(zone.localAt(instant))} ${zone.name}`,
  };
}

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
