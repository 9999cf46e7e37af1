import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DAY } from '../lib/time.ts';
import { DIMENSIONS, type DimensionName, HIT_WORDS, VISIT_WORDS } from '../stats/dimensions.ts';
import { type Numbers, narrow, pack, unpack } from './bytes.ts';

/**
 * What a sealed day keeps of its visits and of its hits. A value is the id of a term, or a number: `second` is of the day,
 * `engaged` is how many seconds the page was visible, and `again` is 1 where the visitor is that of the visit before; nothing
 * else is known of visitors.
 */
const VISIT_COLUMNS = ['again', ...VISIT_WORDS, 'entry', 'exit', 'hits', 'events', 'seconds'] as const;
const HIT_COLUMNS = [...HIT_WORDS, 'second', 'engaged'] as const;

export const COLUMNS = [...VISIT_COLUMNS, ...HIT_COLUMNS] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** Whether a column has a row for each hit, and not for each visit. */
export const isOfHits = (name: ColumnName): boolean => (HIT_COLUMNS as readonly string[]).includes(name);

/** Whether its values are ids of terms, and not numbers. */
export const hasTerms = (name: ColumnName): name is DimensionName & ColumnName => name in DIMENSIONS;

/** Which values there are, ascending, and for each row the place of its value among them. */
export type Column = { terms: Numbers; codes: Numbers };

/** How a column is packed, where not by a dictionary. What questions seldom name may cost time to unpack. */
const FORMS: Partial<Record<ColumnName, Form>> = {
  again: 'marks',
  hits: 'plain',
  second: 'steps',
  engaged: 'rare',
};
type Form = 'dictionary' | 'plain' | 'marks' | 'steps' | 'rare';

/** A column that is mostly one value is packed as its exceptions where they take less than this part of the bytes. */
const SPARSE = 0.6;

const NONE = new Uint8Array(0);

/** The place of a value among ascending ones, or -1. */
export function codeOf(terms: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = terms[middle] as number;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** For each value that a column has its place plus one, else 0. Kept, because a new one would cost more than its use. */
let places = new Uint32Array(1024);

function placesFor(largest: number): Uint32Array {
  if (largest >= places.length) places = new Uint32Array(2 ** Math.ceil(Math.log2(largest + 1)));
  return places;
}

function dictionaryOf(values: Uint32Array): Column {
  const place = placesFor(values.reduce((largest, value) => Math.max(largest, value), 0));
  const seen: number[] = [];
  for (const value of values) {
    if (place[value] === 0) seen.push(value);
    place[value] = 1;
  }
  const terms = Uint32Array.from(seen).sort();
  for (let i = 0; i < terms.length; i++) place[terms[i] as number] = i + 1;
  const codes = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) codes[i] = (place[values[i] as number] as number) - 1;
  for (const term of terms) place[term] = 0;
  return { terms: narrow(terms), codes: narrow(codes) };
}

export const columnOf = (name: ColumnName, values: Uint32Array): Column =>
  FORMS[name] ? { terms: NONE, codes: narrow(values) } : dictionaryOf(values);

/** The code that most rows have. */
function commonest({ terms, codes }: Column): number {
  const counts = new Uint32Array(terms.length);
  for (const code of codes) counts[code] = (counts[code] as number) + 1;
  return counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
}

function packDictionary(column: Column): Buffer {
  const { terms, codes } = column;
  const common = commonest(column);
  const positions: number[] = [];
  for (let i = 0; i < codes.length; i++) if (codes[i] !== common) positions.push(i);
  const where = narrow(positions);
  const what = narrow(positions.map((i) => codes[i] as number));
  const isSparse = where.byteLength + what.byteLength < SPARSE * codes.byteLength;
  return pack(isSparse ? [terms, narrow([codes.length, common]), where, what] : [terms, codes]);
}

function unpackDictionary(bytes: Uint8Array): Column {
  const [terms = NONE, codes = NONE, where, what] = unpack(bytes);
  if (!where || !what) return { terms, codes };
  const [rows = 0, common = 0] = codes;
  const kind = terms.length <= 256 ? Uint8Array : terms.length <= 65_536 ? Uint16Array : Uint32Array;
  const all = new kind(rows);
  if (common !== 0) all.fill(common);
  for (let i = 0; i < where.length; i++) all[where[i] as number] = what[i] as number;
  return { terms, codes: all };
}

/** Seconds as what lies between neighbours, round the clock: mostly small numbers, which deflate well. */
function stepsOf(seconds: Numbers): Uint32Array {
  let last = 0;
  return new Uint32Array(seconds).map((second) => {
    const step = (second - last + DAY) % DAY;
    last = second;
    return step;
  });
}

function secondsOf(steps: Numbers): Uint32Array {
  let last = 0;
  return new Uint32Array(steps).map((step) => {
    last = (last + step) % DAY;
    return last;
  });
}

/** Of marks, which are 0 or 1, how many there are and where the ones stand. */
function packMarks(marks: Numbers): Buffer {
  const ones: number[] = [];
  for (let row = 0; row < marks.length; row++) if (marks[row] === 1) ones.push(row);
  return pack([narrow([marks.length]), narrow(ones)]);
}

function unpackMarks([rows = NONE, ones = NONE]: Numbers[]): Uint8Array {
  const marks = new Uint8Array(rows[0] ?? 0);
  for (let i = 0; i < ones.length; i++) marks[ones[i] as number] = 1;
  return marks;
}

const PACK: Record<Form, (column: Column) => Buffer> = {
  dictionary: packDictionary,
  plain: ({ codes }) => pack([codes]),
  marks: ({ codes }) => packMarks(codes),
  rare: ({ codes }) => deflateRawSync(pack([codes])),
  steps: ({ codes }) => deflateRawSync(pack([narrow(stepsOf(codes))])),
};

const inflated = (bytes: Uint8Array): Numbers => unpack(inflateRawSync(bytes))[0] ?? NONE;

const UNPACK: Record<Form, (bytes: Uint8Array) => Column> = {
  dictionary: unpackDictionary,
  plain: (bytes) => ({ terms: NONE, codes: unpack(bytes)[0] ?? NONE }),
  marks: (bytes) => ({ terms: NONE, codes: unpackMarks(unpack(bytes)) }),
  rare: (bytes) => ({ terms: NONE, codes: inflated(bytes) }),
  steps: (bytes) => ({ terms: NONE, codes: secondsOf(inflated(bytes)) }),
};

export const packColumn = (name: ColumnName, column: Column): Buffer => PACK[FORMS[name] ?? 'dictionary'](column);

export const unpackColumn = (name: ColumnName, bytes: Uint8Array): Column => UNPACK[FORMS[name] ?? 'dictionary'](bytes);
