// Packs the sums of a totals-only day: its rollups, its revenue and a copy of its totals.
//
// Invariant: a totals-only day has a rollup of every breakdown, including derived breakdowns such as channels. On other
// days, each query computes the channels from the hits, with today's rules. A totals-only day keeps the channels that
// were stored when its hits were deleted.
//
// Example: the hits of a day with 40 visitors are deleted. Before that, the channels are counted for the last time,
// such as Direct 25 and Email 15. These counts are stored as the rollup `channels`. The terms in this rollup are the
// numbers of the channels, and not terms of the site. upkeep/import.ts and transfer.ts call `packTotalsOnly`, and
// upkeep/retention.ts calls `packDerived`.
import type { DaySums } from '../../engine/import-content.ts';
import { TOTALS, type Totals } from '../../stats/aggregates.ts';
import { BREAKDOWN_NAMES, BREAKDOWNS, type Breakdown, DERIVED_BREAKDOWNS, REVENUE } from '../../stats/dimensions.ts';
import { readAmountCounts } from '../../stats/revenue.ts';
import type { StoredBlob } from '../column/blobs.ts';
import { narrow, pack, unpack } from '../column/packing.ts';
import { addDay, listCounts } from '../count/breakdown.ts';
import { chooseTexts, readDimension } from '../count/dimension-column.ts';
import { makeSums } from '../count/term-counts.ts';
import { type Day, selectAll } from '../day/day.ts';
import type { PackedDay } from './packed-day.ts';
import { packAmounts } from './revenue-sums.ts';
import { packDayRollup, type Rollup } from './rollup.ts';

type Texts = Parameters<typeof readDimension>[1];

/**
 * The name of the blob with a copy of the day's totals, and with a checksum that shows damage. A totals-only day needs
 * this copy, because it has no hits, and its totals cannot be counted again.
 */
export const TOTALS_NAME = 'totals';

export const packTotalsOnly = (sums: DaySums, texts: Pick<Texts, 'findTerm'>): PackedDay => ({
  day: sums.day,
  slice: 0,
  totals: sums.totals,
  unknown: sums.unknown,
  blobs: [],
  rollups: [
    ...BREAKDOWN_NAMES.map((name) => ({ name, data: packDayRollup(name, makeRollup(sums, name, texts)) })),
    packTotals(sums.totals),
    ...listRevenue(sums),
  ],
});

/**
 * Packs the revenue of a totals-only day, if the revenue is known. The revenue of a day that was imported as sums is
 * not known, so the list is empty. A transfer may bring a totals-only day with revenue. The engine that the day comes
 * from added up this revenue before it deleted the day's hits.
 */
const listRevenue = ({ counts }: DaySums): StoredBlob[] => {
  const own = counts.get(REVENUE);
  return own ? [packAmounts(readAmountCounts(own))] : [];
};

export const packTotals = (totals: Totals): StoredBlob => ({
  name: TOTALS_NAME,
  data: pack([narrow(TOTALS.map((name) => totals[name]))]),
});

/**
 * Packs the sums that are stored only with a totals-only day, such as the sums of channels. Called before the hits of
 * the day are deleted.
 */
export const packDerived = (day: Day, texts: Texts): StoredBlob[] =>
  DERIVED_BREAKDOWNS.map((name) => {
    const sums = makeSums();
    addDay(sums, day, { breakdown: name, column: readDimension('channel', texts)(day) }, selectAll(day));
    return { name, data: packDayRollup(name, { ...listCounts(sums, name), events: [] }) };
  });

/** Packs an empty rollup for each derived breakdown. Used for a day whose damaged columns cannot be counted. */
export const packNoDerived = (): StoredBlob[] =>
  DERIVED_BREAKDOWNS.map((name) => ({
    name,
    data: packDayRollup(name, { terms: [], visitors: [], hits: [], events: [] }),
  }));

function makeRollup({ counts }: DaySums, name: Breakdown, texts: Pick<Texts, 'findTerm'>): Rollup {
  const own = chooseTexts(BREAKDOWNS[name], texts);
  const findTerm = (text: string): number => own.findTerm(text) ?? 0;
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
  const missing = [...expected, ...DERIVED_BREAKDOWNS, TOTALS_NAME]
    .filter((name) => !rollups.has(name))
    .map((name) => `rollup ${name}: is missing`);
  const stored = rollups.get(TOTALS_NAME);
  if (!stored || stored.equals(packTotals(totals).data as Buffer)) return missing;
  return [...missing, `totals: differ from their copy ${writeCopy(stored)}`];
}

/**
 * Writes the copy of the totals as a text. If the copy is damaged, returns the message of the error, because the check
 * of sealed days must continue with other days (test/receipts/damage.test.ts).
 */
function writeCopy(stored: Buffer): string {
  try {
    return String([...(unpack(stored)[0] ?? [])]);
  } catch (error) {
    return `(${(error as Error).message})`;
  }
}
