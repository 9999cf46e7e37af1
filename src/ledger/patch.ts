import { HIT_TEXT_FIELDS, VISIT_TEXT_FIELDS } from '../stats/dimensions.ts';
import { VISIT_GAP } from '../stats/measured.ts';
import type { Column, PartColumn } from './columns.ts';
import { startsOf } from './day.ts';
import { foldPart } from './fold.ts';
import { addRow, emptyPartRows, firstVisitOf, type Part, type PartRows, withRoom } from './part.ts';
import { spliced } from './splice.ts';

/**
 * What came to a part since it was folded. `touched` marks the visits of the part that new rows may extend or join: they are turned
 * back into rows. All other visits stay as they are, because no row is within `VISIT_GAP` of them.
 */
export type Patch = { base: Part; touched: Uint8Array; rows: PartRows };

/** The value of each row of a column. */
function valuesIn(part: Part, name: PartColumn): (row: number) => number {
  const { terms, codes }: Column = part.column(name);
  return terms.length === 0 ? (row) => codes[row] as number : (row) => terms[codes[row] as number] as number;
}

/** Marks the visits that the rows touch; gives those that were not touched before. */
function touch({ base, touched }: Patch, rows: PartRows, indexes: readonly number[]): number[] {
  const codes = base.codes();
  const found: number[] = [];
  const met = indexes.flatMap((index) => {
    const visit = firstVisitOf(codes, rows.visitor[index] as number);
    return codes[visit] === rows.visitor[index] ? [{ at: rows.second[index] as number, visit }] : [];
  });
  if (met.length === 0) return found;
  const starts = startsOf(base);
  const second = valuesIn(base, 'second');
  const seconds = valuesIn(base, 'seconds');
  for (const { at, visit: first } of met) {
    for (let visit = first; visit < codes.length && codes[visit] === codes[first]; visit++) {
      const start = second(starts[visit] as number);
      if (touched[visit] === 1 || at < start - VISIT_GAP || at > start + seconds(visit) + VISIT_GAP) continue;
      touched[visit] = 1;
      found.push(visit);
    }
  }
  return found;
}

/** Turns visits back into rows. Signs of life without seconds stand for those that kept a visit going between its hits. */
function unfold(base: Part, visits: readonly number[], rows: PartRows): PartRows {
  if (visits.length === 0) return rows;
  const starts = startsOf(base);
  const codes = base.codes();
  const second = valuesIn(base, 'second');
  const [seconds, engaged, arrival] = [valuesIn(base, 'seconds'), valuesIn(base, 'engaged'), valuesIn(base, 'arrival')];
  const hitFields = HIT_TEXT_FIELDS.map((name) => [name, valuesIn(base, name)] as const);
  const visitFields = VISIT_TEXT_FIELDS.map((name) => [name, valuesIn(base, name)] as const);
  let result = rows;
  for (const visit of visits) {
    const [from, to] = [starts[visit] as number, starts[visit + 1] as number];
    const end = second(from) + seconds(visit);
    const add = (at: number): number => {
      result = withRoom(result, 1);
      const row = result.count++;
      result.second[row] = at;
      result.visitor[row] = codes[visit] as number;
      result.arrival[row] = arrival(visit);
      return row;
    };
    for (let hit = from; hit < to; hit++) {
      const at = second(hit);
      const row = add(at);
      result.engaged[row] = -1;
      result.seen[row] = engaged(hit);
      for (const [name, value] of hitFields) result.terms[name][row] = value(hit);
      for (const [name, value] of visitFields) result.terms[name][row] = value(visit);
      const next = hit + 1 < to ? second(hit + 1) : end;
      for (let alive = at; alive < next; ) {
        alive = Math.min(alive + VISIT_GAP, next);
        if (alive < next || hit + 1 === to) add(alive);
      }
    }
  }
  return result;
}

export function patchOf(base: Part): Patch {
  const patch = {
    base,
    touched: new Uint8Array(base.totals.visits),
    rows: withRoom(emptyPartRows(0), base.idle.count),
  };
  const idle = Array.from({ length: base.idle.count }, (_, i) => i);
  // Before the hits of their second: one that arrived earlier would have given them a visit.
  for (const index of idle) addRow(patch.rows, base.idle, index);
  patch.rows = unfold(base, touch(patch, base.idle, idle), patch.rows);
  return patch;
}

/** Adds those of the rows with the indexes, in order of arrival. They must be of visitors of the part. */
export function addRows(patch: Patch, rows: PartRows, indexes: readonly number[]): void {
  patch.rows = unfold(patch.base, touch(patch, rows, indexes), patch.rows);
  patch.rows = withRoom(patch.rows, indexes.length);
  for (const index of indexes) addRow(patch.rows, rows, index);
}

/** The part as if all its rows had been folded at once. Test: test/ledger/patch.test.ts. */
export function patched({ base, touched, rows }: Patch): Part {
  return rows.count === 0 ? base : spliced(base, touched, foldPart(base.day, rows));
}
