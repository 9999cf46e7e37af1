import type { Exclusion } from '../store/sites/exclusions.ts';

/** Tells whether an exclusion covers a day. If the exclusion has no end, it covers all days from its first day. */
export const isAbout = ({ from, to }: Pick<Exclusion, 'from' | 'to'>, day: number): boolean =>
  day >= from && (to === null || day < to);

/**
 * Lists the ids of the exclusions of a day as text, such as '3 7'. Sums are stored with this text. If the text has
 * changed since, the sums are stale.
 */
export const listIdsOn = (exclusions: readonly Exclusion[], day: number): string =>
  exclusions
    .filter((one) => isAbout(one, day))
    .map(({ id }) => id)
    .join(' ');
