const SHADES = 5;

/**
 * Computes the bounds of the shades on the map: the smallest number of visitors for each shade. Few countries have most
 * of the visitors. So each bound is a multiple of the bound before.
 */
export function boundsOf(most: number): number[] {
  const bounds = Array.from({ length: SHADES }, (_, i) => roundNumber(most ** (i / SHADES)));
  return [...new Set(bounds)];
}

/** Returns a shade from 1 to 5, and 0 below the first bound. With fewer than five bounds, only the darkest shades are used. */
export function shadeOf(value: number, bounds: readonly number[]): number {
  const reached = bounds.filter((bound) => bound <= value).length;
  return reached === 0 ? 0 : SHADES - bounds.length + reached;
}

/** Rounds to one digit, which is easier to read in a legend. Example: 347 becomes 300. */
function roundNumber(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.round(value / unit) * unit;
}
