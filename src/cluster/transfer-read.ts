// Reads everything that a cluster stores, so that `daybook move` can store it elsewhere. These are visits and sums of
// sealed days, rows of open days, requests of crawlers, and dropped hits.
//
// Invariant: only rows that answers count are read. So the other engine gives the same answers.
//
// Example: a browser reports in a heartbeat that a page was visible for 40 s. But the visitor's previous row came only
// 12 s before. Then answers count 12 + 1 = 13 s, because times are rounded to seconds. So the heartbeat is read with 13
// s. transfer.ts uses this file.
import { findReduced } from '../catalog/reduced-days.ts';
import type { Crawl, Drop, Visit } from '../engine/activity.ts';
import { type DaySums, unpackScroll } from '../engine/import-content.ts';
import type { TransferActivity, TransferDay } from '../engine/transfer.ts';
import { VISIT_GAP } from '../stats/definitions.ts';
import { BREAKDOWNS, type Breakdown, DIMENSIONS, TEXT_FIELDS } from '../stats/dimensions.ts';
import type { Db } from '../store/db.ts';
import { listSiteIds } from '../store/sites/sites.ts';
import { REDUCED_MARK } from './query/aggregate.ts';
import { EVER, readKnownDays } from './query/catalog-snapshot.ts';
import { buildVisit, countPortions, matchPortion, type StoredVisit } from './query/days.ts';
import { selectOpenRows } from './query/visible-rows.ts';
import { FIELDS } from './query/visits.ts';
import { type Nodes, sumRows } from './servers/nodes.ts';
import { CLAIMED } from './servers/row-numbers.ts';
import { NO_DIMENSION } from './upkeep/sum-rows.ts';

/**
 * The hits of a large open day are passed on in lists of this length. So the engine that stores them needs little
 * memory.
 */
const PORTION = 5_000;

type Deps = { db: Db; nodes: Nodes };

/**
 * Reads the visits of a sealed day from all shards. Each shard numbers its visitors from 0. Here all visitors of the
 * day get one series of numbers: 1, 2, 3 and so on.
 */
export async function* readSealedVisits(nodes: Nodes, { siteId, id, totals }: TransferDay): AsyncGenerator<Visit> {
  const portions = countPortions(totals.pageviews + totals.events);
  let visitor = 0;
  for (let portion = 0; portion < portions; portion++) {
    const sql = `SELECT slice, visitor, ${FIELDS.join(', ')}, 0 AS excluded FROM visit
      WHERE site = ${siteId} AND slice = ${id} AND ${matchPortion(portion, portions)} ORDER BY visitor, start`;
    for (const rows of await nodes.askShards<StoredVisit>(sql)) {
      let before: number | undefined;
      for (const row of rows) {
        if (row.visitor !== before) visitor++;
        before = row.visitor;
        yield buildVisit(row, visitor);
      }
    }
  }
}

type TallyRow = { dimension: string; event: string; value: string; visitors: number; hits: number };

/**
 * Reads the sums of a totals-only day without its excluded visits. Gives undefined if the day has no excluded visits.
 */
export async function readReduced({ db, nodes }: Deps, day: TransferDay): Promise<DaySums | undefined> {
  const own = day.hasHits ? undefined : findReduced(db, day.id);
  if (own?.excluded[0] === undefined) return undefined;
  return await readSums(nodes, { ...day, totals: own.totals }, { isReduced: true });
}

export async function readSums(
  nodes: Nodes,
  { siteId, id, day, totals }: TransferDay,
  { isReduced = false } = {},
): Promise<DaySums> {
  const name = isReduced ? `substring(dimension, ${REDUCED_MARK.length + 1})` : 'toString(dimension)';

  const sql = `SELECT d AS dimension, event, value, sum(n) AS visitors, sum(h) AS hits FROM (
      SELECT ${name} AS d, event, value, visitors AS n, hits AS h FROM tally
      WHERE site = ${siteId} AND slice = ${id} AND dimension <> '${NO_DIMENSION}'
        AND ${isReduced ? '' : 'NOT '}startsWith(dimension, '${REDUCED_MARK}'))
    GROUP BY dimension, event, value`;
  const rows = sumRows(await nodes.ask<TallyRow>(sql), ['dimension', 'event', 'value']);
  // Counts of an empty value, such as visits without a source, are left out unless reports show them (`keepsEmpty`).
  // The SQLite file has no such counts, and the counts of the cluster and the file are compared.
  const isKept = ({ dimension, value }: TallyRow) =>
    value !== '' || DIMENSIONS[BREAKDOWNS[dimension as Breakdown]].keepsEmpty;
  const counts = Map.groupBy(rows.filter(isKept), ({ dimension }) => dimension);
  return {
    day,
    totals,
    counts: new Map(
      [...counts].map(([dimension, own]) => [
        dimension,
        own.map(({ event, value, visitors, hits }) => ({ event, value, visitors, hits })),
      ]),
    ),
  };
}

