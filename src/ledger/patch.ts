import { HIT_TEXT_FIELDS, VISIT_TEXT_FIELDS } from '../stats/dimensions.ts';
import { VISIT_GAP } from '../stats/measured.ts';
import type { Column, PartColumn } from './columns.ts';
import { foldPart } from './fold.ts';
import {
  addRow,
  emptyPart,
  emptyPartRows,
  firstVisitOf,
  type Part,
  type PartRows,
  startsIn,
  withColumns,
  withRoom,
} from './part.ts';
import { type Scratch, spliced } from './splice.ts';

/** A part of which visits are taken out: `touched` marks those that new rows may extend or join. */
type Reached = { base: Part; touched: Uint8Array };

/**
 * What came to a part since it was folded. Visits that new rows touch are turned back into rows and folded again with them; all
 * others stay as they are, because no row is within `VISIT_GAP` of them. `added` is what was folded so far, and `rows` what came
 * after that, so that what comes costs little however much has come before.
 */
export type Patch = Reached & { added: Reached; rows: PartRows };

const reached = (base: Part): Reached => ({ base, touched: new Uint8Array(base.totals.visits) });

/** The value of each row of a column. */
function valuesIn(part: Part, name: PartColumn): (row: number) => number {
  const { terms, codes }: Column = part.column(name);
  return terms.length === 0 ? (row) => codes[row] as number : (row) => terms[codes[row] as number] as number;
}

/** Marks the visits that the rows touch; gives those that were not touched before. */
function touch({ base, touched }: Reached, rows: PartRows, indexes: readonly number[]): number[] {
  const codes = base.codes();
  const found: number[] = [];
  const met = indexes.flatMap((index) => {
    const visit = firstVisitOf(codes, rows.visitor[index] as number);
    return codes[visit] === rows.visitor[index] ? [{ at: rows.second[index] as number, visit }] : [];
  });
  if (met.length === 0) return found;
  const starts = startsIn(base);
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
  const starts = startsIn(base);
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

const all = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Puts the signs of life that had no visit yet before all hits: one that arrived earlier would have given them a visit. */
function withIdle(rows: PartRows, idle: PartRows): PartRows {
  const result = withRoom(rows, idle.count);
  for (const index of all(idle.count)) addRow(result, idle, index);
  return result;
}

export function patchOf(base: Part): Patch {
  const own = reached(base);
  const rows = withIdle(emptyPartRows(0), base.idle);
  return {
    ...own,
    added: reached(emptyPart(base.day)),
    rows: unfold(base, touch(own, base.idle, all(base.idle.count)), rows),
  };
}

/** Adds those of the rows with the indexes, in order of arrival. They must be of visitors of the part. */
export function addRows(patch: Patch, rows: PartRows, indexes: readonly number[]): void {
  for (const one of [patch, patch.added]) patch.rows = unfold(one.base, touch(one, rows, indexes), patch.rows);
  patch.rows = withRoom(patch.rows, indexes.length);
  for (const index of indexes) addRow(patch.rows, rows, index);
}

/** What was folded is folded again together with the rows when these have grown to this share of it. */
const SHARE = 1 / 8;
const FEW_ROWS = 16;

/** All visits of a patch that are not those of its part: what came, with the visits that it touched. */
export function addedBy(patch: Patch): Part {
  const { added, rows } = patch;
  if (rows.count === 0) return added.base;
  const whole = spliced(added.base, added.touched, foldPart(patch.base.day, rows));
  if (rows.count < Math.max(FEW_ROWS, SHARE * added.base.totals.visits)) return whole;
  const settled = withColumns(whole);
  patch.added = reached(settled);
  patch.rows = withIdle(emptyPartRows(0), settled.idle);
  patch.rows = unfold(settled, touch(patch.added, settled.idle, all(settled.idle.count)), patch.rows);
  return settled;
}

/** The part as if all its rows had been folded at once. Test: test/ledger/patch.test.ts. */
export const patched = (patch: Patch, added = addedBy(patch), scratch?: Scratch): Part =>
  added.totals.visits + added.idle.count === 0 ? patch.base : spliced(patch.base, patch.touched, added, scratch);
