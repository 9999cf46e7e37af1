import fc from 'fast-check';
import type { VitalValues } from '../../src/stats/vitals.ts';

const BOUNDS = [200, 500, 800, 1_800, 2_500, 3_000, 4_000];

/** Bounds, values beside them, and any others. */
const time = fc.oneof(
  fc.constantFrom(0, 1, ...BOUNDS.flatMap((bound) => [bound, bound + 1]), 600_000),
  fc.nat(600_000),
);

/** A CLS has four decimals. */
const shift = fc.oneof(
  fc.constantFrom(0, 0.1, 0.1001, 0.25, 0.2501),
  fc.nat(9_999).map((n) => n / 10_000),
);

/** What a browser may have measured of a page. */
export const measured: fc.Arbitrary<VitalValues> = fc.record(
  { lcp: time, inp: time, fcp: time, ttfb: time, cls: shift },
  { requiredKeys: [] },
);
