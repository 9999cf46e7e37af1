import { isDeepStrictEqual } from 'node:util';
import type { SealedDay } from '../../catalog/sealed-days.ts';
import { BREAKDOWN_NAMES, BREAKDOWNS, type Breakdown, type Counted, DIMENSIONS } from '../../stats/dimensions.ts';
import type { Times, Totals } from '../../stats/measured.ts';
import type { SumName } from '../../stats/metrics.ts';
import type { Db } from '../../store/db.ts';
import { findBlob, rollupTable, type StoredBlob } from '../column/blobs.ts';
import { compress, decompressForNow, isCompressed, type Numbers, narrow, pack, unpack } from '../column/packing.ts';
import { keepsEmpty } from '../count/breakdown.ts';
import { type ReadNumbers, readNumbers, rowSums } from '../count/row-figures.ts';
import { listOf, type MoreSums, type RowCount } from '../count/term-counts.ts';
import { sumTimes } from '../count/time-on-page.ts';
import { type Day, selectAll } from '../day/day.ts';
import { hasRollup, makeRollup, packDayRollup, readRollup, unpackRollup, withCodesAsTerms } from './rollup.ts';

/** What is added up of each row beside its visitors when a day is sealed, so that figures of rows need no column. */
const SUMS: Record<Counted, readonly SumName[]> = {
  visits: ['visits', 'bounces', 'seconds', 'pageviews'],
  pageviews: ['visits', 'seen', 'told'],
  hits: [],
  events: [],
};

const totalOf = (day: SealedDay, name: SumName): number => (name in day ? (day[name as keyof Totals] as number) : 0);

const sumNames = (breakdown: Breakdown): readonly SumName[] => SUMS[DIMENSIONS[BREAKDOWNS[breakdown]].counts];
const hasSums = (breakdown: Breakdown): boolean => sumNames(breakdown).length > 0;
export const SUMMED_BREAKDOWNS = BREAKDOWN_NAMES.filter(hasSums);

/** True if sealed days have these sums of their rows. */
export const areSummed = (breakdown: Breakdown, names: readonly SumName[]): boolean =>
  names.every((name) => sumNames(breakdown).includes(name));

/** The name of the blob with the sums of the rows of a rollup, in the order of its rows. */
export type SumsName = `${Breakdown} sums`;
export const sumsName = (breakdown: Breakdown): SumsName => `${breakdown} sums`;

/** The name of the blob with the time for which the pages of a day were seen. */
const TIMES = 'times';

/** The count to which a sum is near, above it or below: their differences take half the room. */
const NEAR: Partial<Record<SumName, readonly [SumName | 'visitors', 1 | -1]>> = {
  visits: ['visitors', 1],
  bounces: ['visits', -1],
  pageviews: ['bounces', 1],
  told: ['hits', -1],
};

type Rows = Pick<RowCount, 'visitors' | 'hits'>;
type Known = Partial<Record<SumName | 'visitors', ArrayLike<number>>>;

/** The sums of rows, in the order of their rollup. */
export function packSums(breakdown: Breakdown, rows: Rows, sums: MoreSums): Buffer {
  const known: Known = { ...rows, ...sums };
  const lists = sumNames(breakdown).map((name) => {
    const [near, sign] = NEAR[name] ?? [];
    const [own, other] = [sums[name] ?? [], near && known[near]];
    return narrow(other && sign ? listOf(own, (sum, i) => sign * (sum - (other[i] as number))) : own);
  });
  return compress(lists);
}

export function unpackSums(breakdown: Breakdown, rows: Rows, bytes: Uint8Array): MoreSums {
  const [lists, names] = [decompressForNow(bytes), sumNames(breakdown)];
  if (lists.length !== names.length)
    throw new RangeError(`sums of ${breakdown} have ${lists.length} lists, expected ${names.length}`);
  const known: Known = { ...rows };
  for (const [i, name] of names.entries()) {
    const [near, sign] = NEAR[name] ?? [];
    const [own, other] = [lists[i] as Numbers, near && known[near]];
    known[name] = other && sign ? listOf(own, (difference, row) => (other[row] as number) + sign * difference) : own;
  }
  return Object.fromEntries(names.map((name) => [name, known[name]]));
}

