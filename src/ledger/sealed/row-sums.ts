// Packs and reads row sums. Row sums are the stored row figures: the visits, bounces, seconds and so on of each row of
// a breakdown. With row sums, a report with these figures reads no column.
//
// Invariant: row sums are in the order of the rows of their rollup.
//
// Example: two countries have 40 and 7 visitors, 45 and 7 visits, 30 and 5 bounces. Visits and bounces are stored as
// differences: visits minus visitors (5, 0), and visits minus bounces (15, 2). Small numbers compress well, which
// halves the blob.
// packed-day.ts packs row sums. stored-sums.ts and month.ts read them, and upkeep/recount.ts compares them.
import { isDeepStrictEqual } from 'node:util';
import type { SealedDay } from '../../catalog/sealed-days.ts';
import type { Times, Totals } from '../../stats/aggregates.ts';
import {
  BREAKDOWNS,
  type Breakdown,
  type ColumnBreakdown,
  type Counted,
  DIMENSIONS,
  findColumnDimension,
  STORED_BREAKDOWNS,
  type StoredBreakdown,
} from '../../stats/dimensions.ts';
import type { SumName } from '../../stats/metrics.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, rollupTable, type StoredBlob } from '../column/blobs.ts';
import { compress, decompressForNow, type Numbers, narrow, pack, unpack } from '../column/packing.ts';
import { keepsEmpty } from '../count/breakdown.ts';
import { type ReadNumbers, readNumbers, rowSums } from '../count/row-figures.ts';
import { type MoreSums, mapNumbers, type RowCount } from '../count/term-counts.ts';
import { sumTimes } from '../count/time-on-page.ts';
import { type Day, selectAll } from '../day/day.ts';
import { packRevenue } from './revenue-sums.ts';
import {
  hasRollup,
  makeRollup,
  type NameTexts,
  packDayRollup,
  readRollup,
  unpackRollup,
  withCodesAsTerms,
} from './rollup.ts';

/**
 * The sums that each row stores, by what the breakdown counts. For example, breakdowns by country count visits, and
 * breakdowns by page count pageviews. `seen` adds up the seconds for which a page was visible, and `told` counts the
 * pageviews with known seconds. `depth` and `scrolled` are the sum and the count of known depths.
 */
const SUMS: Record<Counted, readonly SumName[]> = {
  visits: ['visits', 'bounces', 'seconds', 'pageviews'],
  pageviews: ['visits', 'seen', 'told', 'depth', 'scrolled'],
  hits: [],
  events: [],
};

/**
 * Reads the rows of a breakdown with their row sums. Returns undefined if row sums are not stored, for example because
 * the day was imported as totals-only. With `wanted`, only these sums are read.
 */
export function readRows(
  db: Db,
  day: SealedDay,
  breakdown: Breakdown,
  wanted?: readonly SumName[],
): RowCount | undefined {
  if (!hasRollup(breakdown, day)) return { ...readRollup(db, day, breakdown), more: makeEmptySums(breakdown, day) };
  const bytes = findBlob(db, rollupTable(day.reduced !== undefined), day.id, nameSums(breakdown));
  if (!bytes) return undefined;
  const rollup = readRollup(db, day, breakdown);
  return { ...rollup, more: unpackSums(breakdown, rollup, bytes, wanted) };
}

const readTotal = (day: SealedDay, name: SumName): number => (name in day ? (day[name as keyof Totals] as number) : 0);

const listSumNames = (breakdown: Breakdown): readonly SumName[] => SUMS[DIMENSIONS[BREAKDOWNS[breakdown]].counts];
const hasSums = (breakdown: StoredBreakdown): breakdown is ColumnBreakdown => listSumNames(breakdown).length > 0;
export const SUMMED_BREAKDOWNS = STORED_BREAKDOWNS.filter(hasSums);

/** True if sealed days store all of these sums for each row. A query for these sums then reads no hits. */
export const areSummed = (breakdown: StoredBreakdown, names: readonly SumName[]): boolean =>
  names.every((name) => listSumNames(breakdown).includes(name));

/** The name of the blob with the row sums of a breakdown, such as "countries sums". */
export type SumsName = `${Breakdown} sums`;
export const nameSums = (breakdown: Breakdown): SumsName => `${breakdown} sums`;

/** The name of the blob with the time on page of a day. */
const TIMES = 'times';

type Near = readonly [SumName | 'visitors', 1 | -1];

/**
 * Sums that are stored as the difference from another sum of the row, which halves the space. For example, a row with
 * 40 visitors and 45 visits stores 5 as its visits. The sign 1 or -1 makes sure that no difference is negative.
 */
const NEAR: Partial<Record<SumName, Near>> = {
  visits: ['visitors', 1],
  bounces: ['visits', -1],
  pageviews: ['bounces', 1],
  told: ['hits', -1],
  scrolled: ['hits', -1],
};

type RowColumns = Pick<RowCount, 'visitors' | 'hits'>;
type Known = Partial<Record<SumName | 'visitors', ArrayLike<number>>>;

