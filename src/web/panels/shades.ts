const STEPS = 5;

/** 347 becomes 300: a round number that can stand in a legend. */
function rounded(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return Math.round(value / unit) * unit;
}

/** From which number on each shade counts, at most five, each so many times the one before: a few countries have nearly all. */
export function boundsOf(most: number): number[] {
  const steps = Array.from({ length: STEPS }, (_, i) => rounded(most ** (i / STEPS)));
  return [...new Set(steps)];
}

/** The shade from 1 to 5, spread over all five where there are fewer. */
export function shadeOf(value: number, bounds: readonly number[]): number {
  const step = bounds.filter((bound) => bound <= value).length;
  return step === 0 ? 0 : STEPS - bounds.length + step;
}
