// Caches the open days that were queried last: their shards with columns, and their rows outside of shards.
//
// Invariant: a cached day gives the same answers as a day read from the file. If the day was sealed or imported
// meanwhile, a query reads the whole day again. A sealed day soon leaves the cache, because its visitor codes must be
// forgotten (test/ledger/open/open-day-cache.long.test.ts).
//
// Example: a day of 80,000 rows is queried every minute, and 500 hits arrive between two queries. Each query then reads
// 500 rows. query/day-reader.ts makes one cache in each thread that reads.
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { Stopped } from '../../lib/errors.ts';
import type { Db } from '../../store/db.ts';
import { SHARD_COLUMNS } from '../column/column.ts';
import { makeColumnCache } from '../column/column-cache.ts';
import type { SomeVisits } from '../day/day.ts';
import type { Window } from './active-visitors.ts';
import { countVisitors, keepLatest, listActiveVisits } from './active-visits.ts';
import { beginOpenDay, isInMemory, type OpenDay, takeRows, takeTurn } from './open-day.ts';
import { beginOpen, isCompactionBehind, listOpenDays, type OpenRows, readOn } from './row-sources.ts';
import type { ReadColumn } from './shard-format.ts';

/**
 * The most rows that all cached days have together: 400,000 rows take 26 MB. The day that was queried last always
 * stays.
 */
const CACHED_ROWS = 400_000;
/**
 * How many visits of a stored shard count as one row of the cache. A row takes 64 bytes in memory. A visit of a stored
 * shard takes only 8 bytes, for its visitor code.
 */
const VISITS_PER_ROW = 8;
/** The size of the cache for columns of shards: 8 MB. With 24 MB, queries were not faster. */
const COLUMN_BYTES = 8 * 1024 * 1024;

/**
 * Between two queries, up to this many new rows are added to a cached day. A query that arrives during this work must
 * wait some milliseconds.
 */
const ROWS_PER_TURN = 10_000;

export type LiveDay = {
  day: number;
  /**
   * Counts the visitors with a hit in a range of times, the window. A sealed day lacks this function. The caller then
   * counts the visitors in the lists that `since` returns.
   */
  visitors?(window: Window): number;
  /**
   * Lists the visits that were active at second `at` or later. The lists may also have earlier visits, which the caller
   * must leave out.
   */
  since(at: number): SomeVisits[];
};

type CachedDay = {
  siteDay: SiteDay;
  open: OpenRows;
  /**
   * Says what was read of the day. The text has the ids of its shards, and the number of rows in these shards. It also
   * has the id of the last row that was read of the live hits, and of each import. If the text is the same at the next
   * query, no row has arrived, and earlier results are used again.
   */
  state: string;
  openDay: OpenDay;
};

type OpenRead = ReturnType<typeof beginOpen>;

export function makeOpenDayCache(db: Db, { checkpoint, mostRows }: Reading) {
  const days = makeDayList();
  let turns = 0;
  const columns = makeColumnCache(COLUMN_BYTES);
  const readCached: ReadColumn = (id, name, read) =>
    columns.of(id * SHARD_COLUMNS.length + SHARD_COLUMNS.indexOf(name), read);

  const begin = (siteDay: SiteDay): OpenRead => beginOpen(db, siteDay, days.of(siteDay)?.open);

  /**
   * Reads up to `most` new rows of a day. If the query is stopped, the rows read so far stay in the cache. The next
   * query continues after these rows.
   */
  function readMore(siteDay: SiteDay, { shards, isKnown, open }: OpenRead, most: number): CachedDay {
    const { day } = siteDay;
    const before = days.of(siteDay);
    if (isCompactionBehind(db, day, open, mostRows)) throw new Stopped('hits of the day wait for compaction');
    const known = isKnown ? before?.openDay : undefined;
    const openDay = beginOpenDay(db, day, shards, { cached: readCached, before: known });
    const entry: CachedDay = { siteDay, open, state: '', openDay };
    days.keep(entry);
    readOn(db, day, open, { checkpoint, most: open.rows.count + most });
    entry.state = JSON.stringify([openDay.ids, open.first, open.sources]);
    if (before?.state === entry.state) entry.openDay = before.openDay;
    return entry;
  }

  function read(siteDay: SiteDay): CachedDay {
    try {
      return readMore(siteDay, begin(siteDay), Number.POSITIVE_INFINITY);
    } finally {
      days.use(siteDay);
    }
  }

  return {
    nextQuery: columns.nextQuery,
    of(siteId: number, day: number): OpenDay {
      const { openDay, open } = read({ siteId, day });
      takeRows(openDay, open, checkpoint);
      return openDay;
    },
    live(siteId: number, day: number): LiveDay {
      const { openDay, open } = read({ siteId, day });
      return {
        day,
        visitors: (window) => countVisitors(openDay, open, window),
        since: (at) => listActiveVisits(openDay, open, at, checkpoint),
      };
    },
    /**
     * Reads new rows of one large day (a day with shards in the file) into the cache. Called between two queries, so
     * that the next query has less to read. The next call reads rows of the next large day.
     */
    keepUp(): void {
      // Cached columns of shards are removed too, because somebody could recognise visitors by these columns.
      if (days.dropSealed(db)) columns.forget();
      const kept = days.listLarge();
      const siteDay = kept[turns++ % kept.length];
      if (!siteDay) return;
      const begun = begin(siteDay);
      // If the rows in memory cannot be used again, the whole day must be read. For example, a day with imports is
      // always read as a whole. Reading a whole day takes long, so the next query of the day does it.
      if (!begun.isKnown) return;
      const { openDay, open } = readMore(siteDay, begun, ROWS_PER_TURN);
      keepLatest(openDay, open);
      takeTurn(openDay, open, ROWS_PER_TURN);
    },
    forget(): void {
      days.clear();
      columns.forget();
    },
  };
}

const makeKey = ({ siteId, day }: SiteDay): string => `${siteId} ${day}`;

const countRows = ({ open, openDay }: CachedDay): number =>
  openDay.shards.reduce(
    (sum, { delta }) => sum + delta.rows.count + delta.added.touched.size + delta.touched.size / VISITS_PER_ROW,
    open.rows.count,
  );

type Reading = { checkpoint(): void; mostRows: number };

function makeDayList() {
  const cache = new Map<string, CachedDay>();
  let looks = 0;
  return {
    of: (siteDay: SiteDay): CachedDay | undefined => cache.get(makeKey(siteDay)),
    keep(entry: CachedDay): void {
      cache.set(makeKey(entry.siteDay), entry);
    },
    /** Marks a day as queried last. If the cache is full, removes the days that were queried longest ago. */
    use(siteDay: SiteDay): void {
      const own = makeKey(siteDay);
      const entry = cache.get(own);
      if (!entry) return;
      cache.delete(own);
      cache.set(own, entry);
      let rows = 0;
      for (const [key, day] of [...cache].reverse()) {
        rows += countRows(day);
        if (rows > CACHED_ROWS && key !== own) cache.delete(key);
      }
    },
    listLarge: (): SiteDay[] =>
      [...cache.values()].filter(({ openDay }) => !isInMemory(openDay)).map(({ siteDay }) => siteDay),
    /** Checks one cached day at each call. If the day was sealed, removes it from the cache and returns true. */
    dropSealed(db: Db): boolean {
      const { siteId, day } = [...cache.values()][looks++ % cache.size]?.siteDay ?? {};
      if (siteId === undefined || day === undefined || listOpenDays(db, siteId, day, day + 1).length > 0) return false;
      return cache.delete(makeKey({ siteId, day }));
    },
    clear: (): void => cache.clear(),
  };
}