export function packSums(breakdown: Breakdown, rows: RowColumns, sums: MoreSums): Buffer {
  const known: Known = { ...rows, ...sums };
  const lists = listSumNames(breakdown).map((name) => {
    const [near, sign] = NEAR[name] ?? [];
    const [own, other] = [sums[name] ?? [], near && known[near]];
    return narrow(other && sign ? mapNumbers(own, (sum, i) => sign * (sum - (other[i] as number))) : own);
  });
  return compress(lists);
}

/**
 * Unpacks the row sums of a breakdown. With `wanted`, unpacks only these sums, because a report needs only one or two
 * sums.
 */
export function unpackSums(
  breakdown: Breakdown,
  rows: RowColumns,
  bytes: Uint8Array,
  wanted: readonly SumName[] = listSumNames(breakdown),
): MoreSums {
  const [lists, names] = [decompressForNow(bytes), listSumNames(breakdown)];
  if (lists.length !== names.length)
    throw new RangeError(`sums of ${breakdown} have ${lists.length} lists, expected ${names.length}`);
  const known: Known = { ...rows };
  const read = (name: SumName | 'visitors'): ArrayLike<number> => {
    known[name] ??= addNear(lists[names.indexOf(name as SumName)] as Numbers, NEAR[name as SumName], read);
    return known[name];
  };
  return Object.fromEntries(wanted.map((name) => [name, read(name)]));
}

/**
 * Turns stored differences back into sums. `NEAR` names another sum of the same row. The difference is added to
 * that sum or, if the sign in `NEAR` is -1, subtracted from it.
 */
function addNear(own: Numbers, near: Near | undefined, read: (name: Near[0]) => ArrayLike<number>): ArrayLike<number> {
  if (!near) return own;
  const [other, sign] = [read(near[0]), near[1]];
  return mapNumbers(own, (difference, row) => (other[row] as number) + sign * difference);
}

/**
 * Returns the code of each term. Both lists are ascending, and the dictionary has all of the terms, so one loop is
 * enough.
 */
function findCodes(terms: ArrayLike<number>, dictionary: ArrayLike<number>): Uint32Array {
  const codes = new Uint32Array(terms.length);
  let code = 0;
  for (let i = 0; i < terms.length; i++) {
    while (dictionary[code] !== terms[i]) code++;
    codes[i] = code;
  }
  return codes;
}

function sumRows(day: Day, breakdown: ColumnBreakdown, terms: ArrayLike<number>, numbers: ReadNumbers): MoreSums {
  const name = findColumnDimension(breakdown);
  const rows = rowSums(breakdown, listSumNames(breakdown), { counted: {}, goal: [], numbers });
  const coded = withCodesAsTerms(day, name);
  rows.add(coded, coded.column(name), selectAll(day));
  return rows.of(findCodes(terms, day.column(name).terms));
}

const unpackLists = (name: string, bytes: Uint8Array): ArrayLike<number>[] => {
  if (name in BREAKDOWNS) return Object.values(unpackRollup(name as Breakdown, bytes));
  return decompressForNow(bytes);
};

/**
 * True if two blobs have equal numbers. The bytes of the blobs may differ, because different versions of zstd may have
 * compressed them.
 */
export function haveSame(name: string, one: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(one, other) === 0) return true;
  try {
    const [numbers, others] = [one, other].map((bytes) => unpackLists(name, bytes).map((list) => Array.from(list)));
    return isDeepStrictEqual(numbers, others);
  } catch {
    return false;
  }
}

/**
 * Packs the sums of a day for queries without filters: rollups, row sums, the time on page and the revenue. Only the
 * quarter-hour sums are packed elsewhere (packed-day.ts).
 */
export function makeRollupBlobs(
  day: Day,
  texts: NameTexts,
  names: readonly StoredBreakdown[] = STORED_BREAKDOWNS,
): StoredBlob[] {
  const numbers = readNumbers(day);
  const blobs = names.flatMap((name): StoredBlob[] => {
    const rollup = makeRollup(day, name, texts);
    const blob = { name, data: packDayRollup(name, rollup) };
    if (!hasSums(name)) return [blob];
    return [blob, { name: nameSums(name), data: packSums(name, rollup, sumRows(day, name, rollup.terms, numbers)) }];
  });
  const { seen, told } = sumTimes(day, selectAll(day), {});
  return [...blobs, { name: TIMES, data: pack([narrow([seen, told])]) }, packRevenue(day, texts)];
}

/**
 * Returns the row sums of a breakdown that did not exist when the day was sealed. All visits then have the empty value,
 * so the row of the empty value gets the totals of the day.
 */
const makeEmptySums = (breakdown: Breakdown, day: SealedDay): MoreSums =>
  Object.fromEntries(
    listSumNames(breakdown).map((name) => [
      name,
      keepsEmpty(breakdown) && day.visitors > 0 ? [readTotal(day, name)] : [],
    ]),
  );

/**
 * Reads the time on page of a day. Returns undefined if the day does not store this time, for example because the day
 * was imported as totals-only.
 */
export function readTimes(db: Db, day: SealedDay): Times | undefined {
  const bytes = findBlob(db, rollupTable(day.reduced !== undefined), day.id, TIMES);
  if (!bytes) return undefined;
  const [seen = 0, told = 0] = unpack(bytes)[0] ?? [];
  return { seen, told };
}
