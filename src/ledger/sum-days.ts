import type { DaySums } from '../engine.ts';
import { BREAKDOWN_NAMES, type Breakdown } from '../stats/dimensions.ts';
import { TOTALS, type Totals } from '../stats/measured.ts';
import { narrow, pack, unpack } from './bytes.ts';
import type { Piece } from './pieces.ts';
import { packRollup, type Rollup } from './rollups.ts';
import type { Sealed } from './seal.ts';

/**
 * A sealed day may have sums and no hits, because none were brought in or they are kept no longer. Its totals then stand among
 * its rollups too, under this name, so that they are checked like those.
 */
const NAME = 'totals';

export const totalsPiece = (totals: Totals): Piece => ({
  name: NAME,
  data: pack([narrow(TOTALS.map((name) => totals[name]))]),
});

function rollupOf({ counts }: DaySums, name: Breakdown, termOf: (text: string) => number): Rollup {
  const rows = (counts.get(name) ?? [])
    .map(({ event, value, visitors, hits }) => ({ event: termOf(event), term: termOf(value), visitors, hits }))
    .sort((one, other) => one.event - other.event || one.term - other.term);
  return {
    events: rows.map(({ event }) => event),
    terms: rows.map(({ term }) => term),
    visitors: rows.map(({ visitors }) => visitors),
    hits: rows.map(({ hits }) => hits),
  };
}

/** A day of which only sums are known, as it is written. */
export const sealedSums = (sums: DaySums, termOf: (text: string) => number): Sealed => ({
  day: sums.day,
  totals: sums.totals,
  segments: [],
  rollups: [
    ...BREAKDOWN_NAMES.map((name) => ({ name, data: packRollup(name, rollupOf(sums, name, termOf)) })),
    totalsPiece(sums.totals),
  ],
});

/** What can be found wrong with such a day, given its rollups. */
export function sumFaults(totals: Totals, rollups: ReadonlyMap<string, Buffer>, expected: readonly string[]): string[] {
  const missing = [...expected, NAME].filter((name) => !rollups.has(name)).map((name) => `rollup ${name}: is missing`);
  const noted = rollups.get(NAME);
  if (!noted || noted.equals(totalsPiece(totals).data as Buffer)) return missing;
  return [...missing, `totals: ${[...(unpack(noted)[0] ?? [])]} are noted`];
}
