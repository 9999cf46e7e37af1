// Writes numbers and dates in the language of the page. If the browser has this language too, the browser's region
// decides: en-GB writes 3 Mar, en-US writes Mar 3. A formatter is made when it is first used, because `setLanguage` is
// called only after this module is loaded.
//
// Example: `compact(12345)` is "12.3K", `compact(1234)` is "1,234", and `percent(62.5)` is "62.5%".

import { cached } from '../../lib/cache.ts';
import { writtenIn } from '../../lib/written.ts';
import { language, t } from './texts.ts';

/**
 * Returns the locale for dates and numbers. If the browser has the language of the page, the result is undefined.
 * Formatters then use the browser's locale with its region: en-GB writes 3 Mar.
 */
const locale = (): string | undefined => (navigator.language.split('-')[0] === language() ? undefined : language());

/**
 * Returns a function that makes one formatter for each language, at the first call with this language. The formatter is
 * not made when this module is loaded, because the language is not known then.
 */
function once<Made>(make: () => Made): () => Made {
  const made = new Map<string, Made>();
  return () => {
    const known = made.get(language()) ?? make();
    made.set(language(), known);
    return known;
  };
}

const compacted = once(() => new Intl.NumberFormat(locale(), { notation: 'compact', maximumFractionDigits: 1 }));

const twoDecimals = once(() => new Intl.NumberFormat(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }));

const written = once(() => writtenIn(locale()));
export const number = (value: number): string => written().number(value);
export const signedNumber = (value: number): string => written().signedNumber(value);
export const percent = (value: number): string => written().percent(value);
export const points = (value: number): string => written().points(value);
export const duration = (seconds: number): string => written().duration(seconds);
export const shortDuration = (seconds: number): string => written().shortDuration(seconds);
export const size = (bytes: number): string =>
  bytes < 1e9 ? `${written().decimal(bytes / 1e6)} MB` : `${written().decimal(bytes / 1e9)} GB`;
/** Always writes two decimals. So small numbers in a column are easy to compare, such as `0.08` and `0.10`. */
export const hundredths = (value: number): string => twoDecimals().format(value);
export const short = (value: number): string => compacted().format(value);
/**
 * Shortens numbers from 10,000 on, such as 12.3K. Use this only where a tooltip or a table also has the exact number.
 */
export const compact = (value: number): string => (value < 10_000 ? number(value) : short(value));
/**
 * Shortens numbers from 10,000,000 on, such as 123.5M. Use this only for figures in large type whose tooltip has the
 * exact number.
 */
export const large = (value: number): string => (value < 10_000_000 ? number(value) : short(value));
/** Writes a figure, or a dash if the figure is unknown (null). */
export const known = (value: number | null, write: (value: number) => string): string =>
  value === null ? '–' : write(value);

/**
 * Writes an amount of money, such as `19.99` of EUR, or a dash if the amount is unknown (null). The amount is a decimal
 * text and not a number, so it stays exact.
 */
export const money = (amount: string | null, currency: string): string =>
  amount === null ? '–' : moneyFormats()(currency).format(amount as `${number}`);

/**
 * Writes an amount without cents from 1,000 on, and shortens it from 1,000,000 on, such as €1.2M. Use this only where
 * the exact amount is in the tooltip.
 */
export const largeMoney = (value: number, currency: string): string =>
  value < 1_000
    ? money(String(value), currency)
    : value < 1_000_000
      ? wholeFormats()(currency).format(value)
      : shortMoney(value, currency);
/**
 * Shortens an amount: 12,345 euros become €12.3K. Amounts below 1 have two digits, such as €0.05. Use this only in
 * `largeMoney` and on the axis of a chart.
 */
export const shortMoney = (value: number, currency: string): string =>
  (value < 1 ? smallFormats : compactFormats)()(currency).format(value);

const moneyFormat = (options: Intl.NumberFormatOptions = {}) =>
  once(() =>
    cached((currency: string) => new Intl.NumberFormat(locale(), { style: 'currency', currency, ...options })),
  );
