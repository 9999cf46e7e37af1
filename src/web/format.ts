/** How figures are written, for the language of whoever reads. */

const whole = new Intl.NumberFormat();
const short = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

export const number = (value: number): string => whole.format(value);
/** 12.3K; where the exact number stands in the title or in a table. */
export const compact = (value: number): string => (value < 10_000 ? whole.format(value) : short.format(value));
export const percent = (value: number): string => `${oneDigit.format(value)} %`;
export const change = (value: number | null): string => (value === null ? '–' : `${signed.format(value)} %`);

export function duration(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes === 0) return `${rest} s`;
  return minutes < 60 ? `${minutes} m ${rest} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', ...options });
const longDay = inUtc({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const shortDay = inUtc({ day: 'numeric', month: 'short' });
const longMonth = inUtc({ month: 'long', year: 'numeric' });
const shortMonth = inUtc({ month: 'short', year: 'numeric' });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const dateOf = (day: string): Date => new Date(day.length === 7 ? `${day}-01` : day.slice(0, 10));

/** Of a day such as 2026-03-10, a month such as 2026-03, or the day of a time. */
export const day = (text: string): string => (text.length === 7 ? longMonth : longDay).format(dateOf(text));
export const dayShort = (text: string): string => (text.length === 7 ? shortMonth : shortDay).format(dateOf(text));
export const time = (text: string): string => moment.format(new Date(text));

const regions = new Intl.DisplayNames(undefined, { type: 'region' });

export function country(code: string): string {
  if (code === '') return 'Unknown';
  try {
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
}
