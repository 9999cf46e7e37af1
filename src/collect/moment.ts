import type { Moment } from '../engine.ts';
import { DAY } from '../lib/time.ts';

/** `at` is in seconds since 1970. */
export const momentOf = (at: number): Moment => ({ day: Math.floor(at / DAY), second: at % DAY });
