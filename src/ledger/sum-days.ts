import type { Db } from '../store/statements.ts';
import { narrow, pack, unpack } from './bytes.ts';
import { TOTALS, type Totals } from './day.ts';
import type { Dimension } from './dimensions.ts';
import { packRollup, ROLLUPS, type Rollup } from './rollups.ts';
import type { Sealed } from './seal.ts';

/**
 * A sealed day may have sums and no hits, because none were brought in or they are kept no longer. By this piece among its
 * rollups it is known, which holds its totals, so that a day that has lost its columns is not taken for one.
 */
const MARK = 'totals';

/** For a query of sealed days. */
const IS_SUMMED = `EXISTS (SELECT 1 FROM rollup r WHERE r.sealed_day_id = sealed_day.id AND r.name = '${MARK}')`;
export const HAS_HITS = `NOT ${IS_SUMMED}`;

/** What makes a day with all of its rollups one of which only sums are known. */
export const markOf = (totals: Totals) => ({ name: MARK, data: pack([narrow(TOTALS.map((name) => totals[name]))]) });

export const summed = (day: number, totals: Totals, rollups: Record<Dimension, Rollup>): Sealed => ({
  day,
  totals,
  segments: [],
  rollups: [...ROLLUPS.map((name) => ({ name, data: packRollup(name, rollups[name]) })), markOf(totals)],
});

/** Those days of a site, from one to before another, of which only sums are known. */
export const listSummed = (db: Db, siteId: number, from: number, to: number): number[] =>
  db
    .all<{ day: number }>(
      `SELECT day FROM sealed_day WHERE site_id = ? AND shown = 1 AND day >= ? AND day < ? AND ${IS_SUMMED} ORDER BY day`,
      siteId,
      from,
      to,
    )
    .map(({ day }) => day);

/** What can be found wrong with such a day, given its rollups; undefined where it is none. */
export function summedFaults(totals: Totals, rollups: ReadonlyMap<string, Buffer>): string[] | undefined {
  const mark = rollups.get(MARK);
  if (!mark) return undefined;
  const missing = ROLLUPS.filter((name) => !rollups.has(name)).map((name) => `rollup ${name}: is missing`);
  return mark.equals(markOf(totals).data) ? missing : [...missing, `totals: ${[...(unpack(mark)[0] ?? [])]} are noted`];
}
