import type { Column } from './column.ts';
import type { Numbers } from './packing.ts';

const MB = 1024 * 1024;
/** Reading a column takes as long as counting it. One filter over ten million hits reads about a third of this. */
export const FEWEST_BYTES = 24 * MB;
/** With so much, forty unlike questions in turn over ten million hits take about a fifth less time. */
const MOST_BYTES = 64 * MB;
/** One thread may take this part of the memory. */
const SHARE = 64;

/** How much a thread may keep where a machine, or a container, has so much memory. */
export const columnBytes = (memory: number): number => Math.min(Math.max(memory / SHARE, FEWEST_BYTES), MOST_BYTES);

/** A column that the last 8 queries did not use may be evicted. */
const STALE = 8;

/** The lists of a column, or of a rollup. */
type Lists = Readonly<Record<string, Numbers>>;
type Entry<Kept> = { column: Kept; bytes: number; lastQuery: number };

const bytesOf = (lists: Lists): number => Object.values(lists).reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Caches columns of sealed days, which never change, by a key that is never reused. */
export function columnCache<Kept extends Lists = Column>(maxBytes = FEWEST_BYTES) {
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
        // The map is in the order of last use.
        if (entry.lastQuery !== query) {
          entries.delete(key);
          entries.set(key, entry);
          entry.lastQuery = query;
        }
        return entry.column;
      }
      const column = read();
      const bytes = bytesOf(column);
      // Recent columns are never evicted: a query over more than fits would evict each just before its next use.
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
