// Percentages, computed once for the server and the browser, so that both show equal figures (test/web/sites/card-figures.test.ts).

/**
 * Rounds halves away from zero, as on paper. In binary 0.285 is a little less than that, and Math.round would make 0.28
 * of it.
 */
export function rounded(value: number, decimals: number): number {
  const [digits = '0', exponent = '0'] = Math.abs(value).toPrecision(15).split('e');
  const [scaled = '0', scale = '0'] = `${Math.round(Number(`${digits}e${Number(exponent) + decimals}`))}`.split('e');
  const result = Number(`${scaled}e${Number(scale) - decimals}`);
  return value < 0 && result !== 0 ? -result : result;
}

/** Computes a part of a whole in percent; 0 of an empty whole. */
export const computeShare = (part: number, whole: number, decimals = 1): number =>
  whole === 0 ? 0 : rounded((part * 100) / whole, decimals);

/**
 * Computes the change of a figure in percent; null if the figure was 0 before, or if one is not known. Figures have at
 * most two decimals, so their hundredths are whole numbers with an exact difference.
 */
export function computeChange(now: number | null, before: number | null): number | null {
  if (now === null || before === null) return null;
  const [hundredths, hundredthsBefore] = [Math.round(now * 100), Math.round(before * 100)];
  return before === 0 ? null : rounded(((hundredths - hundredthsBefore) * 100) / hundredthsBefore, 1);
}

/**
 * Computes the change of a rate in percentage points; null if there was nothing before, or if one rate is not known.
 */
export const computePoints = (now: number | null, before: number | null, isNothingBefore = false): number | null =>
  isNothingBefore || now === null || before === null ? null : rounded(now - before, 1);
