import type { Steps } from '../lib/steps.ts';
import type { Db } from '../store/statements.ts';
import { isSealed, listRowDays } from './open-days.ts';

const AT_ONCE = 1_000;
/** Nobody takes longer to write what he is going to show. */
const ABANDONED_SECONDS = 86_400;

/** The tables that hold what was counted for a site, each with what tells its rows apart. */
const KEYS = {
  hit: 'id',
  term: 'site_id, id',
  day_word: 'site_id, day, kind, term',
  drop_day: 'site_id, day, reason',
  crawl_day: 'site_id, day, crawler, page',
  month_rollup: 'site_id, month, name',
  log_position: 'site_id, fingerprint',
  import: 'id',
} as const;
const TABLES = Object.keys(KEYS) as (keyof typeof KEYS)[];

/** Deletes what meets a condition, a little at a time. */
function* deleted(db: Db, table: keyof typeof KEYS, condition: string, ...values: number[]): Steps {
  const key = KEYS[table];
  const sql = `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${AT_ONCE})`;
  while (db.write(() => db.run(sql, ...values).changes) === AT_ONCE) yield;
}

function* deletedDays(db: Db, condition: string, ...values: number[]): Steps {
  for (;;) {
    const row = db.one<{ id: number }>(`SELECT id FROM sealed_day WHERE ${condition} LIMIT 1`, ...values);
    if (!row) return;
    db.write(() => {
      for (const table of ['segment', 'rollup']) db.run(`DELETE FROM ${table} WHERE sealed_day_id = ?`, row.id);
      db.run('DELETE FROM sealed_day WHERE id = ?', row.id);
    });
    yield;
  }
}

/** Deletes what was counted for sites that are gone. */
export function* sweepSites(db: Db): Steps {
  for (const { id } of db.all<{ id: number }>('SELECT site_id AS id FROM removed_site')) {
    for (const one of db.all<{ id: number }>('SELECT id FROM import WHERE site_id = ?', id)) {
      yield* deleted(db, 'hit', 'site_id = ?', -one.id);
    }
    yield* deletedDays(db, 'site_id = ?', id);
    for (const table of TABLES) yield* deleted(db, table, 'site_id = ?', id);
    db.write(() => db.run('DELETE FROM removed_site WHERE site_id = ?', id));
  }
}

/** Hits that do not count any more: their day is sealed, or the import that brought them never ended or went with its site. */
function* deadRows(db: Db, now: number): Steps {
  for (const { siteId, day } of listRowDays(db)) {
    const sql = 'SELECT site_id AS siteId, started_at AS startedAt, shown_at AS shownAt FROM import WHERE id = ?';
    const brought =
      siteId < 0 ? db.one<{ siteId: number; startedAt: number; shownAt: number | null }>(sql, -siteId) : undefined;
    const isAbandoned = brought?.shownAt === null && brought.startedAt < now - ABANDONED_SECONDS;
    const owner = siteId < 0 ? brought?.siteId : siteId;
    if (owner === undefined || isAbandoned || isSealed(db, owner, day))
      yield* deleted(db, 'hit', 'site_id = ? AND day = ?', siteId, day);
  }
}

/** Deletes what does not count any more and what nobody will show, and so the visitor codes of days that are sealed. */
export function* sweep(db: Db, now: number): Steps {
  yield* sweepSites(db);
  yield* deadRows(db, now);
  yield* deletedDays(db, 'shown = 0 AND staged_at < ?', now - ABANDONED_SECONDS);
  yield* deleted(db, 'import', 'shown_at IS NULL AND started_at < ?', now - ABANDONED_SECONDS);
  const yesterday = Math.floor(now / 86_400) - 1;
  for (const { id } of db.all<{ id: number }>('SELECT id FROM site')) {
    yield* deleted(db, 'day_word', 'site_id = ? AND day < ?', id, yesterday);
  }
}
