// Caches unpacked columns in the memory of one thread. A key always means the same column.
//
// Invariant: all cached columns together have at most `maxBytes`. A column that one of the last 8 queries used is not
// removed. If the cache is full of such columns, a new column is not cached.
//
// Example: on a machine with 2 GB of memory, each thread caches up to 32 MB. A column of 100,000 hits with 2 bytes for
// each hit takes 200 KB, so about 160 columns fit. query/day-reader.ts caches columns of sealed days, and
// open/open-day-cache.ts caches columns of shards.
import type { Numbers } from './packing.ts';

const MB = 1024 * 1024;
/**
 * The smallest size of a cache. A query with one filter over ten million hits reads about 8 MB of columns. The columns
 * of three such queries fit. Without the cache, reading a column again takes as long as counting it.
 */
export const FEWEST_BYTES = 24 * MB;
/**
 * The largest size of a cache. `npm run bench` has 78 queries. With 64 MB in place of 256 MB, eight of these queries
 * take 1.5 to 3 times as long. In this bench, the process needs no more memory with 256 MB than with 64 MB.
 */
const MOST_BYTES = 256 * MB;
/** The cache of a thread may take 1/64 of the machine's memory. */
const SHARE = 64;

export const limitColumnBytes = (memory: number): number =>
  Math.min(Math.max(memory / SHARE, FEWEST_BYTES), MOST_BYTES);

/**
 * A full cache removes only columns that none of the last 8 queries used. Without this rule, a query with more columns
 * than fit would remove each column just before its next use.
 */
const STALE = 8;

/**
 * About how many bytes an entry takes in addition to its numbers. Some entries have only two numbers: the visible
 * seconds of a day, and the number of pageviews with known seconds. If the cache counted only numbers, a great many of
 * these entries could fill the memory.
 */
export const ENTRY_BYTES = 100;

type Lists = Readonly<Record<string, Numbers>>;
type Entry = { column: Lists; bytes: number; lastQuery: number };

const sumBytes = (lists: Lists): number =>
  Object.values(lists).reduce((sum, { byteLength }) => sum + byteLength, ENTRY_BYTES);

export function makeColumnCache(maxBytes = FEWEST_BYTES) {
  const entries = new Map<number | string, Entry>();
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
     * Must be called at the start of each query. The cache counts queries, because it removes only columns that the
     * last 8 queries did not use.
     */
    nextQuery(): void {
      query++;
    },
    of<Kept extends Lists>(key: number | string, read: () => Kept): Kept {
      const entry = entries.get(key);
      if (entry) {
        // The column moves to the end of the map, so the map is in the order of last use.
        if (entry.lastQuery !== query) {
          entries.delete(key);
          entries.set(key, entry);
          entry.lastQuery = query;
        }
        return entry.column as Kept;
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
