import { LIVE_SECONDS } from '../stats/measured.ts';
import type { Db } from '../store/statements.ts';
import { type Numbers, narrow, pack, unpack } from './bytes.ts';
import { COLUMNS, type Column, type ColumnName, columnOf, packPartColumn, unpackPartColumn } from './columns.ts';
import { type Day, startsOf } from './day.ts';
import { partPiece } from './open-parts.ts';
import type { Part } from './part.ts';
import { pick } from './pick.ts';
import type { Piece } from './pieces.ts';

/**
 * The visits of a part that were active in its last `LIVE_SECONDS`, written beside it, so that who is there now is counted without
 * reading the others. `visits` are their places in the part, and `since` is from when on none is missing.
 */
export type Recent = { since: number; visits: Numbers; day: Day };

const NONE = new Uint8Array(0);
const nameOf = (column: string): string => `recent ${column}`;

export function recentPieces(part: Part): Piece[] {
  const starts = startsOf(part);
  const second = part.column('second').codes;
  const seconds = part.column('seconds');
  const ends = Int32Array.from(
    seconds.codes,
    (code, visit) => (second[starts[visit] as number] as number) + (seconds.terms[code] as number),
  );
  const latest = ends.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  const since = ends.length === 0 ? 0 : latest - LIVE_SECONDS;
  const visits = Uint32Array.from(ends.keys()).filter((visit) => (ends[visit] as number) >= since);
  const day = pick(part.day, [part], { part: new Uint16Array(visits.length), visit: visits });
  const codes = part.codes();
  // The first visit of a visitor may not be among them.
  const again = visits.map((visit, i) => (i > 0 && codes[visits[i - 1] as number] === codes[visit] ? 1 : 0));
  const columnOfDay = (name: ColumnName): Column => (name === 'again' ? columnOf('again', again) : day.column(name));
  return [
    { name: nameOf('visits'), data: pack([narrow([since]), narrow(visits)]) },
    ...COLUMNS.map((name) => ({ name: nameOf(name), data: packPartColumn(name, columnOfDay(name)) })),
  ];
}

export function readRecent(db: Db, { day }: Part, partId: number): Recent {
  const [[since = 0] = NONE, visits = NONE] = unpack(partPiece(db, partId, nameOf('visits')));
  const columns = new Map(COLUMNS.map((name) => [name, unpackPartColumn(name, partPiece(db, partId, nameOf(name)))]));
  const column: Day['column'] = (name) => columns.get(name) as ReturnType<Day['column']>;
  const totals = { visitors: 0, visits: visits.length, pageviews: 0, events: 0, bounces: 0, seconds: 0 };
  return { since, visits, day: { day, totals, column } };
}
