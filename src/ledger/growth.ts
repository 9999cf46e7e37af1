import type { Db } from '../store/statements.ts';

const DAYS = 30;

/** Bytes that a day took on average of late, of one site or of all. */
export function growth(db: Db, today: number, siteId: number | null = null): number {
  const from = today - DAYS;
  const shown = 'FROM sealed_day WHERE shown = 1 AND site_id = coalesce(?, site_id)';
  const days = `SELECT id ${shown} AND day >= ?`;
  const { first = today } = db.one<{ first: number | null }>(`SELECT min(day) AS first ${shown}`, siteId) ?? {};
  let bytes = 0;
  for (const table of ['segment', 'rollup']) {
    const sql = `SELECT coalesce(sum(length(data)), 0) AS bytes FROM ${table} WHERE sealed_day_id IN (${days})`;
    bytes += db.one<{ bytes: number }>(sql, siteId, from)?.bytes ?? 0;
  }
  return bytes / Math.min(DAYS, Math.max(1, today - (first ?? today)));
}

/** The moment of the hit that came last; the end of the last sealed day where none is open, and 0 without any. */
export function lastHit(db: Db): number {
  const open = db.one<{ at: number }>(
    'SELECT day * 86400 + second AS at FROM hit WHERE site_id > 0 ORDER BY id DESC LIMIT 1',
  );
  const sealed = db.one<{ at: number | null }>('SELECT max(day) * 86400 AS at FROM sealed_day WHERE shown = 1');
  return Math.max(open?.at ?? 0, sealed?.at ?? 0);
}
