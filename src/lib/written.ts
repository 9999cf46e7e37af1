/** Makes the functions that write figures in a language. Without `language`, the browser's language is used. */
export function writtenIn(language?: string) {
  const points = lazy(language, ONE_DECIMAL);
  const signedPoints = lazy(language, { ...ONE_DECIMAL, ...SIGNED });
  const [hours, minutes, seconds] = (['hour', 'minute', 'second'] as const).map((unit) =>
    lazy(language, { style: 'unit', unit, unitDisplay: 'narrow' }),
  ) as [typeof points, typeof points, typeof points];
  const duration = (all: number): string => {
    if (all < 60) return seconds(all);
    return all < 3600
      ? `${minutes(Math.floor(all / 60))} ${seconds(all % 60)}`
      : `${hours(Math.floor(all / 3600))} ${minutes(Math.floor((all % 3600) / 60))}`;
  };
  return {
    number: lazy(language),
    signedNumber: lazy(language, SIGNED),
    /** Writes a number with at most one decimal: 2.5, but 2 and not 2.0. */
    decimal: lazy(language, { maximumFractionDigits: 1 }),
    percent: lazy(language, PERCENT),
    signedPercent: lazy(language, { ...PERCENT, ...SIGNED }),
    /**
     * Writes the change of a rate in percentage points: 2.1 pp. With a percent sign, readers would take it for a
     * relative change.
     */
    points: (value: number): string => `${points(value)} pp`,
    signedPoints: (value: number): string => `${signedPoints(value)} pp`,
    /** Writes a duration, given in seconds: 1m 27s. */
    duration,
    /** Writes a round duration with one unit: 2m, and not 2m 0s. */
    shortDuration(all: number): string {
      if (all > 0 && all % 3600 === 0) return hours(all / 3600);
      return all > 0 && all < 3600 && all % 60 === 0 ? minutes(all / 60) : duration(all);
    },
  };
}

/**
 * Makes a function that writes numbers. Making a number formatter takes 10 ms, so the formatter is made when it is
 * first used. Intl writes a hyphen before a negative number. A minus sign replaces the hyphen, because it is as wide as
 * a plus.
 */
function lazy(language: string | undefined, options?: Intl.NumberFormatOptions) {
  let format: Intl.NumberFormat | undefined;
  return (value: number): string => {
    format ??= new Intl.NumberFormat(language, options);
    return format.format(value).replace('-', '−');
  };
}

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const PERCENT = { style: 'unit', unit: 'percent', ...ONE_DECIMAL } as const;
const SIGNED = { signDisplay: 'exceptZero' } as const;
