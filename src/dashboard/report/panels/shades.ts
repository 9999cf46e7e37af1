const SHADES = 5;

/**
 * Computes the smallest number of visitors for each shade on the map, such as 1, 4, 20, 80 and 300. In this example,
 * each number is about four times the number before. A few countries have most of the visitors, so with equal steps all
 * other countries would look alike.
 */
export function boundsOf(most: number): number[] {
  const bounds = Array.from({ length: SHADES }, (_, i) => roundNumber(most ** (i / SHADES)));
  return [...new Set(bounds)];
}

/**
 * Returns the shade of a number of visitors: 1 to 5, or 0 if the number is below all `bounds`. With fewer than five
 * bounds, only the darkest shades are used.
 */
export function shadeOf(value: number, bounds: readonly number[]): number {
  const reached = bounds.filter((bound) => bound <= value).length;
  return reached === 0 ? 0 : SHADES - bounds.length + reached;
}

/** Rounds to one digit, which is easier to read in a legend. Example: 347 becomes 300. */
function roundNumber(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.round(value / unit) * unit;
}
