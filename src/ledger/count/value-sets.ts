// Finds, for each visit, which of the listed values its hits have. The values are, for example, two host names. The
// result for a visit is a set: a byte with one bit for each listed value.
//
// Invariant: only hits that pass the filters count. With the filter "page is /a", a set has only the host names of
// hits on /a.
//
// Example: the listed values are pro and free. A visit with hits of both has the set 3: bit 0 for pro, and bit 1 for
// free. query/table-counter.ts uses these sets as a key of a table.
import type { Column } from '../column/packing.ts';
import { findStarts } from '../day/day.ts';
import type { ReadColumn } from './dimension-column.ts';
import { type HitTest, makeMatches } from './hit-filter.ts';
import { isEqual, isPossible, type Match, pairMatches } from './match.ts';

/**
 * Returns a function that reads the set of each visit. `terms` has the term of each listed value, or undefined if the
 * site does not have the value. There may be at most 8 values, because a byte has 8 bits. Only hits that pass the tests
 * in `where` are read.
 */
export function makeSetReader(
  read: ReadColumn,
  terms: readonly (number | undefined)[],
  { where }: Pick<HitTest, 'where'>,
): ReadColumn {
  const bits = new Map(terms.map((term, i) => [term, 1 << i]));
  const sets = Uint8Array.from({ length: 1 << terms.length }, (_, set) => set);
  return (day): Column => {
    const column = read(day);
    const matches = makeMatches(day, { where });
    const ofCodes = Uint8Array.from(column.terms, (term) => bits.get(term) ?? 0);
    // The column of a property is empty if no hit of the day has the property.
    const isEmpty = column.codes.length === 0 || ofCodes.every((bit) => bit === 0) || !isPossible(matches);
    const codes = new Uint8Array(day.totals.visits);
    if (!isEmpty && matches.length === 0) collectAllBits(codes, findStarts(day), column.codes, ofCodes);
    else if (!isEmpty) collectBits(codes, findStarts(day), { codes: column.codes, ofCodes, matches });
    return { terms: sets, codes };
  };
}

type Hits = { codes: Column['codes']; ofCodes: Uint8Array; matches: readonly Match[] };

function collectBits(sets: Uint8Array, starts: Uint32Array, { codes, ofCodes, matches }: Hits): void {
  const [first, second] = pairMatches(matches, codes.length);
  for (let visit = 0; visit < sets.length; visit++) {
    const end = starts[visit + 1] as number;
    let set = 0;
    for (let hit = starts[visit] as number; hit < end; hit++) {
      const isCounted =
        isEqual(first.codes[hit] as number, first.code) & isEqual(second.codes[hit] as number, second.code);
      set |= (ofCodes[codes[hit] as number] as number) & -isCounted;
    }
    sets[visit] = set;
  }
}

/**
 * Collects the sets if there is no filter on hits. All hits count in this case, so this loop is faster than the loop of
 * `collectBits`, which tests each hit.
 */
function collectAllBits(sets: Uint8Array, starts: Uint32Array, codes: Column['codes'], ofCodes: Uint8Array): void {
  for (let visit = 0; visit < sets.length; visit++) {
    const end = starts[visit + 1] as number;
    let set = 0;
    for (let hit = starts[visit] as number; hit < end; hit++) set |= ofCodes[codes[hit] as number] as number;
    sets[visit] = set;
  }
}
