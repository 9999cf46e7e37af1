// A cache keeps unpacked columns of sealed days in a thread. Such columns never change, and a key is never used again.
// Invariant: the bytes of all kept columns stay below the limit. A column that one of the last 8 queries used is not evicted.
//
// Example: a machine with 2 GB of memory gives each thread 32 MB. A column of 100,000 hits with a code of 2 bytes takes 200 KB, so about
// 160 such columns stay.
//
// Recent columns stay on purpose. A query over more than fits would evict each column just before its next use.
// query/day-reader.ts keeps columns of sealed days, open/open-day-cache.ts columns of shards.
import type { Column } from './column.ts';
import type { Numbers } from './packing.ts';

const MB = 1024 * 1024;
/**
 * A thread may always keep so much. Reading a column takes as long as counting it. One filter over ten million hits reads about a third of
 * this.
 */
export const FEWEST_BYTES = 24 * MB;
/** With so much, forty different queries over ten million hits take about a fifth less time. */
const MOST_BYTES = 64 * MB;
/** One thread may take this fraction of the memory. */
const SHARE = 64;

/** The bytes that a thread may keep on a machine, or in a container, with so much memory. */
export const limitColumnBytes = (memory: number): number =>
  Math.min(Math.max(memory / SHARE, FEWEST_BYTES), MOST_BYTES);

/** A column may be evicted if the last 8 queries did not use it. */
const STALE = 8;

/** The lists of a column or of a rollup. */
type Lists = Readonly<Record<string, Numbers>>;
type Entry<Kept> = { column: Kept; bytes: number; lastQuery: number };

const sumBytes = (lists: Lists): number => Object.values(lists).reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Makes a cache of columns. */
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
    /** Must be called at the start of each query. */
    nextQuery(): void {
      query++;
    },
    of(key: number, read: () => Kept): Kept {
      const entry = entries.get(key);
      if (entry) {
        // The map stays in the order of last use.
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
