import type { Steps } from '../lib/steps.ts';
import { BREAKDOWN_NAMES } from '../stats/dimensions.ts';
import { listKeepingSites } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { addPiece, bytesOf, listPieceNames, listWithColumns, removePiece } from './pieces.ts';
import { readRollup } from './rollups.ts';
import { listSealed, type SealedDay, setSumsOnly } from './sealed-days.ts';
import { totalsPiece } from './sum-days.ts';

/** The sealed days that still have hits but are older than their site keeps them. */
function listExpired(db: Db, siteId: number, keepDays: number, today: number): SealedDay[] {
  const days = listSealed(db, siteId, 0, today - keepDays);
  const withHits = new Set(
    listWithColumns(
      db,
      days.map(({ id }) => id),
    ),
  );
  return days.filter(({ id }) => withHits.has(id));
}

/** How many expired days a site has, and the bytes of their hits. */
export function expired(db: Db, siteId: number, today: number): { count: number; bytes: number } {
  const site = listKeepingSites(db).find(({ id }) => id === siteId);
  const days = site ? listExpired(db, siteId, site.keepDays, today) : [];
  const bytes = bytesOf(
    db,
    days.map(({ id }) => id),
    ['segment'],
  );
  return { count: new Set(days.map(({ day }) => day)).size, bytes };
}

/** A day with a damaged rollup keeps its hits, from which it can be counted again. daybook check reports such a day. */
function hasSoundRollups(db: Db, day: SealedDay): boolean {
  try {
    for (const name of BREAKDOWN_NAMES) readRollup(db, day, name);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_')) throw error;
    return false;
  }
}

/** Deletes the hits of expired days. The first step of each day hides them from queries, the next ones delete the columns. */
export function* removeExpired(db: Db, today: number): Steps {
  for (const { id: siteId, keepDays } of listKeepingSites(db)) {
    for (const day of listExpired(db, siteId, keepDays, today)) {
      if (!hasSoundRollups(db, day)) continue;
      db.write(() => {
        addPiece(db, 'rollup', day.id, totalsPiece(day));
        setSumsOnly(db, day.id);
      });
      yield;
      for (const name of listPieceNames(db, 'segment', day.id)) {
        db.write(() => removePiece(db, 'segment', day.id, name));
        yield;
      }
    }
  }
}
