const SHADES = 5;

/**
 * The smallest count of each shade, for up to five shades. Each is a multiple of the one before, because few
 * countries have most of the visitors.
 */
export function boundsOf(most: number): number[] {
  const bounds = Array.from({ length: SHADES }, (_, i) => roundNumber(most ** (i / SHADES)));
  return [...new Set(bounds)];
}

/** The shade of a count, 1 to 5. With fewer bounds, only the darkest shades are used. */
export function shadeOf(value: number, bounds: readonly number[]): number {
  const reached = bounds.filter((bound) => bound <= value).length;
  return reached === 0 ? 0 : SHADES - bounds.length + reached;
}

/** Rounds to one digit, which reads better in a legend. For example, 347 becomes 300. */
function roundNumber(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.round(value / unit) * unit;
}
