const SCREENS = [
  ['Mobile', 576],
  ['Tablet', 992],
  ['Laptop', 1440],
  ['Desktop', 1920],
  ['Wide', Number.POSITIVE_INFINITY],
] as const;

export const SCREEN_NAMES = SCREENS.map(([name]) => name);

/**
 * Returns the class of a window by its width in CSS pixels. A width of 1,280 is a `Laptop`. Returns an empty text if
 * the width is unknown.
 */
export const findScreen = (width: number | undefined): string =>
  width === undefined ? '' : (SCREENS.find(([, below]) => width < below)?.[0] ?? '');
