import type { Exclusion } from '../store/sites/exclusions.ts';

/** Tells whether an exclusion covers a day. Without an end it covers all days from its first. */
export const isAbout = ({ from, to }: Pick<Exclusion, 'from' | 'to'>, day: number): boolean =>
  day >= from && (to === null || day < to);

/**
 * Lists the ids of the exclusions of a day, such as '3 7'. Sums are stored with this list, and another list means that
 * they are stale.
 */
export const listIdsOn = (exclusions: readonly Exclusion[], day: number): string =>
  exclusions
    .filter((one) => isAbout(one, day))
    .map(({ id }) => id)
    .join(' ');
