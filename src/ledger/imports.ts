import { Refusal } from '../lib/errors.ts';
import type { Steps } from '../lib/steps.ts';
import type { Rows } from '../store/hits.ts';
import { WORDS } from '../store/hits.ts';
import type { Db } from '../store/statements.ts';
import { isSealed, listOpenDays } from './open.ts';

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
  VALUES (?, ?, ?, ?, NULL, ${WORDS.map(() => '?').join(', ')})`;

/** Writes hits of the day that is open, under the number of the import, so that nobody sees them yet. */
export function* stageOpen(db: Db, importId: number, day: number, { count, second, visitor, words }: Rows): Steps {
  for (let from = 0; from < count; from += AT_ONCE) {
    db.write(() => {
      for (let i = from; i < Math.min(from + AT_ONCE, count); i++) {
        const terms = WORDS.map((word) => words[word][i] as number);
        db.run(INSERT, -importId, day, second[i] as number, visitor[i] as number, ...terms);
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
    db.run('UPDATE import SET shown_at = ? WHERE id = ?', now, importId);
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
