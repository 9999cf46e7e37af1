// Finds out whether nothing was counted in the first half of the comparison period. Then figures have no trend. A
// comparison with days before the first hit of a site would mislead: "+1,178 %" only says that the site is new. If the
// first half has hits, the site was in use for half of the period or more. This is enough for a trend.
//
// The first request asks only about the first day of the comparison period, because such an answer is small. If nothing
// was counted on this day, a second request asks about the first half of the period. Example: the site began in
// November 2024. Then 2025 is not compared with 2024, because January to June are empty.
//
// pages/site.tsx calls `useIsEmptyBefore`.

import type { DayReport } from '../../../api/day-status.ts';
import { sitePath } from '../../core/address.ts';
import { type Loaded, useData } from '../../core/api.ts';
import { boot } from '../../core/boot.ts';
import { useSiteScope } from '../../core/scope.ts';
import { dayAfter, daysIn } from '../../dates/days.ts';
import { customRange, type Span } from '../../dates/range.ts';

/**
 * The shortest comparison period that is checked, in days. On a few days, a small site may have no visitors by chance.
 */
const LEAST_DAYS = 7;

/**
 * True or false once the answers have arrived, and null until then. While the value is null, figures show no trend,
 * because the trend might disappear again.
 */
export type IsEmptyBefore = boolean | null;

/**
 * True if nothing was counted in the first half of these days. Always false for fewer than `LEAST_DAYS` days. Also
 * false on a shared page, because a share link may not request this.
 */
export function useIsEmptyBefore(compared: Span | undefined): IsEmptyBefore {
  const { domain } = useSiteScope();
  const { from, to } = compared ?? { from: '', to: '' };
  const isLong = compared !== undefined && daysIn(from, to) >= LEAST_DAYS;
  const path = isLong && !boot.share ? sitePath(domain, '/stats/days') : undefined;
  const first = useData<DayReport>(path, { range: customRange({ from, to: from }) }, 0);
  const isFirstEmpty = path === undefined ? false : isEmpty(first);
  const half = useData<DayReport>(isFirstEmpty ? path : undefined, { range: customRange(firstHalf(from, to)) }, 0);
  return isFirstEmpty ? isEmpty(half) : isFirstEmpty;
}

const firstHalf = (from: string, to: string): Span => ({
  from,
  to: from && dayAfter(from, Math.ceil(daysIn(from, to) / 2) - 1),
});

function isEmpty({ data, error, isStale }: Loaded<DayReport>): IsEmptyBefore {
  if (error) return false;
  return data && !isStale ? data.days.length === 0 : null;
}
