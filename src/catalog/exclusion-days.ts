import type { Exclusion } from '../store/sites/exclusions.ts';

/** Returns whether an exclusion covers a day. An exclusion without an end covers all days from its first day. */
export const isAbout = ({ from, to }: Pick<Exclusion, 'from' | 'to'>, day: number): boolean =>
  day >= from && (to === null || day < to);

/**
 * Returns the ids of the exclusions that cover a day, as a text such as '3 7'. The day's sums are stored together with
 * this text. If the text is different later, the sums are stale.
 */
export const listIdsOn = (exclusions: readonly Exclusion[], day: number): string =>
  exclusions
    .filter((one) => isAbout(one, day))
    .map(({ id }) => id)
    .join(' ');
