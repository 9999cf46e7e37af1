import * as flags from 'country-flag-icons/string/3x2';

const ALL: Record<string, string> = flags;

/** The SVG file of the flag of a country. */
export const drawingOf = (country: string): string | undefined =>
  Object.hasOwn(ALL, country) ? ALL[country] : undefined;
