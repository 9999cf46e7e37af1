import type { Exclusion } from '../store/sites/exclusions.ts';

/**
 * Tells whether an exclusion (a rule for visits that do not count) covers a day. Without an end, it covers all days
 * from its first day.
 */
export const isAbout = ({ from, to }: Pick<Exclusion, 'from' | 'to'>, day: number): boolean =>
  day >= from && (to === null || day < to);

/**
 * Writes the ids of the exclusions that cover a day as text, such as '3 7'. Sums of the day are stored with this text.
 * If the text is different later, the sums were made with other exclusions and must be computed again.
 */
export const listIdsOn = (exclusions: readonly Exclusion[], day: number): string =>
  exclusions
    .filter((one) => isAbout(one, day))
    .map(({ id }) => id)
    .join(' ');
