// Writes a Parquet file: the bytes `PAR1`, row groups, and a footer that says where each column is.
//
// Invariant: only one chunk of a row group is in memory. The file can be read only after `finish`, which writes the
// footer.
//
// Example: a sealed day of 1,500,000 hits has two row groups, because a row group has at most about 1,000,000 hits.
// Each row group has a chunk for each column, one after the other. table.ts has the columns, and day-files.ts opens the
// file.

import type { Chunk } from './columns.ts';
import { compressPages, ENCODINGS, type Page } from './pages.ts';
import { binary, encode, int32, int64, list, struct, type Thrift } from './thrift.ts';
import { type ColumnType, MAP, PHYSICAL } from './types.ts';

const MAGIC = Buffer.from('PAR1');
const REPETITION = { required: 0, optional: 1, repeated: 2 } as const;

export type Leaf = { path: readonly string[]; type: ColumnType; isOptional: boolean };

/** Receives the bytes of the file. The bytes belong to the sink: no other code changes them afterwards. */
export type Sink = (bytes: Uint8Array) => void;

export function makeParquet(leaves: readonly Leaf[], sink: Sink) {
  const groups: Thrift[] = [];
  let [offset, rows] = [0, 0];

  function write(bytes: Uint8Array): void {
    sink(bytes);
    offset += bytes.length;
  }

  write(MAGIC);
  return {
    /** Writes a row group. `chunks` yields one chunk for each column, so only one chunk is in memory at a time. */
    writeGroup(chunks: Iterable<Chunk>, count: number): void {
      const begin = offset;
      const described: Thrift[] = [];
      let raw = 0;
      for (const chunk of chunks) {
        const packed = compressPages(chunk.pages);
        described.push(describeChunk(leaves[described.length] as Leaf, { ...chunk, ...packed }, offset));
        raw += sum(packed.pages, 'raw');
        for (const { bytes } of packed.pages) for (const part of bytes) write(part);
      }
      const own = { 5: int64(begin), 6: int64(offset - begin) };
      groups.push(struct({ 1: list(described), 2: int64(raw), 3: int64(count), ...own }));
      rows += count;
    },
    /** Writes the footer. `notes` are names with texts, which readers show as the metadata of the file. */
    finish(notes: Record<string, string>): void {
      const pairs = Object.entries(notes).map(([key, value]) => struct({ 1: binary(key), 2: binary(value) }));
      const footer = encode(
        struct({
          1: int32(2),
          2: list(describeSchema(leaves)),
          3: int64(rows),
          4: list(groups),
          5: list(pairs),
          6: binary('daybook'),
          // One empty struct for each column. The struct says that the bounds of the column (smallest and largest
          // value) follow the usual order of its type.
          7: list(leaves.map(() => struct({ 1: struct({}) }))),
        }),
      );
      const length = Buffer.alloc(4);
      length.writeUInt32LE(footer.length);
      write(Buffer.concat([footer, length, MAGIC]));
    },
  };
}

const sum = (pages: readonly Page[], name: 'size' | 'raw'): number => pages.reduce((all, page) => all + page[name], 0);

type PackedChunk = Omit<Chunk, 'pages'> & ReturnType<typeof compressPages>;

function describeChunk({ path, type }: Leaf, chunk: PackedChunk, begin: number): Thrift {
  const { codec, pages, count, nulls, hasDictionary, bounds: [least, most] = [] } = chunk;
  const encodings = [ENCODINGS.plain, ENCODINGS.rle, ...(hasDictionary ? [ENCODINGS.dictionary] : [])];
  const meta = struct({
    1: int32(PHYSICAL[type.physical]),
    2: list(encodings.map(int32)),
    3: list(path.map(binary)),
    4: int32(codec),
    5: int64(count),
    6: int64(sum(pages, 'raw')),
    7: int64(sum(pages, 'size')),
    9: int64(begin + (hasDictionary ? (pages[0] as Page).size : 0)),
    11: hasDictionary ? int64(begin) : undefined,
    12: struct({ 3: int64(nulls), 5: most && binary(most), 6: least && binary(least) }),
  });
  return struct({ 2: int64(0), 3: meta });
}

/** Lists the schema: the root, and then each column. A map is a group that contains a repeated group of two columns. */
function describeSchema(leaves: readonly Leaf[]): Thrift[] {
  const maps = new Set<string>();
  const columns = leaves.flatMap((leaf) => {
    const [name = '', inner] = leaf.path;
    if (inner === undefined) return [describeLeaf(name, leaf)];
    const last = describeLeaf(leaf.path.at(-1) ?? '', leaf);
    if (maps.has(name)) return [last];
    maps.add(name);
    const own = {
      3: int32(REPETITION.required),
      4: binary(name),
      5: int32(1),
      6: int32(MAP.converted),
      10: MAP.logical,
    };
    const pairs = { 3: int32(REPETITION.repeated), 4: binary(inner), 5: int32(2) };
    return [struct(own), struct(pairs), last];
  });
  const names = new Set(leaves.map(({ path }) => path[0]));
  return [struct({ 4: binary('hits'), 5: int32(names.size) }), ...columns];
}

const describeLeaf = (name: string, { type, isOptional }: Leaf): Thrift =>
  struct({
    1: int32(PHYSICAL[type.physical]),
    3: int32(isOptional ? REPETITION.optional : REPETITION.required),
    4: binary(name),
    6: type.converted === undefined ? undefined : int32(type.converted),
    7: type.scale === undefined ? undefined : int32(type.scale),
    8: type.precision === undefined ? undefined : int32(type.precision),
    10: type.logical,
  });
