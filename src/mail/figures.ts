// Writes figures, days and times for mails, in one language.
//
// An unknown figure is a dash and never 0. Days and times follow the time zone of the site. A visitor may put any
// characters into a path. So `shown` makes one line of at most 40 characters from a path. voice.ts calls `figuresIn`
// once for each language.

import type { Language } from '../lang/languages.ts';
import { HOUR } from '../lib/time.ts';
import { writtenIn } from '../lib/written.ts';
import type { Zone } from '../lib/zone.ts';
import type { LetterCell } from './letter.ts';

/** English mails write days and lists as in Britain, such as "Mon 5 Jan" and "a, b and c". */
const LOCALES: Partial<Record<Language, string>> = { en: 'en-GB' };

export function figuresIn(language: Language) {
  const { number, decimal, percent, duration, signedPercent, signedPoints } = writtenIn(language);
  const dayShort = inUtc(language, { weekday: 'short', day: 'numeric', month: 'short' });
  const weekday = inUtc(language, { weekday: 'long' });
  const clockTime = inUtc(language, { hour: '2-digit', minute: '2-digit' });
  const lists = new Intl.ListFormat(LOCALES[language] ?? language);
  const dayIn = (zone: Zone, instant: number): string => dayShort(zone.localAt(instant));
  return {
    ...{ known, number, decimal, percent, duration, dayShort },
    /** The change of a count is written in percent. The change of a rate is written in percentage points. */
    change: (value: number | null, better: 1 | -1): LetterCell => makeCell(value, better, signedPercent),
    changeInPoints: (value: number | null, better: 1 | -1): LetterCell => makeCell(value, better, signedPoints),
    dayLong: inUtc(language, { day: 'numeric', month: 'long', year: 'numeric' }),
    list: (words: readonly string[]): string => lists.format(words),
    month: inUtc(language, { month: 'long', year: 'numeric' }),
    dayIn,
    weekdayIn: (zone: Zone, instant: number): string => weekday(zone.localAt(instant)),
    hourIn: (zone: Zone, instant: number): string =>
      `${clockTime(zone.localAt(instant))}–${clockTime(zone.localAt(instant) + HOUR)} ${zone.name}`,
    momentIn: (zone: Zone, instant: number): string =>
      `${dayIn(zone, instant)}, ${clockTime(zone.localAt(instant))} ${zone.name}`,
  };
}

/**
 * Makes text from visitors, such as a path, safe to show. A blank replaces characters that break lines or change the
 * direction of writing. Text longer than 40 characters, or than `longest`, is cut.
 */
export function shown(value: string, longest = LONGEST): string {
  const plain = value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const points = [...plain];
  return points.length > longest ? `${points.slice(0, longest - 1).join('')}…` : plain;
}

const inUtc = (language: Language, options: Intl.DateTimeFormatOptions) => {
  let format: Intl.DateTimeFormat | undefined;
  return (second: number): string => {
    format ??= new Intl.DateTimeFormat(LOCALES[language] ?? language, { timeZone: 'UTC', ...options });
    return format.format(second * 1000);
  };
};

/** An unknown figure is written as a dash. */
const known = (value: number | null, write: (value: number) => string): string => (value === null ? '–' : write(value));

/**
 * Makes a table cell for a change, such as "+12.0%". `better` is 1 if a larger value is good, such as visitors.
 * `better` is -1 if a smaller value is good, such as the bounce rate.
 */
const makeCell = (value: number | null, better: 1 | -1, write: (value: number) => string): LetterCell => ({
  words: known(value, write),
  ...(value ? { tone: value * better > 0 ? 'good' : 'bad' } : {}),
});

export type MailFigures = ReturnType<typeof figuresIn>;

const LONGEST = 40;
