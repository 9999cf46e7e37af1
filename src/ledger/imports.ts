import { Refusal } from '../lib/errors.ts';
import type { Steps } from '../lib/steps.ts';
import type { Rows } from '../store/hits.ts';
import { WORDS } from '../store/hits.ts';
import type { Db } from '../store/statements.ts';
import { isSealed, listOpenDays } from './open-days.ts';

const AT_ONCE = 2_000;

const isThere = (db: Db, siteId: number): boolean => db.one('SELECT 1 FROM site WHERE id = ?', siteId) !== undefined;

/** Those of the days that hold hits already. */
export const listTaken = (db: Db, siteId: number, days: readonly number[]): number[] => {
  const open = new Set(listOpenDays(db, siteId, Math.min(...days), Math.max(...days) + 1));
  return days.filter((day) => open.has(day) || isSealed(db, siteId, day));
};

/** Notes that something is being brought in; nobody sees any of it before showImport. */
export const addImport = (db: Db, siteId: number, { now, today }: { now: number; today: number }): number =>
  db.write(() => db.run('INSERT INTO import (site_id, started_at, open_day) VALUES (?, ?, ?)', siteId, now, today).id);

/** The numbers of texts on a site, in their order; those that it did not know get one. */
export function* termsFor(db: Db, siteId: number, texts: readonly string[]): Steps<Int32Array> {
  const terms = new Int32Array(texts.length);
  for (let from = 1; from < texts.length; from += AT_ONCE) {
    db.write(() => {
      if (!isThere(db, siteId)) throw new Refusal('the site is gone; nothing was imported');
      let last = db.one<{ id: number | null }>('SELECT max(id) AS id FROM term WHERE site_id = ?', siteId)?.id ?? 0;
      for (let i = from; i < Math.min(from + AT_ONCE, texts.length); i++) {
        const text = texts[i] as string;
        const known = db.one<{ id: number }>('SELECT id FROM term WHERE site_id = ? AND text = ?', siteId, text)?.id;
        if (known === undefined) db.run('INSERT INTO term (site_id, id, text) VALUES (?, ?, ?)', siteId, ++last, text);
        terms[i] = known ?? last;
      }
    });
    yield;
  }
  return terms;
}

const INSERT = `INSERT INTO hit (site_id, day, second, visitor, engaged, ${WORDS.join(', ')})
  VALUES (?, ?, ?, ?, ?, ${WORDS.map(() => '?').join(', ')})`;

/** Writes what is of the day that is open, under the number of the import, so that nobody sees them yet. */
export function* stageOpen(db: Db, importId: number, day: number, rows: Rows): Steps {
  const { count, second, visitor, engaged, words } = rows;
  for (let from = 0; from < count; from += AT_ONCE) {
    db.write(() => {
      for (let i = from; i < Math.min(from + AT_ONCE, count); i++) {
        const terms = WORDS.map((word) => words[word][i] as number);
        const seconds = engaged[i] as number;
        db.run(
          INSERT,
          -importId,
          day,
          second[i] as number,
          visitor[i] as number,
          seconds < 0 ? null : seconds,
          ...terms,
        );
      }
    });
    yield;
  }
}

type Staged = { siteId: number; importId: number; sealed: number; now: number };

/**
 * Shows all of an import at once, in place of what its days held where `replace` says so. It costs two small changes for each
 * sealed day, about 10 ms for ten years.
 */
