import type { ExcludedVisits, Totals } from '../stats/aggregates.ts';
import type { listStates } from './sealed-days.ts';

/** Makes the status of a day for the API. The state `sums` stands for a totals-only day. */
export const makeDayStatus = (day: number, known: DayState | undefined, { totals, excluded, drops }: DayCounts) => ({
  day,
  state: known ? (known.hasHits ? ('sealed' as const) : ('sums' as const)) : ('open' as const),
  visitors: totals[0]?.visitors ?? 0,
  excluded: excluded[0] ?? 0,
  dropped: drops.reduce((sum, { hits }) => sum + hits, 0),
  importId: known?.importId ?? null,
  recountedAt: known?.recountedAt ?? null,
});

type DayState = ReturnType<typeof listStates>[number];

type DayCounts = { totals: readonly Totals[]; excluded: ExcludedVisits; drops: readonly { hits: number }[] };
