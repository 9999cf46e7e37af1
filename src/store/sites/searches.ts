// Figures of Google's searches for a site, as the Search Console exports them. These figures are no visits, and no
// report adds them to visits.
//
// A row is about one or more neighbouring days, from `firstDay` to `lastDay`. These days are called its span. An export
// of many days may have only one sum of each search query for all its days. A report about a range of days uses only
// rows whose days are all in the range. `places` is the sum of the positions of all impressions, in thousandths.
// Therefore the average position of several rows is exact.
//
// Example: two rows of a query have 10 impressions at position 1.5, and 30 at 3.5. Their places are 15,000 and 105,000,
// therefore the average position is 3. cli/import-searches.ts adds rows, and api/searches.ts reads them.

import type { Db } from '../db.ts';

/**
 * The kinds of rows. A row of the kind `day` has the sums of all searches of a day. These sums include rare queries.
 * Google does not list rare queries, so no row of the kind `query` includes them.
 */
export const SEARCH_KINDS = ['day', 'query', 'page', 'country', 'device'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export type SearchFigures = { clicks: number; impressions: number; places: number };
export type SearchRow = SearchFigures & { kind: SearchKind; firstDay: number; lastDay: number; name: string };
export type SearchSpan = Pick<SearchRow, 'kind' | 'firstDay' | 'lastDay'>;

type KeepingSite = { id: number; keepDays: number };

/** The days from `from` up to, but not including, `to`. */
type Range = { from: number; to: number };

/**
 * The most rows of a site. The server reads and deletes the rows of a site in one step, and accepts no hits meanwhile.
 * With this number of rows, reading takes up to 80 ms. The rows take 9 MB.
 */
export const SEARCH_ROWS_PER_SITE = 100_000;

export function addSearches(db: Db, siteId: number, rows: readonly SearchRow[]): void {
  for (const { kind, firstDay, lastDay, name, clicks, impressions, places } of rows) {
    db.run(
      `INSERT INTO search (site_id, kind, first_day, last_day, name, clicks, impressions, places)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[siteId, kind, firstDay, lastDay, name, clicks, impressions, places],
    );
  }
}

/**
 * Lists the spans of stored rows of a kind, each span once. A span is listed only if it contains at least one day from
 * `firstDay` to `lastDay`.
 */
export const listSearchSpans = (db: Db, siteId: number, { kind, firstDay, lastDay }: SearchSpan): SearchSpan[] =>
  db.all(
    `SELECT DISTINCT kind, first_day AS firstDay, last_day AS lastDay FROM search
     WHERE site_id = ? AND kind = ? AND first_day <= ? AND last_day >= ? ORDER BY first_day`,
    ...[siteId, kind, lastDay, firstDay],
  );

export const removeSearches = (db: Db, siteId: number, { kind, firstDay, lastDay }: SearchSpan): void => {
  db.run(
    'DELETE FROM search WHERE site_id = ? AND kind = ? AND first_day = ? AND last_day = ?',
    ...[siteId, kind, firstDay, lastDay],
  );
};

export const countSearches = (db: Db, siteId: number): number =>
  db.one<{ n: number }>('SELECT count(*) AS n FROM search WHERE site_id = ?', siteId)?.n ?? 0;

/** An SQL expression for a SELECT from the table `site`. It is 1 if the site has figures of searches. */
export const HAS_SEARCHES = 'EXISTS (SELECT 1 FROM search WHERE site_id = site.id)';

const WITHIN = 'site_id = ? AND kind = ? AND first_day >= ? AND last_day < ?';
const SUMS = 'sum(clicks) AS clicks, sum(impressions) AS impressions, sum(places) AS places';

/**
 * Adds up the rows for each name, and lists the names with the most clicks. For rows of the kind `query`, the name is a
 * search query.
 */
export const listTopSearches = (
  db: Db,
  siteId: number,
  kind: SearchKind,
  { from, to, limit }: Range & { limit: number },
): (SearchFigures & { name: string })[] =>
  db.all(
    `SELECT name, ${SUMS} FROM search WHERE ${WITHIN}
     GROUP BY name ORDER BY sum(clicks) DESC, sum(impressions) DESC, name LIMIT ?`,
    ...[siteId, kind, from, to, limit],
  );

/**
 * Adds up the rows of a kind whose days are all in a range. Also finds the first and the last day of these rows.
 * Returns undefined if there are no such rows.
 */
export function sumSearches(
  db: Db,
  siteId: number,
  kind: SearchKind,
  { from, to }: Range,
): (SearchFigures & { firstDay: number; lastDay: number }) | undefined {
  const sums = db.one<SearchFigures & { firstDay: number | null; lastDay: number }>(
    `SELECT ${SUMS}, min(first_day) AS firstDay, max(last_day) AS lastDay FROM search WHERE ${WITHIN}`,
    ...[siteId, kind, from, to],
  );
  return sums?.firstDay == null ? undefined : { ...sums, firstDay: sums.firstDay };
}

/** Counts the spans that are only partly in a range. The rows of such a span cannot be divided into days. */
export const countDividedSpans = (db: Db, siteId: number, kind: SearchKind, { from, to }: Range): number =>
  db.one<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT DISTINCT first_day, last_day FROM search
     WHERE site_id = ? AND kind = ? AND first_day < ? AND last_day >= ? AND NOT (first_day >= ? AND last_day < ?))`,
    ...[siteId, kind, to, from, from, to],
  )?.n ?? 0;

const KINDS = SEARCH_KINDS.map((kind) => `'${kind}'`).join(', ');

/** Deletes rows whose days are all older than the days for which the site keeps hits. `today` is a day in UTC. */
export function removeExpiredSearches(db: Db, sites: readonly KeepingSite[], today: number): void {
  for (const { id, keepDays } of sites) {
    db.run(
      `DELETE FROM search WHERE site_id = ? AND kind IN (${KINDS}) AND first_day < ? AND last_day < ?`,
      ...[id, today - keepDays, today - keepDays],
    );
  }
}

export const removeAllSearches = (db: Db, siteId: number): number =>
  db.run('DELETE FROM search WHERE site_id = ?', siteId).changes;

/**
 * A condition for the rows whose days are all in a range. In the primary key, the kind stands between the site and the
 * days. SQLite can look up the days in this key only if the condition names the kinds. So it names all of them.
 */
const OF_RANGE = `site_id = ? AND kind IN ('day', 'query', 'page', 'country', 'device') AND first_day >= ? AND last_day < ?`;

/** Counts the rows whose days are all in a range, and the spans that are only partly in it. */
export const countSearchesWithin = (
  db: Db,
  siteId: number,
  range: Range,
): { searches: number; dividedSearches: number } => ({
  searches:
    db.one<{ n: number }>(`SELECT count(*) AS n FROM search WHERE ${OF_RANGE}`, siteId, range.from, range.to)?.n ?? 0,
  dividedSearches: SEARCH_KINDS.reduce((sum, kind) => sum + countDividedSpans(db, siteId, kind, range), 0),
});

/** Deletes the rows whose days are all in a range. */
export const removeSearchesWithin = (db: Db, siteId: number, { from, to }: Range): void => {
  db.run(`DELETE FROM search WHERE ${OF_RANGE}`, siteId, from, to);
};
