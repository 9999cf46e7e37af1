// Puts rows of the table `hit` into arrays, one array for each column. hits.ts yields each row as a list (`HitList`).
//
// Invariant: apart from its `HitList`, nothing is allocated for a row, because more objects would slow down the garbage
// collector.
//
// Example: `appendLists(emptyRows(0), lists)` puts the lists that `listHits` yields into new arrays.
// open/row-sources.ts and transfer.ts call this file.
import { emptyRows, type ImportedRows } from '../../engine/import-content.ts';
import { TEXT_FIELDS, type TextField } from '../../stats/dimensions.ts';

/**
 * Adds a row for each list. The result may share buffers with `rows`, so the caller must use only the result
 * afterwards.
 */
export function appendLists(rows: ImportedRows, lists: Iterable<HitList>): ImportedRows {
  let result = rows;
  for (const list of lists) {
    if (result.count === result.second.length) result = doubleRoom(result);
    put(result, result.count++, list);
  }
  return result;
}

export function dropFirst(rows: ImportedRows, some: number): ImportedRows {
  const fewer = emptyRows(rows.count - some);
  fewer.count = rows.count - some;
  fewer.second.set(rows.second.subarray(some, rows.count));
  fewer.visitor.set(rows.visitor.subarray(some, rows.count));
  fewer.engaged.set(rows.engaged.subarray(some, rows.count));
  fewer.scroll.set(rows.scroll.subarray(some, rows.count));
  fewer.vitals.set(rows.vitals.subarray(some, rows.count));
  for (const field of TEXT_FIELDS) fewer.terms[field].set(rows.terms[field].subarray(some, rows.count));
  return fewer;
}

/**
 * A row of the table `hit` as a list. First come the id, the second, the visitor code, `engaged` and the packed
 * `scroll`. Then come the terms, with the property set among them, and the packed web vitals. A hit has -1 as
 * `engaged`.
 */
export type HitList = number[];

/** The index of the packed web vitals in a `HitList`. */
export const VITALS_AT = 5 + TEXT_FIELDS.length;

function doubleRoom(rows: ImportedRows): ImportedRows {
  const larger = emptyRows(Math.max(rows.second.length, 1) * 2);
  larger.count = rows.count;
  larger.second.set(rows.second);
  larger.visitor.set(rows.visitor);
  larger.engaged.set(rows.engaged);
  larger.scroll.set(rows.scroll);
  larger.vitals.set(rows.vitals);
  for (const field of TEXT_FIELDS) larger.terms[field].set(rows.terms[field]);
  return larger;
}

/** Writes the fields of `list` as row `at` of `rows`. Destructuring would create another list for each row. */
function put(rows: ImportedRows, at: number, list: HitList): void {
  rows.second[at] = list[1] as number;
  rows.visitor[at] = list[2] as number;
  rows.engaged[at] = list[3] as number;
  rows.scroll[at] = list[4] as number;
  for (let i = 0; i < TEXT_FIELDS.length; i++) rows.terms[TEXT_FIELDS[i] as TextField][at] = list[5 + i] as number;
  rows.vitals[at] = list[VITALS_AT] as number;
}
