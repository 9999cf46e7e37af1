// The queries of the engine on ClickHouse. The ClickHouse servers have the hits. The database file of the primary has
// the exclusions, and says which days are sealed. The file is read in one transaction before the servers count. So a
// day that is sealed meanwhile counts either as rows or as visits (query/catalog-snapshot.ts).
//
// Invariant: an answer counts the hits of all shards. If no complete server of a shard responds, the query fails with
// status 503.
//
// Example: a query about a week with today reads six sealed days from rollups, and today from rows.
import { findLastSealed, hasSealedDays } from '../catalog/sealed-days.ts';
import { addSharedUnknown, addUnknown } from '../catalog/unknown.ts';
import type { Queries } from '../engine/engine.ts';
import { DAY } from '../lib/time.ts';
import { askForVisitors, isAboutNow, listRanges, type Query, type Range } from '../stats/query.ts';
import type { Db } from '../store/db.ts';
import { listKeepingSites } from '../store/sites/sites.ts';
import type { FollowedDays } from './open/followed-days.ts';
import { buildMeasureBoth, type MeasureWith } from './open/measure-both.ts';
import { measureSites } from './query/all-sites.ts';
import { readKnownDays } from './query/catalog-snapshot.ts';
import {
  countBlocked,
  listCrawlDays,
  listCrawls,
  listDropDays,
  listDroppedDays,
  listDrops,
} from './query/crawls-and-drops.ts';
import {
  findFirstHits,
  listDayStatus,
  listDays,
  listOpenDays,
  listVisitedDays,
  previewExclusion,
  readSealedVisits,
  readVisits,
} from './query/days.ts';
import { suggestExclusions } from './query/exclusion-suggestions.ts';
import { measure as measureIn } from './query/measure.ts';
import { makeQueryLine, type QueryLine } from './query/query-line.ts';
import { readTables } from './query/tables.ts';
import { listDaysWithRows } from './query/visible-rows.ts';
import type { Nodes } from './servers/nodes.ts';
import { findLowestNumber } from './servers/row-numbers.ts';
import { measureGrowth } from './upkeep/disk-growth.ts';
import { listExpired } from './upkeep/retention.ts';

/**
 * `before`: only rows with a lower number count. If it is undefined, all rows count. `followed` has copies of open
 * days. `followed` is undefined in a command, which has no copies. A query as of a past day reads no copies, because a
 * copy also has later rows.
 */
type Deps = { db: Db; nodes: Nodes; line: QueryLine; before?: number; followed?: FollowedDays | undefined };

export function buildQueries(deps: Pick<Deps, 'db' | 'nodes' | 'followed'>): Queries {
  const line = makeQueryLine();
  return {
    ...buildPresent({ ...deps, line }),
    asOf: (past, { arrivedBefore }) =>
      buildPresent({ db: past, nodes: deps.nodes, line, before: findLowestNumber(arrivedBefore * 1000) }),
  };
}

function buildPresent({ db, nodes, line, before, followed }: Deps): Omit<Queries, 'asOf'> {
  function measureNow(open: readonly number[], query: Query, signal: AbortSignal | undefined) {
    const known = readKnownDays(db, query.siteId, findRange(query));
    return measureIn({ nodes, known: { ...known, shown: { ...known.shown, open, before } }, signal }, query);
  }
  const measureWith: MeasureWith = (open, query, { signal, place = query.siteId }) =>
    line.run(place, signal, () => measureNow(open, query, signal));
  const measureBoth = buildMeasureBoth({ db, followed, measureWith });
  const measure = async (query: Query, signal?: AbortSignal) => {
    const open = (await followed?.listDays(query.siteId, signal)) ?? (await listDaysWithRows(nodes, signal));
    return addUnknown(db, query, await measureBoth(open, query, { signal }));
  };
  return {
    measure,
    async measureSites(query, signal) {
      const open = await listDaysWithRows(nodes, signal);
      // Here, all queries of a user wait in one line (query-line.ts), so that many sites do not delay other users.
      const asking = { signal, place: -query.userId, isPassing: true };
      const found = await measureSites((one) => measureBoth(open, one, asking), query);
      return addSharedUnknown(db, query, found);
    },
    readCrawls: (query, signal) => listCrawls(nodes, query, signal),
    previewExclusion: (siteId, range, filters, signal) =>
      line.run(siteId, signal, () => previewExclusion({ db, nodes, signal }, siteId, range, filters)),
    suggestExclusions: (query, signal) =>
      line.run(query.siteId, signal, () => suggestExclusions({ db, nodes, signal }, query)),
    async countExcluded(siteId, range, signal) {
      const { excluded } = await measure(askForVisitors(siteId, range), signal);
      return excluded;
    },
    listDrops: (siteId, range) => listDrops(nodes, siteId, range),
    countBlocked: (siteId, range) => countBlocked(nodes, siteId, range),
    listDroppedDays: (reason, from) => listDroppedDays(nodes, reason, from),
    async listDayStatus(siteId, range, signal) {
      const open = await listDaysWithRows(nodes, signal);
      const measureDay = async (query: Query) => addUnknown(db, query, await measureBoth(open, query, { signal }));
      return await listDayStatus({ db, nodes, signal }, measureDay, siteId, range);
    },
    listDays: (siteId) => listDays({ db, nodes }, siteId),
    listVisitedDays: (siteId, range) => listVisitedDays({ db, nodes, before }, siteId, range),
    listOpenDays: (siteId, range) => listOpenDays({ db, nodes, before }, siteId, range),
    readVisits: (siteId, range) => readVisits({ db, nodes }, siteId, range),
    readSealedVisits: (siteId, day) => readSealedVisits({ db, nodes }, siteId, day),
    listCrawlDays: (siteId) => listCrawlDays(nodes, siteId),
    listDropDays: (siteId) => listDropDays(nodes, siteId),
    readTables: (siteId, range) => readTables(readVisits({ db, nodes }, siteId, range)),
    async visitTables(siteId, range, visit) {
      for await (const table of readTables(readVisits({ db, nodes }, siteId, range))) visit(table);
    },
    findFirstHits: (siteIds) => findFirstHits({ db, nodes }, siteIds),
    async findLastHit() {
      const own = `SELECT max(toInt64(day) * ${DAY} + second) AS last FROM activity WHERE engaged = 0`;
      const found = await nodes.ask<{ last: number }>(own);
      return Math.max(...found.map(({ last }) => last), (findLastSealed(db) ?? 0) * DAY);
    },
    measureGrowth: (today, siteId) => measureGrowth({ db, nodes }, today, siteId),
    async measureExpired(siteId, today) {
      const { keepDays } = listKeepingSites(db).find(({ id }) => id === siteId) ?? {};
      const slices = keepDays === undefined ? [] : listExpired(db, siteId, keepDays, today);
      const perDay = await measureGrowth({ db, nodes }, today, siteId);
      const days = new Set(slices.map(({ day }) => day)).size;
      return { count: days, bytes: Math.round(days * perDay) };
    },
    hasSealedDays: () => hasSealedDays(db),
  };
}

/**
 * Finds one range that contains all days of a query. A query may compare two periods. With one range, one transaction
 * reads all that the database file says about these days.
 */
function findRange(query: Query): Range {
  const ranges = isAboutNow(query) ? [query.range] : listRanges(query);
  const from = Math.min(...ranges.map((range) => range.from));
  const to = Math.max(...ranges.map((range) => range.to));
  return { from, to };
}
