// Caches the selections of the latest filters. A dashboard sends about a dozen queries with equal filters, so a
// selection is used several times.
//
// Invariant: a cached selection stays correct. Only selections of sealed days are cached, because their visits never
// change.
//
// Example: a filter selects 300,000 of 1,000,000 visits. One bit for each visit takes 125 KB, and a list would take 1.2
// MB. If fewer than one visit in 32 is selected, the selection is stored as a list. query/day-reader.ts makes a cache
// for each thread.
import { type Selection, sharedBuffer } from '../day/day.ts';

/**
 * An entry of the cache is the selection of one day. An entry takes about this many bytes in addition to its visits.
 */
const ENTRY_BYTES = 100;
/**
 * How many bytes are counted for each character of the filters, which are kept as a text. If these texts were not
 * counted, long filters could fill the memory.
 */
const CHARACTER_BYTES = 2;

/**
 * Makes a cache with room for `maxBytes` bytes. If the cache is full, it removes the selections of those filters that
 * were used longest ago.
 */
export function makeSelectionCache(maxBytes: number) {
  /**
   * The outer key is the text of the filters, and the inner key is the id of a day. The map is in the order of use: the
   * filters of the latest query are at the end.
   */
  const kept = new Map<string, Map<number, Kept>>();
  let size = 0;
  const countBytes = ({ byteLength }: Kept): number => byteLength + ENTRY_BYTES;

  function daysFor(filters: string): Map<number, Kept> {
    const days = kept.get(filters) ?? new Map<number, Kept>();
    if (!kept.delete(filters)) size += filters.length * CHARACTER_BYTES;
    kept.set(filters, days);
    return days;
  }

  function makeRoom(bytes: number): boolean {
    for (const [filters, days] of kept) {
      if (size + bytes <= maxBytes || kept.size === 1) break;
      kept.delete(filters);
      size -= filters.length * CHARACTER_BYTES;
      for (const one of days.values()) size -= countBytes(one);
    }
    return size + bytes <= maxBytes;
  }

  return {
    /**
     * Returns the selection of a day. `visits` is the number of all visits of the day. `find` is called only if the
     * cache lacks the selection.
     */
    of(filters: string, { id, visits }: { id: number; visits: number }, find: () => Selection): Selection {
      const days = daysFor(filters);
      const known = days.get(id);
      if (known) return known instanceof Uint8Array ? readBits(known) : readList(known);
      const selection = find();
      const entry = keep(selection, visits);
      if (makeRoom(countBytes(entry))) {
        days.set(id, entry);
        size += countBytes(entry);
      }
      return selection;
    },
    forget(): void {
      kept.clear();
      size = 0;
    },
  };
}

function makeBits({ visits, count }: Selection, all: number): Uint8Array {
  const bits = new Uint8Array((all + 7) >> 3);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    bits[visit >> 3] = (bits[visit >> 3] as number) | (1 << (visit & 7));
  }
  return bits;
}

function readBits(bits: Uint8Array): Selection {
  const visits = sharedBuffer('visits', bits.length * 8);
  let count = 0;
  for (let place = 0; place < bits.length; place++) {
    const eight = bits[place] as number;
    if (eight === 0) continue;
    for (let bit = 0; bit < 8; bit++) {
      visits[count] = place * 8 + bit;
      count += (eight >> bit) & 1;
    }
  }
  return { visits, count };
}

function readList(list: Uint32Array): Selection {
  const visits = sharedBuffer('visits', list.length);
  visits.set(list);
  return { visits, count: list.length };
}

type Kept = Uint8Array | Uint32Array;

function keep(selection: Selection, all: number): Kept {
  const { visits, count } = selection;
  return count * 32 < all ? visits.slice(0, count) : makeBits(selection, all);
}
