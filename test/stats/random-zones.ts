import fc from 'fast-check';
import type { Hit } from '../collect/stage.ts';
import { NOON } from '../support/helpers.ts';
import { runningDay, UTC_ONLY, type Zones } from './zones.ts';

/** On both sides of the date line, with half hours, with clocks that are changed on the days of the hits, and without. */
export const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Calcutta',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'America/Havana',
  'Africa/Casablanca',
];

/** Zones change at odd seconds, so that no day begins in the same one. */
export const zones: fc.Arbitrary<Zones> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(UTC_ONLY) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<string[]>(...ZONES).map((zone) => [{ from: Number.NEGATIVE_INFINITY, zone }]),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.uniqueArray(fc.constantFrom<string[]>(...ZONES), { minLength: 2, maxLength: 4 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 9 * 24 * 4 }), { minLength: 3, maxLength: 3 }),
      )
      .map(([names, quarters]) => {
        const ago = quarters.sort((one, other) => other - one);
        return names.map((zone, i) => ({
          zone,
          from: i === 0 ? Number.NEGATIVE_INFINITY : NOON / 1000 - (ago[i - 1] ?? 0) * 900 + 617,
        }));
      }),
  },
);

/** The same instants as days of other zones. */
export const labelled = (hits: readonly Hit[], zones: Zones): Hit[] =>
  hits.map((hit) => {
    const instant = hit.day * 86_400 + hit.second;
    const day = runningDay(zones, instant);
    return { ...hit, day, second: instant - day * 86_400 };
  });