type ActivityRow = Record<(typeof TEXT_FIELDS)[number], string> & {
  import: number;
  day: number;
  second: number;
  seq: number;
  visitor: number;
  engaged: number;
  scroll: number;
  vitals: number;
};

/**
 * Reads the rows of all open days. Some visible seconds were reported by a browser, and the sender could not check them
 * (`CLAIMED`). These seconds are limited to the time since the visitor's previous row.
 */
export async function* readOpenActivities({ db, nodes }: Deps): AsyncGenerator<TransferActivity[]> {
  const columns = `import, day, second, seq, visitor, engaged, scroll, vitals, ${TEXT_FIELDS.map((field) => `toString(${field}) AS ${field}`).join(', ')}`;
  for (const siteId of listSiteIds(db)) {
    const { shown } = readKnownDays(db, siteId, EVER);
    const days = await nodes.ask<{ day: number }>(
      `SELECT DISTINCT day FROM (${selectOpenRows(siteId, [EVER], shown)})`,
    );
    for (const day of [...new Set(days.map((row) => row.day))].sort((a, b) => a - b)) {
      const own = selectOpenRows(siteId, [{ from: day, to: day + 1 }], shown);
      const rows = await nodes.ask<ActivityRow>(`SELECT ${columns} FROM (${own})`);
      rows.sort((one, other) => one.seq - other.seq);
      const last = new Map<number, number>();
      const all = rows.map((row): TransferActivity => {
        const { second, visitor, import: importId, engaged: kept } = row;
        const before = last.get(visitor) ?? second - VISIT_GAP;
        last.set(visitor, Math.max(second, before));
        const texts = Object.fromEntries(TEXT_FIELDS.map((field) => [field, row[field]])) as Record<
          (typeof TEXT_FIELDS)[number],
          string
        >;
        const key = { siteId, day, second, visitor, importId };
        if (kept === 0) return { ...key, ...texts };
        const engaged = kept > CLAIMED ? Math.min(kept - CLAIMED - 1, Math.max(0, second - before) + 1) : kept - 1;
        const told = { engaged, scroll: unpackScroll(row.scroll) };
        return { ...key, page: row.page, ...told, ...(row.vitals === 0 ? {} : { vitals: row.vitals }) };
      });
      for (let from = 0; from < all.length; from += PORTION) yield all.slice(from, from + PORTION);
    }
  }
}

const matchSites = (db: Db): string => `site IN (${listSiteIds(db).join(', ') || '0'})`;

export async function* readCrawls({ db, nodes }: Deps): AsyncGenerator<Crawl[]> {
  const sql = `SELECT site AS siteId, day, toString(crawler) AS crawler, page, sum(n) AS requests FROM (
    SELECT site, day, crawler, page, requests AS n FROM crawled WHERE ${matchSites(db)}) GROUP BY siteId, day, crawler, page`;
  // Old days that were moved here from an SQLite file have only sums: of each page for all crawlers (`crawler` is
  // empty), and of each crawler for all pages (`page` is empty). These sums come last.
  yield sumRows(await nodes.ask<Crawl>(sql), ['siteId', 'day', 'crawler', 'page']).sort(
    (one, other) => Number(one.crawler === '' || one.page === '') - Number(other.crawler === '' || other.page === ''),
  );
}

export async function* readDrops({ db, nodes }: Deps): AsyncGenerator<Drop[]> {
  const sql = `SELECT site AS siteId, day, toString(reason) AS reason, block, sum(n) AS hits FROM (
    SELECT site, day, reason, block, hits AS n FROM dropped WHERE ${matchSites(db)}) GROUP BY siteId, day, reason, block`;
  yield sumRows(await nodes.ask<Drop>(sql), ['siteId', 'day', 'reason', 'block']);
}
