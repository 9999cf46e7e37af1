import type { Db } from '../store/statements.ts';

/** What was not counted for a site on days from one to before another, by reason. */
export const listDrops = (db: Db, siteId: number, from: number, to: number): { reason: string; hits: number }[] =>
  db.all(
    `SELECT reason, sum(hits) AS hits FROM drop_day WHERE site_id = ? AND day >= ? AND day < ?
     GROUP BY reason ORDER BY hits DESC, reason`,
    siteId,
    from,
    to,
  );
