/** Percentages are computed here for the server and the browser, so that both say the same: test/web/sites/card-figures.test.ts. */

/** Rounds halves away from zero, as on paper: 0.285 is stored in binary as a little less, and would become 0.28. */
export function rounded(value: number, decimals: number): number {
  const [digits = '0', exponent = '0'] = Math.abs(value).toPrecision(15).split('e');
  const [scaled = '0', scale = '0'] = `${Math.round(Number(`${digits}e${Number(exponent) + decimals}`))}`.split('e');
  const result = Number(`${scaled}e${Number(scale) - decimals}`);
  return value < 0 && result !== 0 ? -result : result;
}

/** A part of a whole in percent; 0 of an empty whole. */
export const computeShare = (part: number, whole: number, decimals = 1): number =>
  whole === 0 ? 0 : rounded((part * 100) / whole, decimals);

/**
 * The change of a figure in percent; null if it was 0 before, or if one is not known. Figures have at most two decimals, so that hundredths of them
 * are whole numbers, whose difference is exact.
 */
export function computeChange(now: number | null, before: number | null): number | null {
  if (now === null || before === null) return null;
  const [hundredths, hundredthsBefore] = [Math.round(now * 100), Math.round(before * 100)];
  return before === 0 ? null : rounded(((hundredths - hundredthsBefore) * 100) / hundredthsBefore, 1);
}

/** The change of a rate in percentage points; null if there was nothing before that could have one, or if one is not known. */
export const pointsBetween = (now: number | null, before: number | null, isNothingBefore = false): number | null =>
  isNothingBefore || now === null || before === null ? null : rounded(now - before, 1);
