import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import type { Steps } from '../lib/steps.ts';
import type { Db } from '../store/statements.ts';
import { COLUMNS, packColumn } from './columns.ts';
import { type Day, TOTALS, type Totals } from './day.ts';
import { fold } from './fold.ts';
import { isSealed, readOpen, type SiteDay, type Source, sourcesNow } from './open-days.ts';
import { packRollup, ROLLUPS, rollupOf } from './rollups.ts';

type Piece = { name: string; data: Uint8Array };

/** A day as it is written: one piece for each column, and one for each breakdown without a filter. */
export type Sealed = { day: number; totals: Totals; segments: Piece[]; rollups: Piece[] };

export const sealed = (day: Day): Sealed => ({
  day: day.day,
  totals: day.totals,
  segments: COLUMNS.map((name) => ({ name, data: packColumn(name, day.column(name)) })),
  rollups: ROLLUPS.map((name) => ({ name, data: packRollup(name, rollupOf(day, name)) })),
});

/** So many bytes are written at a time, so that nobody waits for the file for longer than some milliseconds. */
const AT_ONCE = 512 * 1024;

const INSERT = `INSERT INTO sealed_day (site_id, day, import_id, staged_at, ${TOTALS.join(', ')})
  VALUES (?, ?, ?, ?, ${TOTALS.map(() => '?').join(', ')})`;
/** Between two steps the site may be deleted, and all of it with what was written by then. */
const INSERTS = {
  segments: 'INSERT INTO segment (sealed_day_id, name, data, crc) SELECT id, ?, ?, ? FROM sealed_day WHERE id = ?',
  rollups: 'INSERT INTO rollup (sealed_day_id, name, data, crc) SELECT id, ?, ?, ? FROM sealed_day WHERE id = ?',
} as const;

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
  for (const { day, totals, ...pieces } of days) {
    let id = 0;
    due.push(() => {
      id = db.run(INSERT, siteId, day, importId, now, ...TOTALS.map((name) => totals[name])).id;
      ids.push(id);
    });
    for (const table of ['segments', 'rollups'] as const) {
      for (const { name, data } of pieces[table]) {
        due.push(() =>
          db.run(INSERTS[table], name, Buffer.from(data.buffer, data.byteOffset, data.byteLength), crc32(data), id),
        );
        bytes += data.byteLength;
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
 * messages are left, which go.
 */
export function* seal(db: Db, { siteId, day }: SiteDay, { sealed, sources }: Computed, now: number): Steps<boolean> {
  const [id] = sealed ? yield* stage(db, siteId, [sealed], { now }) : [];
  return db.write(() => {
    const isSame = isDeepStrictEqual(sourcesNow(db, siteId, day), sources);
    const isFree = !isSealed(db, siteId, day) && db.one('SELECT 1 FROM site WHERE id = ?', siteId) !== undefined;
    if (id === undefined) {
      if (isSame && isFree) db.run('DELETE FROM hit WHERE site_id = ? AND day = ?', siteId, day);
      return false;
    }
    db.run('UPDATE sealed_day SET shown = ?, staged_at = 0 WHERE id = ?', isSame && isFree ? 1 : 0, id);
    return isSame && isFree;
  });
}
