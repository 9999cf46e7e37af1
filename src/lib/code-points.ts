/**
 * Compares two well-formed texts by their Unicode code points. JavaScript compares UTF-16 units, which sorts characters
 * such as emoji in another order. Strangers choose the texts of pages, and a report may compare millions of them. So no
 * list of characters is made.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let i = 0;
  while (i < length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i === length ? a.length - b.length : orderUnit(a.charCodeAt(i)) - orderUnit(b.charCodeAt(i));
}

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;

/** Surrogates are the two units of a character such as an emoji. These characters come after all others. */
const orderUnit = (unit: number): number =>
  unit >= SURROGATES && unit < AFTER_SURROGATES ? unit + AFTER_SURROGATES : unit;
