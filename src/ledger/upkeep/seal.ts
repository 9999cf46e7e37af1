import { isDeepStrictEqual } from 'node:util';
import { addStaged, markDayGone, showDay } from '../../catalog/day-states.ts';
import { isSealed, type SiteDay } from '../../catalog/sealed-days.ts';
import type { Steps } from '../../lib/steps.ts';
import type { Db } from '../../store/db.ts';
import { siteExists } from '../../store/sites/sites.ts';
import { addPiece, writeInSteps } from '../column/blobs.ts';
import { sessionize } from '../day/sessionize.ts';
import { hasParts, nextPart, readOpen, reopenedIn, type Source, sourcesNow } from '../open/row-sources.ts';
import { markPartsGone } from '../open/shard-table.ts';
import { removeHits } from '../rows/hits.ts';
import { type PackedDay, packDay } from '../sealed/packed-day.ts';

/** Writes days that are not visible to queries yet, in short transactions. Returns their ids. */
export function* stage(
  db: Db,
  siteId: number,
  days: Iterable<PackedDay>,
  { importId = null, now }: { importId?: number | null; now: number },
): Steps<number[]> {
  const ids: number[] = [];
  function* writes() {
    for (const { day, part, totals, unknown, segments, rollups } of days) {
      let id = 0;
      const begin = (): void => {
        id = addStaged(db, { siteId, day, part, importId, hasHits: segments.length > 0, totals, unknown, now });
        ids.push(id);
      };
      yield { bytes: 0, write: begin };
      for (const [table, pieces] of [
        ['segment', segments],
        ['rollup', rollups],
      ] as const) {
        for (const piece of pieces) {
          yield { bytes: piece.data.byteLength, write: () => addPiece(db, table, id, piece) };
        }
      }
    }
  }
  yield* writeInSteps(db, writes());
  return ids;
}

/** An open day packed for sealing, and the sources it was read from. `sealed` is undefined for a day without visits. */
export type Computed = { sealed: PackedDay | undefined; sources: Source[] };

export function compute(db: Db, { siteId, day }: SiteDay): Computed {
  const open = db.read(() => (hasParts(db, { siteId, day }) ? undefined : readOpen(db, { siteId, day })));
  // Another process has begun to put the day into parts; it is due again.
  if (!open) return { sealed: undefined, sources: [] };
  const { rows, sources } = open;
  const folded = sessionize(day, rows, 'time');
  return { sealed: folded.totals.visits > 0 ? packDay(folded, nextPart(sources)) : undefined, sources };
}

/**
 * Writes a computed day and shows it in one short transaction. Returns false if a hit came in since it was computed, or if another
 * process has sealed it; a day that is still open is due again the next night. A day without visits has only signs of life;
 * these are deleted.
 */
export function* seal(db: Db, { siteId, day }: SiteDay, { sealed, sources }: Computed, now: number): Steps<boolean> {
  const [id] = sealed ? yield* stage(db, siteId, [sealed], { now }) : [];
  return db.write(() => {
    const isUnchanged = isDeepStrictEqual(sourcesNow(db, siteId, day), sources);
    const maySeal = isUnchanged && !isSealed(db, siteId, day) && siteExists(db, siteId);
    const staged = id === undefined ? [] : [id];
    const shown = [...reopenedIn(sources).map((row) => row.id), ...staged];
    for (const one of maySeal ? shown : []) showDay(db, one);
    for (const one of maySeal ? [] : staged) markDayGone(db, one);
    if (maySeal) markPartsGone(db, { siteId, day });
    if (maySeal && shown.length === 0) removeHits(db, { siteId, importId: null, day }, Number.MAX_SAFE_INTEGER);
    return maySeal && shown.length > 0;
  });
}
