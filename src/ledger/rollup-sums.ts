import type { SealedDay } from '../catalog/sealed-days.ts';
import { BREAKDOWN_NAMES, BREAKDOWNS, type Breakdown, DIMENSIONS } from '../stats/dimensions.ts';
import type { Times } from '../stats/measured.ts';
import type { SumName } from '../stats/metrics.ts';
import type { Db } from '../store/statements.ts';
import { keepsEmpty } from './breakdowns.ts';
import { compress, decompress, narrow, pack, unpack } from './bytes.ts';
import type { MoreSums } from './counts.ts';
import type { Day } from './day.ts';
import { findPiece, type Piece, rollupTable } from './pieces.ts';
import { hasRollup, packRollup, rollupOf, withCodesAsTerms } from './rollups.ts';
import { type NumbersOf, numbersOf, rowSums } from './row-sums.ts';
import { everyVisit } from './tally.ts';
import { timesOf } from './times.ts';

/** What is added up of each row beside its visitors when a day is sealed, so that figures of rows need no column. */
const SUMS = ['visits', 'bounces', 'seconds', 'pageviews'] as const satisfies readonly SumName[];

/** Pages are so many that their sums would make the file a tenth larger. */
const hasSums = (breakdown: Breakdown): boolean => DIMENSIONS[BREAKDOWNS[breakdown]].kind === 'visit';
export const SUMMED_BREAKDOWNS = BREAKDOWN_NAMES.filter(hasSums);

/** True if sealed days have these sums of their rows. */
export const areSummed = (breakdown: Breakdown, names: readonly SumName[]): boolean =>
  names.length === 0 || (hasSums(breakdown) && names.every((name) => SUMS.some((sum) => sum === name)));

/** The name of the piece with the sums of the rows of a rollup, in the order of its rows. */
export type SumsName = `${Breakdown} sums`;
export const sumsName = (breakdown: Breakdown): SumsName => `${breakdown} sums`;

/** The name of the piece with the time for which the pages of a day were seen. */
const TIMES = 'times';

/** Compressed, because a few rows are so large that all others have bytes to spare. */
export const packSums = (sums: MoreSums): Buffer => compress(SUMS.map((name) => narrow(sums[name] ?? [])));

export function unpackSums(bytes: Uint8Array): MoreSums {
  const lists = decompress(bytes);
  if (lists.length !== SUMS.length) throw new RangeError(`sums have ${lists.length} lists, expected ${SUMS.length}`);
  return Object.fromEntries(SUMS.map((name, i) => [name, lists[i]]));
}

function sumsOf(day: Day, breakdown: Breakdown, terms: ArrayLike<number>, numbers: NumbersOf): MoreSums {
  const name = BREAKDOWNS[breakdown];
  const rows = rowSums(breakdown, SUMS, { counted: {}, goal: [], numbers });
  rows.add(withCodesAsTerms(day, name), everyVisit(day));
  const codes = new Map(Array.from(day.column(name).terms, (term, code) => [term, code]));
  return rows.of(Array.from(terms, (term) => codes.get(term) ?? 0));
}

/** What questions without filters need of a day: a rollup for each of these breakdowns, the sums of its rows, and the times of pages. */
export function rollupPieces(day: Day, names: readonly Breakdown[] = BREAKDOWN_NAMES): Piece[] {
  const numbers = numbersOf(day);
  const pieces = names.flatMap((name): Piece[] => {
    const rollup = rollupOf(day, name);
    const piece = { name, data: packRollup(name, rollup) };
    if (!hasSums(name)) return [piece];
    return [piece, { name: sumsName(name), data: packSums(sumsOf(day, name, rollup.terms, numbers)) }];
  });
  const { seen, told } = timesOf(day, everyVisit(day), {});
  return [...pieces, { name: TIMES, data: pack([narrow([seen, told])]) }];
}

/** Those of a dimension that was added after the day was sealed: all its visits have the empty value. */
const emptySums = (breakdown: Breakdown, day: SealedDay): MoreSums =>
  Object.fromEntries(SUMS.map((name) => [name, keepsEmpty(breakdown) && day.visitors > 0 ? [day[name]] : []]));

/** The sums of the rows of a rollup. Undefined of days that an older version sealed, and of those that were imported without hits. */
export function readSums(db: Db, day: SealedDay, breakdown: Breakdown): MoreSums | undefined {
  if (!hasRollup(breakdown, day)) return emptySums(breakdown, day);
  const bytes = findPiece(db, rollupTable(day.reduced !== undefined), day.id, sumsName(breakdown));
  return bytes && unpackSums(bytes);
}

/** The same of the times of its pages. */
export function readTimes(db: Db, day: SealedDay): Times | undefined {
  const bytes = findPiece(db, rollupTable(day.reduced !== undefined), day.id, TIMES);
  if (!bytes) return undefined;
  const [seen = 0, told = 0] = unpack(bytes)[0] ?? [];
  return { seen, told };
}
