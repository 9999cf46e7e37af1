// Quarter-hour sums count all hits of a sealed day by quarter hour. With them, a query for hours without filters reads no column.
// Invariant: for every zone whose hours begin with a quarter hour, these sums give the same hours as the columns.
//
// Example: a visitor has hits at 09:05, 09:20 and 10:10. In quarter 09:00 the visitor has no earlier quarter. In quarter 09:15 the latest
// earlier quarter lies 1 quarter back. In quarter 10:00 the latest earlier quarter lies 3 quarters back. Hour 9 counts the visitor once: 1
// quarter back from 09:15 is still in hour 9. Hour 10 counts the visitor too, because 3 quarters back from 10:00 is in hour 9.
//
// Sealing stores these sums as a blob, hours.ts reads them, and upkeep/recount.ts checks them.
import type { Db } from '../../store/db.ts';
import { findBlob, makeMissingError, type StoredBlob } from '../column/blobs.ts';
import { narrow, pack, unpack } from '../column/packing.ts';
import { type Day, findStarts, type QuarterSums } from '../day/day.ts';
import type { Slots } from './hour-buckets.ts';
import { findQuarters } from './quarter-hours.ts';

/**
 * Visitors whose latest earlier quarter lies 4 or more quarters back are stored in one number. An hour has only 4 quarters, so that quarter
 * is surely in an earlier hour.
 */
const FAR = 4;

/**
 * How many numbers are stored for a quarter hour. The first counts pageviews. The second counts visitors without an earlier quarter that
 * day. The other four count visitors whose latest earlier quarter lies 1, 2, 3, or at least 4 quarters back.
 */
const WIDTH = 1 + FAR + 1;
const QUARTERS_IN_DAY = 256;

/** The name of the blob with the quarter-hour sums of a day, in the table `rollup`. */
export const QUARTER_SUMS = 'quarters';

export function sumQuarters(day: Day): QuarterSums {
  const { codes: seconds } = day.column('second');
  const { codes: again } = day.column('again');
  const { terms, codes: events } = day.column('event');
  const starts = findStarts(day);
  const quarterByHit = findQuarters(seconds);
  const all = new Uint32Array(QUARTERS_IN_DAY * WIDTH);
  const increase = (at: number): void => {
    all[at] = (all[at] as number) + 1;
  };
  let last = Number.NEGATIVE_INFINITY;
  let latest = -1;
  for (let visit = 0; visit < day.totals.visits; visit++) {
    if (again[visit] === 0) latest = -1;
    const end = starts[visit + 1] as number;
    // The hits of a visit are sorted by time, so the last hit is the latest.
    last = Math.max(last, seconds[end - 1] as number);
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const quarter = quarterByHit[hit] as number;
      if (terms[events[hit] as number] === 0) increase(quarter * WIDTH);
      if (quarter === latest) continue;
      increase(quarter * WIDTH + 1 + (latest < 0 ? 0 : Math.min(quarter - latest, FAR)));
      latest = quarter;
    }
  }
  const quarters = Uint8Array.from(new Set(quarterByHit)).sort();
  return {
    quarters,
    counts: Uint32Array.from([...quarters].flatMap((one) => [...all.subarray(one * WIDTH, (one + 1) * WIDTH)])),
    last,
  };
}

export const packQuarterSums = ({ quarters, counts, last }: QuarterSums): StoredBlob => ({
  name: QUARTER_SUMS,
  data: pack([narrow(quarters), narrow(counts), narrow([last])]),
});

export function readQuarterSums(db: Db, id: number): QuarterSums {
  const bytes = findBlob(db, 'rollup', id, QUARTER_SUMS);
  const [quarters, counts, [last] = []] = bytes ? unpack(bytes) : [];
  if (!quarters || !counts || last === undefined) throw makeMissingError('rollup', id, QUARTER_SUMS);
  return { quarters, counts, last };
}

/** The counts of each hour of a day. The index is the place of the hour in the list of hours. */
export type Tallies = Record<'visitors' | 'arrivals' | 'pageviews', Uint32Array>;

export const makeTallies = ({ numbers: { length } }: Slots): Tallies => ({
  visitors: new Uint32Array(length),
  arrivals: new Uint32Array(length),
  pageviews: new Uint32Array(length),
});

/** Finds the quarter with which each hour begins. Gives undefined if an hour comes twice, or is longer than four quarters. */
function findBegins({ start, length, ranks, numbers }: Slots): number[] | undefined {
  const begins = numbers.map((_, rank) => {
    const [first, end] = [ranks.indexOf(rank), ranks.lastIndexOf(rank) + 1];
    const isOne = ranks.subarray(first, end).every((other) => other === rank) && (end - first) * length <= FAR;
    return isOne ? start + first * length : undefined;
  });
  return begins.every((begin) => begin !== undefined) ? begins : undefined;
}

/** Adds up quarters to hours. A visitor of a quarter is added only if the visitor's latest earlier quarter is in an earlier hour. */
export function addQuarters({ quarters, counts }: QuarterSums, slots: Slots): Tallies | undefined {
  const begins = findBegins(slots);
  if (!begins) return undefined;
  const { visitors, arrivals, pageviews } = makeTallies(slots);
  for (let i = 0; i < quarters.length; i++) {
    const quarter = quarters[i] as number;
    const rank = slots.ranks[Math.floor((quarter - slots.start) / slots.length)] as number;
    const viewsAt = i * WIDTH;
    const visitorsAt = viewsAt + 1;
    let came = counts[visitorsAt] as number;
    arrivals[rank] = (arrivals[rank] as number) + came;
    for (let before = quarter - (begins[rank] as number) + 1; before <= FAR; before++) {
      came += counts[visitorsAt + before] as number;
    }
    visitors[rank] = (visitors[rank] as number) + came;
    pageviews[rank] = (pageviews[rank] as number) + (counts[viewsAt] as number);
  }
  return { visitors, arrivals, pageviews };
}
