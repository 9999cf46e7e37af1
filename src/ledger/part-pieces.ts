import type { Db } from '../store/statements.ts';
import { free, type Numbers, narrow, pack, unpack } from './bytes.ts';
import { type Column, PART_COLUMNS, type PartColumn, packPartColumn, unpackPartColumn } from './columns.ts';
import { type OpenPart, partPiece } from './open-parts.ts';
import { emptyPartRows, type Part, type PartRows } from './part.ts';
import type { Piece } from './pieces.ts';

/** Visitor codes have 53 bits, which are packed as their lower 32 and the rest. */
const HALF = 2 ** 32;
const NONE = new Uint8Array(0);

/** A loop, in which no number becomes an object, and no remainder of a division: most of a round went into these. */
function packCodes(codes: Float64Array): Numbers[] {
  const [low, high] = [new Uint32Array(codes.length), new Uint32Array(codes.length)];
  for (let i = 0; i < codes.length; i++) {
    const upper = Math.floor((codes[i] as number) / HALF);
    high[i] = upper;
    low[i] = (codes[i] as number) - upper * HALF;
  }
  return [low, high];
}

const unpackCodes = (low: Numbers, high: Numbers): Float64Array => {
  const codes = new Float64Array(low.length);
  for (let i = 0; i < codes.length; i++) codes[i] = (high[i] as number) * HALF + (low[i] as number);
  return codes;
};

const packIdle = ({ count, visitor, second }: PartRows): Buffer =>
  pack([...packCodes(visitor.subarray(0, count)), narrow(second.subarray(0, count))]);

function unpackIdle(bytes: Uint8Array): PartRows {
  // A part of an earlier version has more lists, which tell nothing.
  const [low = NONE, high = NONE, second = NONE] = unpack(bytes);
  const rows = emptyPartRows(low.length);
  rows.count = low.length;
  rows.visitor.set(unpackCodes(low, high));
  rows.second.set(second);
  return rows;
}

/** Each visitor once. */
function visitorsOf(part: Part): Float64Array {
  const again = part.column('again').codes;
  const codes = part.codes();
  const visitors = new Float64Array(codes.length);
  let count = 0;
  for (let visit = 0; visit < codes.length; visit++) if (again[visit] === 0) visitors[count++] = codes[visit] as number;
  return visitors.subarray(0, count);
}

function packVisitors(part: Part): Buffer {
  const lists = packCodes(visitorsOf(part));
  const packed = pack(lists);
  for (const list of lists) free(list);
  return packed;
}

/** The visitor of each visit. */
function codesOf(low: Numbers, high: Numbers, again: Numbers): Float64Array {
  const codes = new Float64Array(again.length);
  let visitor = -1;
  for (let visit = 0; visit < codes.length; visit++) {
    if (again[visit] === 0) visitor++;
    codes[visit] = (high[visitor] as number) * HALF + (low[visitor] as number);
  }
  return codes;
}

/** A part, ready to be written. */
export const piecesOf = (part: Part): Piece[] => [
  { name: 'visitor', data: packVisitors(part) },
  { name: 'idle', data: packIdle(part.idle) },
  ...PART_COLUMNS.map((name) => ({ name, data: packPartColumn(name, part.column(name)) })),
];

/** Reads a column of a part, or has it from a cache. */
export type ReadColumn = (partId: number, name: PartColumn, read: () => Column) => Column;

/** A part as it was written. Its visitors are read when they are needed, and kept. */
export function readPart(db: Db, day: number, row: OpenPart, cached: ReadColumn = (_, __, read) => read()): Part {
  let codes: Float64Array | undefined;
  const column = (name: PartColumn): Column =>
    cached(row.id, name, () => unpackPartColumn(name, partPiece(db, row.id, name)));
  return {
    day,
    totals: row,
    column,
    codes() {
      if (!codes) {
        const piece = partPiece(db, row.id, 'visitor');
        const [low = NONE, high = NONE] = unpack(piece);
        codes = codesOf(low, high, column('again').codes);
        free(piece);
      }
      return codes;
    },
    idle: unpackIdle(partPiece(db, row.id, 'idle')),
  };
}
