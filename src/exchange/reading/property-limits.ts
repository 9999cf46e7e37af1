// Limits properties in an import. An imported day may have as many names and values as a day of live hits.
//
// Invariant: names and values beyond the limits become `(other)`. The limits of live hits have the same effect.
// `(other)` itself does not count towards the limits.
//
// Example: a file has an order number in each of the 5,000 hits of a day. The first 2,000 numbers are kept. The other
// 3,000 hits get the value `(other)`. ../import.ts limits each hit, and tells the user how many hits it has changed.

import { copyText } from '../../lib/copy-text.ts';
import { OTHER } from '../../stats/dimensions.ts';
import {
  capProperties,
  MOST_NAMES_OF_DAY,
  MOST_VALUES_OF_DAY,
  PROPERTY_NAMES,
  type PropertyKind,
} from '../../stats/properties.ts';

export function propertyLimits() {
  const days = new Map<number, Map<PropertyKind, Set<string>>>();
  let changed = 0;

  function cap(day: number, kind: PropertyKind, text: string): string {
    if (text === OTHER) return text;
    const kinds = days.get(day) ?? new Map<PropertyKind, Set<string>>();
    days.set(day, kinds);
    const known = kinds.get(kind) ?? new Set<string>();
    kinds.set(kind, known);
    if (known.has(text)) return text;
    if (known.size >= (kind === PROPERTY_NAMES ? MOST_NAMES_OF_DAY : MOST_VALUES_OF_DAY)) return OTHER;
    known.add(copyText(text));
    return text;
  }

  return {
    /** Limits the properties of a hit. `text` has all properties of the hit. */
    limit(day: number, text: string): string {
      const limited = capProperties(text, (kind, one) => cap(day, kind, one));
      if (limited !== text) changed++;
      return limited;
    },
    /** The number of hits with `(other)` in place of a name or a value. */
    changed: (): number => changed,
  };
}
