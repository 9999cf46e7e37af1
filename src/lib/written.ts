/** A formatter takes 10 ms to make, so that each is made when it is first used and not at every start. */
function lazy(language: string | undefined, options?: Intl.NumberFormatOptions) {
  let format: Intl.NumberFormat | undefined;
  return (value: number): string => {
    format ??= new Intl.NumberFormat(language, options);
    return format.format(value);
  };
}

const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
const PERCENT = { style: 'unit', unit: 'percent', ...ONE_DECIMAL } as const;
const SIGNED = { signDisplay: 'exceptZero' } as const;

/** Figures as people write them in a language; without one in that of the browser. */
export function writtenIn(language?: string) {
  const points = lazy(language, ONE_DECIMAL);
  const signedPoints = lazy(language, { ...ONE_DECIMAL, ...SIGNED });
  const [hours, minutes, seconds] = (['hour', 'minute', 'second'] as const).map((unit) =>
    lazy(language, { style: 'unit', unit, unitDisplay: 'narrow' }),
  ) as [typeof points, typeof points, typeof points];
  return {
    number: lazy(language),
    /** 2.5, but 2. */
    decimal: lazy(language, { maximumFractionDigits: 1 }),
    /** 9.6%: a rate, or a change in percent. */
    percent: lazy(language, PERCENT),
    signedPercent: lazy(language, { ...PERCENT, ...SIGNED }),
    /** 2.1 pp: the change of a rate in percentage points, which a percentage of a percentage would be taken for. */
    points: (value: number): string => `${points(value)} pp`,
    signedPoints: (value: number): string => `${signedPoints(value)} pp`,
    /** 1m 27s. */
    duration(all: number): string {
      if (all < 60) return seconds(all);
      return all < 3600
        ? `${minutes(Math.floor(all / 60))} ${seconds(all % 60)}`
        : `${hours(Math.floor(all / 3600))} ${minutes(Math.floor((all % 3600) / 60))}`;
    },
  };
}
