import type { Numbers } from '../column/packing.ts';
import type { Selection } from './day.ts';

/** A set of visits of a day, with one bit for each visit of the day. For ten million visits, the bits take 1.25 MB. */
export type VisitSet = {
  /** The number of all visits of the day, in the set or not. */
  size: number;
  has(visit: number): boolean;
  add(visit: number): void;
  /**
   * Returns the first visit of the set from visit `at` on. If `isMember` is false, returns the first visit that is not
   * in the set. Returns `size` if there is none.
   */
  next(isMember: boolean, at: number): number;
  /**
   * Removes the visits of the set from a selection. One loop here is faster than a call of `has` for each visit. The
   * selection may belong to a smaller day, such as a day of the recent visits of a shard. In this case, `places` is
   * needed: visit `i` of the smaller day is visit `places[i]` of the whole shard.
   */
  leave(selection: Selection, places?: Numbers): Selection;
  copy(): VisitSet;
};

const BITS = 32;

export function makeVisitSet(size: number, words = new Int32Array(Math.ceil(size / BITS))): VisitSet {
  return {
    size,
    has: (visit) => ((words[visit >>> 5] as number) & (1 << (visit & 31))) !== 0,
    add(visit) {
      words[visit >>> 5] = (words[visit >>> 5] as number) | (1 << (visit & 31));
    },
    next(isMember, at) {
      const flip = isMember ? 0 : -1;
      let place = at >>> 5;
      // The search may begin in the middle of a 32-bit word, so the bits before `at` are set to 0.
      let found = place < words.length ? ((words[place] as number) ^ flip) & (-1 << (at & 31)) : 0;
      while (found === 0 && ++place < words.length) found = (words[place] as number) ^ flip;
      return found === 0 ? size : Math.min(place * BITS + BITS - 1 - Math.clz32(found & -found), size);
    },
    leave({ visits, count }, places) {
      let left = 0;
      for (let i = 0; i < count; i++) {
        const visit = visits[i] as number;
        const place = places ? (places[visit] as number) : visit;
        visits[left] = visit;
        left += (((words[place >>> 5] as number) >>> (place & 31)) & 1) ^ 1;
      }
      return { visits, count: left };
    },
    copy: () => makeVisitSet(size, words.slice()),
  };
}
