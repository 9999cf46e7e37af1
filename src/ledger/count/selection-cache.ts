import { type Selection, sharedBuffer } from '../day/day.ts';

/** What an entry takes beside its own bytes, and a character of a filter, which may be long. */
const ENTRY_BYTES = 100;
const CHARACTER_BYTES = 2;

/** A bit for each visit, which takes less than a list of the selected ones unless these are few. */
function bitsOf({ visits, count }: Selection, all: number): Uint8Array {
  const bits = new Uint8Array((all + 7) >> 3);
  for (let i = 0; i < count; i++) {
    const visit = visits[i] as number;
    bits[visit >> 3] = (bits[visit >> 3] as number) | (1 << (visit & 7));
  }
  return bits;
}

function fromBits(bits: Uint8Array): Selection {
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

function fromList(list: Uint32Array): Selection {
  const visits = sharedBuffer('visits', list.length);
  visits.set(list);
  return { visits, count: list.length };
}

type Kept = Uint8Array | Uint32Array;

function keep(selection: Selection, all: number): Kept {
  const { visits, count } = selection;
  return count * 32 < all ? visits.slice(0, count) : bitsOf(selection, all);
}

/**
 * Keeps which visits of sealed days the latest filters selected, because a dashboard asks a dozen questions about the same ones. Days
 * have ids that are never used again, and never change. Of ten million hits a filter takes half a megabyte.
 */
export function selectionCache(maxBytes: number) {
  /** By filters, in the order of their last use; of each by the id of the day. */
  const kept = new Map<string, Map<number, Kept>>();
  let size = 0;
  const bytesOf = ({ byteLength }: Kept): number => byteLength + ENTRY_BYTES;

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
      for (const one of days.values()) size -= bytesOf(one);
    }
    return size + bytes <= maxBytes;
  }

  return {
    /** The selected visits of a day that has so many; `find` selects them where they are not kept. */
    of(filters: string, { id, visits }: { id: number; visits: number }, find: () => Selection): Selection {
      const days = daysFor(filters);
      const known = days.get(id);
      if (known) return known instanceof Uint8Array ? fromBits(known) : fromList(known);
      const selection = find();
      const entry = keep(selection, visits);
      if (makeRoom(bytesOf(entry))) {
        days.set(id, entry);
        size += bytesOf(entry);
      }
      return selection;
    },
    forget(): void {
      kept.clear();
      size = 0;
    },
  };
}
