// Counts all hits of a sealed day by quarter hour. The hours of any time zone are then sums of quarter hours, and no
// hits are read. A visitor must count only once an hour. For this reason, each quarter hour counts its visitors by
// distance. The distance is the number of quarter hours since the visitor's previous hit.
//
// Invariant: for every zone whose hours begin with a quarter hour, these sums give the same hours as the hits.
//
// Example: a visitor has hits at 09:05, 09:20 and 10:10. The quarter 09:00 counts a new visitor, 09:15 a distance of 1,
// and 10:00 a distance of 3. One quarter before 09:15 is 09:00, in the same hour, so hour 9 counts the visitor once.
// Three quarters before 10:00 is 09:15, in another hour, so hour 10 counts the visitor too.
//
// Sealing stores these sums, hours.ts reads them, and upkeep/recount.ts checks them.
import type { Db } from '../../store/db.ts';
import { findBlob, makeMissingError, type StoredBlob } from '../column/blobs.ts';
import { narrow, pack, unpack } from '../column/packing.ts';
import { type Day, findStarts, type QuarterSums } from '../day/day.ts';
import type { Slots } from './hour-buckets.ts';
import { findQuarters } from './quarter-hours.ts';

/**
 * The largest distance that is counted, in quarter hours. An hour has 4 quarter hours, so a hit 4 or more quarter hours
 * earlier is in another hour. Larger distances are counted as 4.
 */
const FAR = 4;

/**
 * How many numbers each quarter hour has. They are its pageviews, its new visitors, and its visitors with the distances
 * 1, 2, 3, and 4 or more.
 */
const WIDTH = 1 + FAR + 1;
const QUARTERS_IN_DAY = 256;

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
  if (!quarters || !counts || last === undefined) throw makeMissingError(db, 'rollup', id, QUARTER_SUMS);
  return { quarters, counts, last };
}

/** The counts of each hour. Entry i of each list belongs to hour i. An arrival is a visitor's first hit of the day. */
export type Tallies = Record<'visitors' | 'arrivals' | 'pageviews', Uint32Array>;

export const makeTallies = ({ numbers: { length } }: Slots): Tallies => ({
  visitors: new Uint32Array(length),
  arrivals: new Uint32Array(length),
  pageviews: new Uint32Array(length),
});

/**
 * Finds the quarter hour with which each hour begins. Returns undefined if an hour has more than four quarter hours, or
 * if the quarter hours of an hour do not follow each other. The caller then reads hits. For example, when clocks go
 * back, the hour 02:00 comes twice. A report by clock time counts both as one hour with eight quarter hours.
 */
function findBegins({ start, length, ranks, numbers }: Slots): number[] | undefined {
  const begins = numbers.map((_, rank) => {
    const [first, end] = [ranks.indexOf(rank), ranks.lastIndexOf(rank) + 1];
    const isOne = ranks.subarray(first, end).every((other) => other === rank) && (end - first) * length <= FAR;
    return isOne ? start + first * length : undefined;
  });
  return begins.every((begin) => begin !== undefined) ? begins : undefined;
}

/** Adds up quarter hours to hours. A visitor counts once an hour, in the first quarter hour with a hit. */
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
