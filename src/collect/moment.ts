import type { Moment } from '../engine.ts';
import { DAY } from '../lib/time.ts';

/** The moment of a second since 1970. */
export const momentOf = (second: number): Moment => ({ day: Math.floor(second / DAY), second: second % DAY });
