/** Percent as the server answers and the browser shows it, so that both always say the same (test/lib/percent.test.ts). */

/** Rounds to so many decimals, halves away from zero, as one does on paper: 0.285 in binary is a little less than it. */
export function rounded(value: number, decimals: number): number {
  const [digits = '0', exponent = '0'] = Math.abs(value).toPrecision(15).split('e');
  const [scaled = '0', scale = '0'] = `${Math.round(Number(`${digits}e${Number(exponent) + decimals}`))}`.split('e');
  const result = Number(`${scaled}e${Number(scale) - decimals}`);
  return value < 0 && result !== 0 ? -result : result;
}

/** Which part of a whole it is; of nothing, none. */
export const shareOf = (part: number, whole: number, decimals = 1): number =>
  whole === 0 ? 0 : rounded((part * 100) / whole, decimals);

/**
 * By how much a figure changed; null where it was 0 before. Figures have at most two decimals, so that hundredths of them
 * are whole numbers, whose difference is exact.
 */
export function changeOf(now: number, before: number): number | null {
  const [hundredths, hundredthsBefore] = [Math.round(now * 100), Math.round(before * 100)];
  return before === 0 ? null : rounded(((hundredths - hundredthsBefore) * 100) / hundredthsBefore, 1);
}
