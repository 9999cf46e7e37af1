/**
 * Compares two well-formed texts by their Unicode code points. JavaScript compares UTF-16 units, which sorts characters
 * such as emoji in another order. A report may compare millions of long texts that strangers have chosen. So this
 * function makes no lists of characters, which would be slow.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i === length ? a.length - b.length : orderUnit(a.charCodeAt(i)) - orderUnit(b.charCodeAt(i));
}

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;

/**
 * Orders surrogates after all other units. Surrogates are the two units of a character such as an emoji. Such a
 * character has a higher code point than all others.
 */
const orderUnit = (unit: number): number =>
  unit >= SURROGATES && unit < AFTER_SURROGATES ? unit + AFTER_SURROGATES : unit;
