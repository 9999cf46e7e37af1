const SHADES = 5;

/** 347 becomes 300, which reads better in a legend. */
function roundNumber(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.round(value / unit) * unit;
}

/** The least count of each shade, up to five; each is a multiple of the one before, because few countries have most visitors. */
export function boundsOf(most: number): number[] {
  const bounds = Array.from({ length: SHADES }, (_, i) => roundNumber(most ** (i / SHADES)));
  return [...new Set(bounds)];
}

/** A shade from 1 to 5; where there are fewer bounds, the darkest. */
export function shadeOf(value: number, bounds: readonly number[]): number {
  const reached = bounds.filter((bound) => bound <= value).length;
  return reached === 0 ? 0 : SHADES - bounds.length + reached;
}
