import { TOTALS, type Totals } from '../stats/measured.ts';
import { RELEASED } from '../store/migrations.ts';
import type { Db } from '../store/statements.ts';

export type SiteDay = { siteId: number; day: number };

/** A sealed day that counts. `format` is the version of the file that it was sealed by. */
export type SealedDay = Totals & { id: number; day: number; format: number };

/** Days that are sealed now are of this version. */
const FORMAT = RELEASED.length + 1;

const DAY = `id, day, format, ${TOTALS.join(', ')}`;
const SHOWN = "site_id = ? AND state = 'shown'";
const BETWEEN = `${SHOWN} AND day >= ? AND day < ?`;

export const isSealed = (db: Db, siteId: number, day: number): boolean =>
  db.one(`SELECT 1 FROM sealed_day WHERE ${SHOWN} AND day = ?`, siteId, day) !== undefined;

export const hasSealedDays = (db: Db): boolean =>
  db.one("SELECT 1 FROM sealed_day WHERE state = 'shown' LIMIT 1") !== undefined;

export const isShown = (db: Db, id: number): boolean =>
  db.one("SELECT 1 FROM sealed_day WHERE id = ? AND state = 'shown'", id) !== undefined;

/** The sealed days of a site from one to before another, in order. */
export const listSealed = (db: Db, siteId: number, from: number, to: number): SealedDay[] =>
  db.all(`SELECT ${DAY} FROM sealed_day WHERE ${BETWEEN} ORDER BY day`, siteId, from, to);

/** Those of them that have hits, and not only sums. */
export const listWithHits = (db: Db, siteId: number, from: number, to: number): SealedDay[] =>
  db.all(`SELECT ${DAY} FROM sealed_day WHERE ${BETWEEN} AND has_hits = 1 ORDER BY day`, siteId, from, to);

/** The days of which only sums are known. */
export const listSumDays = (db: Db, siteId: number, from: number, to: number): number[] =>
  db
    .all<{ day: number }>(`SELECT day FROM sealed_day WHERE ${BETWEEN} AND has_hits = 0 ORDER BY day`, siteId, from, to)
    .map(({ day }) => day);

/** The last sealed day of all. */
export const lastSealed = (db: Db): number | undefined =>
  db.one<{ day: number | null }>("SELECT max(day) AS day FROM sealed_day WHERE state = 'shown'")?.day ?? undefined;

/** The sealed days of one site, or of all, from one on: their ids, and the first day there is at all. */
export function sealedSince(db: Db, from: number, siteId?: number): { ids: number[]; first: number | undefined } {
  const of = "state = 'shown' AND site_id = coalesce(?, site_id)";
  const ids = db.all<{ id: number }>(`SELECT id FROM sealed_day WHERE ${of} AND day >= ?`, siteId ?? null, from);
  const first = db.one<{ day: number | null }>(`SELECT min(day) AS day FROM sealed_day WHERE ${of}`, siteId ?? null);
  return { ids: ids.map(({ id }) => id), first: first?.day ?? undefined };
}

type Staged = SiteDay & { importId: number | null; hasHits: boolean; totals: Totals; now: number };

const INSERT = `INSERT INTO sealed_day (site_id, day, import_id, state, staged_at, format, has_hits, ${TOTALS.join(', ')})
  VALUES (?, ?, ?, 'staged', ?, ${FORMAT}, ?, ${TOTALS.map(() => '?').join(', ')})`;

/** A day that nobody sees yet. */
export const addStaged = (db: Db, { siteId, day, importId, hasHits, totals, now }: Staged): number =>
  db.run(INSERT, siteId, day, importId, now, hasHits ? 1 : 0, ...TOTALS.map((name) => totals[name])).id;

/** From here on a staged day counts. */
export const showDay = (db: Db, id: number): void => {
  db.run("UPDATE sealed_day SET state = 'shown' WHERE id = ?", id);
};

/** Leaves a staged day to be swept. */
export const giveUpDay = (db: Db, id: number): void => {
  db.run("UPDATE sealed_day SET state = 'gone' WHERE id = ?", id);
};

const OF_IMPORT = 'site_id = ? AND import_id = ?';
/** What an import takes the place of. */
const REPLACED = `${SHOWN} AND day IN (SELECT day FROM sealed_day WHERE ${OF_IMPORT} AND state = 'staged')`;

export const countStaged = (db: Db, siteId: number, importId: number): number =>
  db.one<{ n: number }>(
    `SELECT count(*) AS n FROM sealed_day WHERE ${OF_IMPORT} AND state = 'staged'`,
    siteId,
    importId,
  )?.n ?? 0;

export const replacesDays = (db: Db, siteId: number, importId: number): boolean =>
  db.one(`SELECT 1 FROM sealed_day WHERE ${REPLACED}`, siteId, siteId, importId) !== undefined;

export const removeReplaced = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone' WHERE ${REPLACED}`, siteId, siteId, importId);
};

export const showImported = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'shown' WHERE ${OF_IMPORT} AND state = 'staged'`, siteId, importId);
};

/** Whatever an import sealed counts no more, or never will. */
export const giveUpImported = (db: Db, siteId: number, importId: number): void => {
  db.run(`UPDATE sealed_day SET state = 'gone' WHERE ${OF_IMPORT}`, siteId, importId);
};

/** What imports sealed of a site, as far as it counts. */
export const listImported = (db: Db, siteId: number): { importId: number; day: number; hits: number }[] =>
  db.all(
    `SELECT import_id AS importId, day, pageviews + events AS hits FROM sealed_day
     WHERE ${SHOWN} AND import_id IS NOT NULL`,
    siteId,
  );

/** Whether a day was sealed from the hits that came in by themselves, and those beside them. */
export const isOwnSealed = (db: Db, siteId: number, day: number): boolean =>
  db.one(`SELECT 1 FROM sealed_day WHERE ${SHOWN} AND day = ? AND import_id IS NULL`, siteId, day) !== undefined;

/** From here on only the sums of a day are known. */
export const keepSums = (db: Db, id: number): void => {
  db.run('UPDATE sealed_day SET has_hits = 0 WHERE id = ?', id);
};

/** A day that counts no more, or that was staged before a moment and never shown. */
export const findDead = (db: Db, stagedBefore: number): number | undefined =>
  db.one<{ id: number }>(
    "SELECT id FROM sealed_day WHERE state <> 'shown' AND (state = 'gone' OR staged_at < ?) LIMIT 1",
    stagedBefore,
  )?.id;

export const findOfSite = (db: Db, siteId: number): number | undefined =>
  db.one<{ id: number }>('SELECT id FROM sealed_day WHERE site_id = ? LIMIT 1', siteId)?.id;

export const removeDay = (db: Db, id: number): void => {
  db.run('DELETE FROM sealed_day WHERE id = ?', id);
};
