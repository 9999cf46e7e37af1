import type { Exclusion } from '../store/sites/exclusions.ts';

/** Whether an exclusion is about a day. One without an end is about all days from its first. */
export const isAbout = ({ from, to }: Pick<Exclusion, 'from' | 'to'>, day: number): boolean =>
  day >= from && (to === null || day < to);

/** The ids of the exclusions that are about a day, such as '3 7'. Sums of the day are stored with them, to tell stale sums. */
export const listIdsOn = (exclusions: readonly Exclusion[], day: number): string =>
  exclusions
    .filter((one) => isAbout(one, day))
    .map(({ id }) => id)
    .join(' ');
