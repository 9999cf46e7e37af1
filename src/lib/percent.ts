// Percentages. The server and the browser use the same functions, so both show equal figures
// (test/dashboard/sites/card-figures.test.tsx).

/**
 * Rounds a half away from zero, as on paper: 0.285 becomes 0.29. A computer stores 0.285 as a slightly smaller number,
 * so Math.round would give 0.28.
 */
export function rounded(value: number, decimals: number): number {
  const [digits = '0', exponent = '0'] = Math.abs(value).toPrecision(15).split('e');
  const [scaled = '0', scale = '0'] = `${Math.round(Number(`${digits}e${Number(exponent) + decimals}`))}`.split('e');
  const result = Number(`${scaled}e${Number(scale) - decimals}`);
  return value < 0 && result !== 0 ? -result : result;
}

/** Computes how many percent of the whole a part is. Returns 0 if the whole is 0. */
export const computeShare = (part: number, whole: number, decimals = 1): number =>
  whole === 0 ? 0 : rounded((part * 100) / whole, decimals);

/**
 * Computes the change of a figure in percent. Returns null if a figure is unknown, or if the earlier figure was 0.
 * Figures have at most two decimals. In hundredths they are whole numbers, so the difference is exact.
 */
export function computeChange(now: number | null, before: number | null): number | null {
  if (now === null || before === null) return null;
  const [hundredths, hundredthsBefore] = [Math.round(now * 100), Math.round(before * 100)];
  return before === 0 ? null : rounded(((hundredths - hundredthsBefore) * 100) / hundredthsBefore, 1);
}

/**
 * Computes the change of a rate in percentage points: from 40 % to 42 % is 2. Returns null if a rate is unknown, or if
 * there were no visits before.
 */
export const computePoints = (now: number | null, before: number | null, isNothingBefore = false): number | null =>
  isNothingBefore || now === null || before === null ? null : rounded(now - before, 1);
