// Regions and cities in the form in which they are stored. City databases and files of other products write them
// differently.
//
// Example: the region `BE` of the country `DE` becomes `DE-BE`. The city `Berlin` becomes `DE-BE Berlin`, because many
// cities have the same name.

const REGION = /^[A-Z0-9]{1,3}$/;

/** True if a text has the form of an ISO 3166-2 code, such as `DE-BE`. */
export const isRegion = (text: string): boolean => /^[A-Z]{2}-[A-Z0-9]{1,3}$/.test(text);

/**
 * Writes a region as an ISO 3166-2 code. `code` is the whole code, or only the part after the country. Returns an empty
 * text if `code` is a name, such as Bavaria.
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
