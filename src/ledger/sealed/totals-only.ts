import type { DaySums } from '../../engine/import-content.ts';
import { TOTALS, type Totals } from '../../stats/aggregates.ts';
import { type Breakdown, STORED_BREAKDOWNS } from '../../stats/dimensions.ts';
import type { StoredBlob } from '../column/blobs.ts';
import { narrow, pack, unpack } from '../column/packing.ts';
import type { PackedDay } from './packed-day.ts';
import { packDayRollup, type Rollup } from './rollup.ts';

/**
 * A totals-only day has no hits, so its totals cannot be counted again. So a copy of its totals is stored under this
 * name, with a checksum that shows damage.
 */
export const TOTALS_NAME = 'totals';

export const packTotalsOnly = (sums: DaySums, findTerm: (text: string) => number): PackedDay => ({
  day: sums.day,
  slice: 0,
  totals: sums.totals,
  unknown: sums.unknown,
  blobs: [],
  rollups: [
    ...STORED_BREAKDOWNS.map((name) => ({ name, data: packDayRollup(name, makeRollup(sums, name, findTerm)) })),
    packTotals(sums.totals),
  ],
});

export const packTotals = (totals: Totals): StoredBlob => ({
  name: TOTALS_NAME,
  data: pack([narrow(TOTALS.map((name) => totals[name]))]),
});

function makeRollup({ counts }: DaySums, name: Breakdown, findTerm: (text: string) => number): Rollup {
  const rows = (counts.get(name) ?? [])
    .map(({ event, value, visitors, hits }) => ({ event: findTerm(event), term: findTerm(value), visitors, hits }))
    .sort((a, b) => a.event - b.event || a.term - b.term);
  return {
    events: rows.map(({ event }) => event),
    terms: rows.map(({ term }) => term),
    visitors: rows.map(({ visitors }) => visitors),
    hits: rows.map(({ hits }) => hits),
  };
}

export function listSumFaults(
  totals: Totals,
  rollups: ReadonlyMap<string, Buffer>,
  expected: readonly string[],
): string[] {
  const missing = [...expected, TOTALS_NAME]
    .filter((name) => !rollups.has(name))
    .map((name) => `rollup ${name}: is missing`);
  const stored = rollups.get(TOTALS_NAME);
  if (!stored || stored.equals(packTotals(totals).data as Buffer)) return missing;
  return [...missing, `totals: differ from their copy ${[...(unpack(stored)[0] ?? [])]}`];
}
