import type { Column } from './columns.ts';

/** Reading a column takes as long as counting it. One filter over ten million hits needs about a third of this. */
const MAX_BYTES = 24 * 1024 * 1024;
/** A column that the last 8 queries did not use may be evicted. */
const STALE = 8;

type Entry = { column: Column; bytes: number; lastQuery: number };

/** Caches columns of sealed days, which never change, by a key that is never reused. */
export function columnCache(maxBytes = MAX_BYTES) {
  const entries = new Map<number, Entry>();
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
    of(key: number, read: () => Column): Column {
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
      const bytes = column.terms.byteLength + column.codes.byteLength;
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
