// The properties of a hit: names with values, such as plan = pro. The properties of a hit are stored as one text, in
// JSON.
//
// Invariant: equal properties have equal texts, because names are sorted. A hit without properties has an empty text.
//
// Example: `writeProperties([['plan', 'pro'], ['count', '3']])` returns `{"count":"3","plan":"pro"}`.
//
// The code that counts hits (src/collect) and the imports write the text. Engines store it, and exports read it. Test:
// test/stats/properties.test.ts.
import { OTHER } from './dimensions.ts';

export type Property = readonly [name: string, value: string];

export const MOST_PROPERTIES = 20;
export const LONGEST_PROPERTY_NAME = 40;
export const LONGEST_PROPERTY_VALUE = 200;
export const PROPERTY_NAME = /^[a-z][a-z0-9_]*$/;

/** How many names a site may have in a day, and how many values each name may have. Further texts become `(other)`. */
export const MOST_NAMES_OF_DAY = 100;
export const MOST_VALUES_OF_DAY = 2_000;

/**
 * The most properties that all different sets of a site and day may have together. A set is all properties of one hit.
 * For example, 200,000 sets of 5 properties reach the limit. Further sets become `(other)`. A query reads all sets of
 * an open day, so a flood of random properties would make queries slow.
 */
export const MOST_MEMBERS_OF_DAY = 1_000_000;

/** Writes properties as one text. A property with an empty value is left out. */
export function writeProperties(properties: readonly Property[]): string {
  const given = properties.filter(([, value]) => value !== '');
  if (given.length === 0) return '';
  const sorted = given.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`;
}

/** Reads a text that `writeProperties` wrote. */
export const readProperties = (text: string): Property[] => (text === '' ? [] : Object.entries(JSON.parse(text)));

/**
 * Limits how many names and values a day has. `cap` returns the text itself, or `(other)` if the day has too many texts
 * of this kind. If a name becomes `(other)`, its value becomes `(other)` too. Otherwise, the values of several names
 * would mix.
 */
export function capProperties(text: string, cap: (kind: PropertyKind, text: string) => string): string {
  if (text === '') return '';
  const capped = new Map<string, string>();
  for (const [name, value] of readProperties(text)) {
    const own = cap(PROPERTY_NAMES, name);
    capped.set(own, own === OTHER ? OTHER : cap(`${VALUES_OF}${name}`, value));
  }
  return writeProperties([...capped]);
}

/** The kinds of texts that have a limit of their own: the names of properties, and the values of each name. */
export const PROPERTY_NAMES = 'property';
export const VALUES_OF = 'property ';
export type PropertyKind = typeof PROPERTY_NAMES | `${typeof VALUES_OF}${string}`;
