import { writtenIn } from '../lib/written.ts';
import { language, t } from './texts.ts';

/** Numbers and dates as texts, in the language of the page: as the browser writes them where it speaks that language. */
const locale = (): string | undefined => (navigator.language.split('-')[0] === language() ? undefined : language());

/** Made when it is first used in a language, which is set only after the modules are loaded. */
function once<Made>(make: () => Made): () => Made {
  const made = new Map<string, Made>();
  return () => {
    const known = made.get(language()) ?? make();
    made.set(language(), known);
    return known;
  };
}

const compacted = once(() => new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 }));

const written = once(() => writtenIn(locale()));
export const number = (value: number): string => written().number(value);
export const percent = (value: number): string => written().percent(value);
export const points = (value: number): string => written().points(value);
export const duration = (seconds: number): string => written().duration(seconds);
/** 12.3 MB, 75.5 GB. */
export const size = (bytes: number): string =>
  bytes < 1e9 ? `${written().decimal(bytes / 1e6)} MB` : `${written().decimal(bytes / 1e9)} GB`;
/** 1.2K, for axes. */
export const short = (value: number): string => compacted().format(value);
/** 12.3K, but 1,234; only where the exact number stands in the title or in a table. */
export const compact = (value: number): string => (value < 10_000 ? number(value) : short(value));
/** 123.5M, but 9,876,543: a figure in large type, whose exact number stands in the title. */
export const large = (value: number): string => (value < 10_000_000 ? number(value) : short(value));
/** A figure, or a dash where it is not known. */
export const known = (value: number | null, write: (value: number) => string): string =>
  value === null ? '–' : write(value);

export const change = (value: number | null): string => (value === null ? '–' : written().signedPercent(value));

const dateFormat = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(locale(), options));
const dayFormat = (options: Intl.DateTimeFormatOptions) => dateFormat({ timeZone: 'UTC', ...options });
const longDay = dayFormat({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const shortDay = dayFormat({ day: 'numeric', month: 'short' });
const longMonth = dayFormat({ month: 'long', year: 'numeric' });
const shortMonth = dayFormat({ month: 'short', year: 'numeric' });
const longHour = dayFormat({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const shortHour = dayFormat({ hour: '2-digit', minute: '2-digit' });
const shortSpan = dayFormat({ day: 'numeric', month: 'short', year: 'numeric' });
const timeFormat = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

const ownTime = dateFormat({ timeStyle: 'short' });

const dateOf = (day: string): Date => new Date(day.length === 7 ? `${day}-01` : day.slice(0, 10));

/** Takes a day such as 2026-03-10, a month such as 2026-03, or a time, of which it shows the day. */
export const day = (text: string): string => (text.length === 7 ? longMonth : longDay)().format(dateOf(text));
export const dayShort = (text: string): string => (text.length === 7 ? shortMonth : shortDay)().format(dateOf(text));

/** What clocks show in an hour such as 2026-03-10T14:00:00+01:00. */
const clockOf = (hour: string): Date => new Date(`${hour.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`);
export const hour = (text: string): string => longHour().format(clockOf(text));
/** The time, and of midnight the day that begins. */
export const hourShort = (text: string): string =>
  text.includes('T00:00') ? dayShort(text) : shortHour().format(clockOf(text));
export const weekday = (text: string, weekday: 'short' | 'long'): string =>
  dayFormat({ weekday })().format(dateOf(text));
/** From one day to another, without repeating what they have in common. */
export const spanText = ({ from, to }: { from: string; to: string }): string =>
  shortSpan().formatRange(dateOf(from), dateOf(to));
/** The time of day of a moment in milliseconds, where whoever reads it is. */
export const timeOfDay = (at: number): string => ownTime().format(at);
export const time = (text: string): string => timeFormat().format(new Date(text));

const regions = once(() => new Intl.DisplayNames(locale(), { type: 'region' }));

export function country(code: string): string {
  if (code === '') return t('Unknown');
  try {
    return regions().of(code) ?? code;
  } catch {
    return code;
  }
}
