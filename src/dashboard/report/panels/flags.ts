import * as flags from 'country-flag-icons/string/3x2';

const ALL: Record<string, string> = flags;

export const drawingOf = (country: string): string | undefined =>
  Object.hasOwn(ALL, country) ? ALL[country] : undefined;
