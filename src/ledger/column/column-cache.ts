// This cache keeps unpacked columns in the memory of a thread. A column has a value for each visit or hit of a day. A
// cached column never changes, and a key always stands for the same column.
// Invariant: all cached columns together have at most `maxBytes`. A column that one of the last 8 queries used is not
// removed.
//
// Example: a machine with 2 GB of memory gives each thread 32 MB. A column of 100,000 hits with 2 bytes for each takes
// 200 KB. So about 160 columns fit.
//
// If the cache is full of recently used columns, a new column is not cached. Otherwise a query that reads more columns
// than fit would remove each column just before its next use.
// query/day-reader.ts caches columns of sealed (packed) days. open/open-day-cache.ts caches columns of shards, parts of
// open days.
import type { Column } from './column.ts';
import type { Numbers } from './packing.ts';

const MB = 1024 * 1024;
/**
 * A thread's cache for columns has room for at least this number of bytes. A query with one filter over ten million
 * hits reads about 8 MB of columns. In a smaller cache, columns would often be missing. Reading a column again takes as
 * long as counting it.
 */
export const FEWEST_BYTES = 24 * MB;
/**
 * A thread's cache for columns has room for at most this number of bytes. With 64 MB, forty different queries over ten
 * million hits took a fifth less time than with less.
 */
const MOST_BYTES = 64 * MB;
/**
 * A thread's cache for columns takes 1/64 of the machine's memory: at least 24 MB, at most 64 MB. With 2 GB of memory,
 * this is 32 MB.
 */
const SHARE = 64;

export const limitColumnBytes = (memory: number): number =>
  Math.min(Math.max(memory / SHARE, FEWEST_BYTES), MOST_BYTES);

/**
 * If the cache is full, a column is removed only if none of the last 8 queries used it. Otherwise a query that reads
 * more columns than fit would remove each column just before its next use.
 */
const STALE = 8;

type Lists = Readonly<Record<string, Numbers>>;
type Entry<Kept> = { column: Kept; bytes: number; lastQuery: number };

const sumBytes = (lists: Lists): number => Object.values(lists).reduce((sum, { byteLength }) => sum + byteLength, 0);

export function makeColumnCache<Kept extends Lists = Column>(maxBytes = FEWEST_BYTES) {
  const entries = new Map<number, Entry<Kept>>();
  let size = 0;
  let query = 0;

  function makeRoom(bytes: number): boolean {
    for (const [key, entry] of entries) {
      if (size + bytes <= maxBytes || query - entry.lastQuery < STALE) break;
      entries.delete(key);
      size -= entry.bytes;
    }
    return size + bytes <= maxBytes;
  }

  return {
    /**
     * Must be called at the start of each query. The count of queries shows which columns were not used lately and may
     * be removed from the cache.
     */
    nextQuery(): void {
      query++;
    },
    of(key: number, read: () => Kept): Kept {
      const entry = entries.get(key);
      if (entry) {
        // The column moves to the end of the map. So the map is in the order of last use, and `makeRoom` removes the
        // oldest first.
        if (entry.lastQuery !== query) {
          entries.delete(key);
          entries.set(key, entry);
          entry.lastQuery = query;
        }
        return entry.column;
      }
      const column = read();
      const bytes = sumBytes(column);
      if (makeRoom(bytes)) {
        entries.set(key, { column, bytes, lastQuery: query });
        size += bytes;
      }
      return column;
    },
    forget(): void {
      entries.clear();
      size = 0;
    },
  };
}
