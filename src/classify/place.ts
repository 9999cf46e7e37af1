// Regions and cities as they are stored. City databases and files of other products write them in different ways.
//
// Example: the country `DE` with the region `BE` gives `DE-BE`. The city `Berlin` there gives `DE-BE Berlin`, because
// many cities have the same name.

const REGION = /^[A-Z0-9]{1,3}$/;

/** Tells whether a text has the form of a region, an ISO 3166-2 code. */
export const isRegion = (text: string): boolean => /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(text);

/**
 * Writes an ISO 3166-2 code. `code` is the whole code or the part behind the country. Gives an empty text for a name.
 */
export function writeRegion(country: string, code: unknown): string {
  if (typeof code !== 'string' || !/^[A-Z]{2}$/.test(country)) return '';
  const whole = code.toUpperCase();
  if (isRegion(whole)) return whole.startsWith(`${country}-`) ? whole : '';
  return REGION.test(whole) ? `${country}-${whole}` : '';
}

const LONGEST_CITY = 100;

/** Writes a city with its region in front, or with its country if the region is not known. */
export function writeCity({ country, region }: { country: string; region: string }, name: unknown): string {
  if (typeof name !== 'string' || country === '') return '';
  const city = name.toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return city === '' ? '' : `${region || country} ${[...city].slice(0, LONGEST_CITY).join('')}`;
}
