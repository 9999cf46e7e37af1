import type { Steps } from '../lib/steps.ts';
import { DAY } from '../lib/time.ts';
import { listSiteIds, siteExists } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { removeSiteCrawls } from './crawls.ts';
import { removeSiteDrops } from './drops.ts';
import { listHitDays, type OriginDay, removeHits, removeSiteHits } from './hits.ts';
import { findImport, removeDeadImports, removeSiteImports } from './imports.ts';
import { removeSiteMonths } from './months.ts';
import { removePieces } from './pieces.ts';
import { findDead, findOfSite, isSealed, removeDay } from './sealed-days.ts';
import { removeSeenBefore, removeSiteTerms } from './terms.ts';

const AT_ONCE = 1_000;
/** Nobody takes longer to write what he is going to show. */
const ABANDONED_SECONDS = DAY;

/** Deletes all that there is, a little at a time. */
function* inParts(db: Db, remove: (most: number) => number): Steps {
  while (db.write(() => remove(AT_ONCE)) === AT_ONCE) yield;
}

function* removeDays(db: Db, find: () => number | undefined): Steps {
  for (let id = find(); id !== undefined; id = find()) {
    const gone = id;
    db.write(() => {
      removePieces(db, gone);
      removeDay(db, gone);
    });
    yield;
  }
}

/** Whatever is kept of a site beside its sealed days. */
const OF_SITE: readonly ((db: Db, siteId: number, most: number) => number)[] = [
  removeSiteHits,
  removeSiteTerms,
  (db, siteId, most) => removeSeenBefore(db, siteId, Number.MAX_SAFE_INTEGER, most),
  removeSiteDrops,
  removeSiteCrawls,
  removeSiteMonths,
  removeSiteImports,
];

/** Deletes all that was counted for a site. */
export function* forgetSite(db: Db, siteId: number): Steps {
  yield* removeDays(db, () => findOfSite(db, siteId));
  for (const remove of OF_SITE) yield* inParts(db, (most) => remove(db, siteId, most));
}

/** Whether hits count no more: their day is sealed, or the import that brought them never ended or was taken out. */
function isDead(db: Db, { siteId, importId, day }: OriginDay, now: number): boolean {
  if (isSealed(db, siteId, day)) return true;
  if (importId === null) return false;
  const from = findImport(db, siteId, importId);
  const isAbandoned = from?.state === 'staged' && from.startedAt < now - ABANDONED_SECONDS;
  return from === undefined || from.state === 'gone' || isAbandoned || !siteExists(db, siteId);
}

/** Deletes what does not count any more and what nobody will show, and so the visitor codes of days that are sealed. */
export function* sweep(db: Db, now: number): Steps {
  for (const dead of listHitDays(db).filter((one) => isDead(db, one, now))) {
    yield* inParts(db, (most) => removeHits(db, dead, most));
  }
  yield* removeDays(db, () => findDead(db, now - ABANDONED_SECONDS));
  yield* inParts(db, (most) => removeDeadImports(db, now - ABANDONED_SECONDS, most));
  const yesterday = Math.floor(now / DAY) - 1;
  for (const id of listSiteIds(db)) yield* inParts(db, (most) => removeSeenBefore(db, id, yesterday, most));
}
