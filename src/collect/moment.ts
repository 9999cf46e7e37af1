import type { Moment } from '../engine.ts';

const DAY = 86_400;

/** The moment of a second since 1970. */
export const momentOf = (second: number): Moment => ({ day: Math.floor(second / DAY), second: second % DAY });