/** Where terms are in a dictionary that has all of them. Both ascend. */
function codesOf(terms: ArrayLike<number>, dictionary: ArrayLike<number>): Uint32Array {
  const codes = new Uint32Array(terms.length);
  let code = 0;
  for (let i = 0; i < terms.length; i++) {
    while (dictionary[code] !== terms[i]) code++;
    codes[i] = code;
  }
  return codes;
}

function sumsOf(day: Day, breakdown: Breakdown, terms: ArrayLike<number>, numbers: ReadNumbers): MoreSums {
  const name = BREAKDOWNS[breakdown];
  const rows = rowSums(breakdown, sumNames(breakdown), { counted: {}, goal: [], numbers });
  rows.add(withCodesAsTerms(day, name), selectAll(day));
  return rows.of(codesOf(terms, day.column(name).terms));
}

const unpacked = (name: string, bytes: Uint8Array): ArrayLike<number>[] => {
  if (name in BREAKDOWNS) return Object.values(unpackRollup(name as Breakdown, bytes));
  return isCompressed(bytes) ? decompressForNow(bytes) : unpack(bytes);
};

/** True if two blobs of a name have the same numbers. Their bytes differ where another zstd packed them. */
export function haveSame(name: string, one: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(one, other) === 0) return true;
  try {
    const [numbers, others] = [one, other].map((bytes) => unpacked(name, bytes).map((list) => Array.from(list)));
    return isDeepStrictEqual(numbers, others);
  } catch {
    return false;
  }
}

/** What questions without filters need of a day: a rollup for each of these breakdowns, the sums of its rows, and the times of pages. */
export function makeRollupBlobs(day: Day, names: readonly Breakdown[] = BREAKDOWN_NAMES): StoredBlob[] {
  const numbers = readNumbers(day);
  const blobs = names.flatMap((name): StoredBlob[] => {
    const rollup = makeRollup(day, name);
    const blob = { name, data: packDayRollup(name, rollup) };
    if (!hasSums(name)) return [blob];
    return [blob, { name: sumsName(name), data: packSums(name, rollup, sumsOf(day, name, rollup.terms, numbers)) }];
  });
  const { seen, told } = sumTimes(day, selectAll(day), {});
  return [...blobs, { name: TIMES, data: pack([narrow([seen, told])]) }];
}

/** Those of a dimension of visits that was added after the day was sealed: all its visits have the empty value. */
const emptySums = (breakdown: Breakdown, day: SealedDay): MoreSums =>
  Object.fromEntries(
    sumNames(breakdown).map((name) => [name, keepsEmpty(breakdown) && day.visitors > 0 ? [totalOf(day, name)] : []]),
  );

/**
 * The rollup of a day with the sums of its rows; undefined of days that were imported without hits.
 */
export function readRows(db: Db, day: SealedDay, breakdown: Breakdown): RowCount | undefined {
  if (!hasRollup(breakdown, day)) return { ...readRollup(db, day, breakdown), more: emptySums(breakdown, day) };
  const bytes = findBlob(db, rollupTable(day.reduced !== undefined), day.id, sumsName(breakdown));
  if (!bytes) return undefined;
  const rollup = readRollup(db, day, breakdown);
  return { ...rollup, more: unpackSums(breakdown, rollup, bytes) };
}

/** The same of the times of its pages. */
export function readTimes(db: Db, day: SealedDay): Times | undefined {
  const bytes = findBlob(db, rollupTable(day.reduced !== undefined), day.id, TIMES);
  if (!bytes) return undefined;
  const [seen = 0, told = 0] = unpack(bytes)[0] ?? [];
  return { seen, told };
}
