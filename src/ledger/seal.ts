import { isDeepStrictEqual } from 'node:util';
import type { Steps } from '../lib/steps.ts';
import { BREAKDOWN_NAMES } from '../stats/dimensions.ts';
import type { Totals } from '../stats/measured.ts';
import { siteExists } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { COLUMNS, packColumn } from './columns.ts';
import type { Day } from './day.ts';
import { fold } from './fold.ts';
import { removeHits } from './hits.ts';
import { readOpen, type Source, sourcesNow } from './open-days.ts';
import { addPiece, type Piece } from './pieces.ts';
import { packRollup, rollupOf } from './rollups.ts';
import { addStaged, giveUpDay, isSealed, type SiteDay, showDay } from './sealed-days.ts';

/** A day as it is written: one piece for each column, and one for each breakdown without a filter. */
export type Sealed = { day: number; totals: Totals; segments: Piece[]; rollups: Piece[] };

export const sealed = (day: Day): Sealed => ({
  day: day.day,
  totals: day.totals,
  segments: COLUMNS.map((name) => ({ name, data: packColumn(name, day.column(name)) })),
  rollups: BREAKDOWN_NAMES.map((name) => ({ name, data: packRollup(name, rollupOf(day, name)) })),
});

/** So many bytes are written at a time, so that nobody waits for the file for longer than some milliseconds. */
const AT_ONCE = 512 * 1024;

/** Writes days that nobody sees yet. Between two steps the file is free for others; ends with the ids of the days. */
export function* stage(
  db: Db,
  siteId: number,
  days: Iterable<Sealed>,
  { importId = null, now }: { importId?: number | null; now: number },
): Steps<number[]> {
  const ids: number[] = [];
  let due: (() => void)[] = [];
  let bytes = 0;
  const write = (): void => {
    db.write(() => {
      for (const work of due) work();
    });
    due = [];
    bytes = 0;
  };
  for (const { day, totals, segments, rollups } of days) {
    let id = 0;
    due.push(() => {
      id = addStaged(db, { siteId, day, importId, hasHits: segments.length > 0, totals, now });
      ids.push(id);
    });
    for (const [table, pieces] of [
      ['segment', segments],
      ['rollup', rollups],
    ] as const) {
      for (const piece of pieces) {
        due.push(() => addPiece(db, table, id, piece));
        bytes += piece.data.byteLength;
        if (bytes < AT_ONCE) continue;
        write();
        yield;
      }
    }
  }
  if (due.length > 0) write();
  return ids;
}

/** What is made of an open day, and of which rows; nothing where nobody came. */
export type Computed = { sealed: Sealed | undefined; sources: Source[] };

export function compute(db: Db, { siteId, day }: SiteDay): Computed {
  const { rows, sources } = db.read(() => readOpen(db, siteId, day));
  const folded = fold(day, rows);
  return { sealed: folded.totals.visits > 0 ? sealed(folded) : undefined, sources };
}

/**
 * Makes an open day a sealed one, in one short transaction after all of it has been written. False where a hit came in since
 * it was computed, or somebody else was quicker; then it is due again, or not any more. Of a day that nobody visited only
 * signs of life are left, which go.
 */
export function* seal(db: Db, { siteId, day }: SiteDay, { sealed, sources }: Computed, now: number): Steps<boolean> {
  const [id] = sealed ? yield* stage(db, siteId, [sealed], { now }) : [];
  return db.write(() => {
    const isSame = isDeepStrictEqual(sourcesNow(db, siteId, day), sources);
    const maySeal = isSame && !isSealed(db, siteId, day) && siteExists(db, siteId);
    if (id !== undefined) {
      if (maySeal) showDay(db, id);
      else giveUpDay(db, id);
    } else if (maySeal) removeHits(db, { siteId, importId: null, day }, Number.MAX_SAFE_INTEGER);
    return id !== undefined && maySeal;
  });
}