export function showImport(db: Db, { siteId, importId, sealed, now }: Staged, replace: boolean): void {
  db.write(() => {
    const row = db.one<{ openDay: number }>('SELECT open_day AS openDay FROM import WHERE id = ?', importId);
    const { n } = db.one<{ n: number }>(
      'SELECT count(*) AS n FROM sealed_day WHERE site_id = ? AND import_id = ?',
      siteId,
      importId,
    ) ?? { n: 0 };
    if (!row || !isThere(db, siteId) || n !== sealed)
      throw new Refusal('the site is gone, or it took too long; nothing was imported');
    const brings = db.one('SELECT 1 FROM hit WHERE site_id = ? LIMIT 1', -importId) !== undefined;
    if (brings && isSealed(db, siteId, row.openDay)) {
      throw new Refusal('a day ended meanwhile; nothing was imported, import the file again');
    }
    const staged = 'SELECT day FROM sealed_day WHERE site_id = ? AND import_id = ?';
    const old = `site_id = ? AND shown = 1 AND day IN (${staged})`;
    if (replace) db.run(`UPDATE sealed_day SET shown = 0, staged_at = 0 WHERE ${old}`, siteId, siteId, importId);
    else if (db.one(`SELECT 1 FROM sealed_day WHERE ${old}`, siteId, siteId, importId)) {
      throw new Refusal('some of its days were sealed meanwhile; nothing was imported, see --replace');
    }
    db.run('UPDATE sealed_day SET shown = 1 WHERE site_id = ? AND import_id = ?', siteId, importId);
    // By its day it is known whether it brought anything of an open one.
    db.run('UPDATE import SET shown_at = ?, open_day = ? WHERE id = ?', now, brings ? row.openDay : 0, importId);
    if (!replace || !brings) return;
    const { id } = db.one<{ id: number | null }>('SELECT max(id) AS id FROM hit') ?? { id: 0 };
    db.run('UPDATE import SET void_until = ? WHERE id = ?', id ?? 0, importId);
  });
}

/** Leaves what was staged to be swept. */
export const abandonImport = (db: Db, importId: number): void => {
  db.write(() => {
    db.run('UPDATE sealed_day SET staged_at = 0 WHERE import_id = ? AND shown = 0', importId);
    db.run('UPDATE import SET started_at = 0 WHERE id = ? AND shown_at IS NULL', importId);
  });
};

/** An import that counts: its hits, on how many days, and which. */
type Import = { id: number; at: number; hits: number; days: number; first: number; last: number };

/** Days that it sealed, and what of it still lies in the day that is open. */
const BROUGHT = `SELECT i.id, d.day, d.pageviews + d.events AS hits FROM import i
    JOIN sealed_day d ON d.site_id = i.site_id AND d.import_id = i.id AND d.shown = 1 WHERE i.site_id = ?
  UNION ALL
  SELECT i.id, h.day, count(*) AS hits FROM import i JOIN hit h ON h.site_id = -i.id AND h.engaged IS NULL
    WHERE i.site_id = ? GROUP BY i.id, h.day`;

export const listImports = (db: Db, siteId: number): Import[] =>
  db.all(
    `SELECT i.id, i.shown_at AS at, coalesce(sum(b.hits), 0) AS hits, count(b.day) AS days,
       coalesce(min(b.day), 0) AS first, coalesce(max(b.day), 0) AS last
     FROM import i LEFT JOIN (${BROUGHT}) b ON b.id = i.id
     WHERE i.site_id = ? AND i.shown_at IS NOT NULL GROUP BY i.id ORDER BY i.id`,
    siteId,
    siteId,
    siteId,
  );

export const findImport = (db: Db, siteId: number, importId: number): Import | undefined =>
  listImports(db, siteId).find(({ id }) => id === importId);

/**
 * Nothing of an import counts from now on, and all of it is swept. Gives the day of which it cannot be taken out any more,
 * because it was sealed together with hits of its own.
 */
export const hideImport = (db: Db, siteId: number, importId: number): number | undefined =>
  db.write(() => {
    const own = 'site_id = ? AND import_id = ? AND shown = 1';
    db.run(`UPDATE sealed_day SET shown = 0, staged_at = 0 WHERE ${own}`, siteId, importId);
    const sql = `SELECT i.open_day AS day FROM import i JOIN sealed_day d
      ON d.site_id = i.site_id AND d.day = i.open_day AND d.shown = 1 AND d.import_id IS NULL WHERE i.id = ?`;
    const mixed = db.one<{ day: number }>(sql, importId)?.day;
    db.run('UPDATE import SET shown_at = NULL, started_at = 0 WHERE id = ? AND site_id = ?', importId, siteId);
    return mixed;
  });
