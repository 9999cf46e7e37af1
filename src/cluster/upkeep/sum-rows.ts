import type { SiteDay } from '../../catalog/sealed-days.ts';
import type { DaySums } from '../../engine/import-content.ts';

/**
 * A day with totals only, without counts of pages or countries, has one row in the table `tally`. The row has this
 * dimension and counts nothing. The row shows that the day was not deleted (servers/lost-days.ts).
 */
export const NO_DIMENSION = '';

/**
 * Lists the rows of the ClickHouse table `tally` for a totals-only day. For sums without excluded visits, `mark` is
 * `~`, and each dimension begins with it, such as `~pages`.
 */
export function listSumRows(
  { siteId, day, id }: SiteDay & { id: number },
  counts: DaySums['counts'],
  mark = '',
): object[] {
  const key = { site: siteId, day, slice: id };
  const rows = [...counts].flatMap(([dimension, own]) =>
    own.map((row) => ({ ...key, dimension: `${mark}${dimension}`, ...row })),
  );
  return rows.length > 0 || mark !== '' ? rows : [{ ...key, dimension: NO_DIMENSION }];
}