const moneyFormats = moneyFormat();
const wholeFormats = moneyFormat({ minimumFractionDigits: 0, maximumFractionDigits: 0 });
const smallFormats = moneyFormat({ maximumSignificantDigits: 2 });
const compactFormats = moneyFormat({ notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 });

export const change = (value: number | null): string => (value === null ? '–' : written().signedPercent(value));

const dateFormat = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(locale(), options));
const dayFormat = (options: Intl.DateTimeFormatOptions) => dateFormat({ timeZone: 'UTC', ...options });
const longDay = dayFormat({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const shortDay = dayFormat({ day: 'numeric', month: 'short' });
const longMonth = dayFormat({ month: 'long', year: 'numeric' });
const shortMonth = dayFormat({ month: 'short', year: 'numeric' });
const onlyMonth = dayFormat({ month: 'short' });
/** Makes a formatter of hours, which writes "2 PM" or "14:00", depending on the locale. */
const hourFormat = (options: Intl.DateTimeFormatOptions) =>
  once(() => {
    const { hour12 } = new Intl.DateTimeFormat(locale(), { hour: 'numeric' }).resolvedOptions();
    const time = hour12 ? { hour: 'numeric' } : { hour: '2-digit', minute: '2-digit' };
    return new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', ...options, ...(time as Intl.DateTimeFormatOptions) });
  });
const longHour = hourFormat({ weekday: 'short', day: 'numeric', month: 'short' });
const shortHour = hourFormat({});
const shortSpan = dayFormat({ day: 'numeric', month: 'short', year: 'numeric' });
const timeFormat = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

const ownTime = dateFormat({ timeStyle: 'short' });

const dateOf = (day: string): Date => new Date(day.length === 7 ? `${day}-01` : day.slice(0, 10));

/** Writes a day such as 2026-03-10, or a month such as 2026-03. A time of day in the text is left out. */
export const day = (text: string): string => (text.length === 7 ? longMonth : longDay)().format(dateOf(text));
export const dayShort = (text: string): string => (text.length === 7 ? shortMonth : shortDay)().format(dateOf(text));
/** Writes the month of a day. January is written with its year. */
export const monthShort = (text: string): string =>
  (text.slice(5, 7) === '01' ? shortMonth : onlyMonth)().format(dateOf(text));

/**
 * Leaves out the time zone of an hour such as 2026-03-10T14:00:00+01:00, and reads the rest as a time in UTC.
 * Formatters with the time zone UTC then write 14:00, the time of day at the site.
 */
const clockOf = (hour: string): Date => new Date(`${hour.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`);
export const hour = (text: string): string => longHour().format(clockOf(text));
/** Writes the time of day of an hour such as 2026-03-10T14:00:00+01:00. For midnight, writes the day instead. */
export const hourShort = (text: string): string =>
  text.includes('T00:00') ? dayShort(text) : shortHour().format(clockOf(text));
/** Writes an hour from 0 to 23. */
export const hourOfDay = (hour: number): string => shortHour().format(Date.UTC(1970, 0, 1, hour));
export const weekday = (text: string, weekday: 'short' | 'long'): string =>
  dayFormat({ weekday })().format(dateOf(text));
/**
 * Writes the first and the last day, such as "3 – 9 Mar 2026". If the two days are in one month or year, this month or
 * year is written once.
 */
export const spanText = ({ from, to }: { from: string; to: string }): string =>
  shortSpan().formatRange(dateOf(from), dateOf(to));
/** `at` is in milliseconds since 1970. The time is written in the time zone of the browser. */
export const timeOfDay = (at: number): string => ownTime().format(at);
export const time = (text: string): string => timeFormat().format(new Date(text));

const nameCodes = (type: 'region' | 'language' | 'currency') => {
  const names = once(() => new Intl.DisplayNames(locale(), { type }));
  return (code: string): string => {
    if (code === '') return t('Unknown');
    try {
      return names().of(code) ?? code;
    } catch {
      return code;
    }
  };
};

const nameRegion = nameCodes('region');
export const country = (code: string): string => nameRegion(code.toUpperCase());
/** Writes a language such as `de` in the language of the page: "German". */
export const languageName = nameCodes('language');
/** Writes a currency such as `EUR` in the language of the page: "Euro". */
export const currencyName = nameCodes('currency');
