// Caches the open days that were queried last: rows that are in no shard, shards with their deltas, and columns of written shards.
// Invariant: a cached day answers like one read anew. A query reads new rows first, and starts again if a day was sealed or imported
// meanwhile.
//
// Example: a day of 80,000 rows is queried each minute, and 500 hits come between two queries. Each query then reads 500 rows. The cache
// holds 400,000 rows of 64 bytes, 26 MB.
// Called by query/day-reader.ts, once in each reading thread.
import type { SiteDay } from '../../catalog/sealed-days.ts';
import { Stopped } from '../../lib/errors.ts';
import type { Db } from '../../store/db.ts';
import { SHARD_COLUMNS } from '../column/column.ts';
import { makeColumnCache } from '../column/column-cache.ts';
import type { SomeVisits } from '../day/day.ts';
import type { Window } from './active-visitors.ts';
import { countVisitors, keepLatest, listActiveVisits } from './active-visits.ts';
import { beginOpenDay, isInMemory, type OpenDay, takeRows, takeTurn } from './open-day.ts';
import { beginOpen, isCompactionBehind, type OpenRows, readOn } from './row-sources.ts';
import type { ReadColumn } from './shard-format.ts';

/** The cache holds so many rows of 64 bytes. */
const CACHED_ROWS = 400_000;
/** A visit of a written shard takes 8 bytes for its visitor, an eighth of a row. Its columns have a cache of their own. */
const VISITS_PER_ROW = 8;
/**
 * Columns of written shards have a cache of their own, because new rows may touch any visit. With three times as many bytes queries
 * were not faster.
 */
const COLUMN_BYTES = 8 * 1024 * 1024;

/** Reading and adding so many rows takes some milliseconds. A query may have to wait for that. */
const ROWS_PER_TURN = 10_000;

/** A day as the query for active visitors reads it. */
export type LiveDay = {
  day: number;
  /** How many visitors have a hit in a window of seconds. Days without it are counted by their visits. */
  visitors?(window: Window): number;
  /** Visits, among them all that were active since a second of the day. */
  since(at: number): SomeVisits[];
};

/** An open day in the cache: its rows in no shard, and its shards. */
type CachedDay = {
  siteDay: SiteDay;
  open: OpenRows;
  /** What the day was read from: its shards, its first row, and the last row of each source. */
  state: string;
  openDay: OpenDay;
};

type OpenRead = ReturnType<typeof beginOpen>;

/** Makes the cache of a thread. */
export function makeOpenDayCache(db: Db, { checkpoint, mostRows }: Reading) {
  const days = makeDayList();
  let turns = 0;
  const columns = makeColumnCache(COLUMN_BYTES);
  const readCached: ReadColumn = (id, name, read) =>
    columns.of(id * SHARD_COLUMNS.length + SHARD_COLUMNS.indexOf(name), read);

  const begin = (siteDay: SiteDay): OpenRead => beginOpen(db, siteDay, days.of(siteDay)?.open);

  /** Reads up to `most` new rows of a day. A stopped query leaves what it has read to the next one. */
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
    /** Reads a day with all its rows, for queries of visits. */
    of(siteId: number, day: number): OpenDay {
      const { openDay, open } = read({ siteId, day });
      takeRows(openDay, open, checkpoint);
      return openDay;
    },
    /** Reads a day for the query for active visitors. */
    live(siteId: number, day: number): LiveDay {
      const { openDay, open } = read({ siteId, day });
      return {
        day,
        visitors: (window) => countVisitors(openDay, open, window),
        since: (at) => listActiveVisits(openDay, open, at, checkpoint),
      };
    },
    /** Adds some new rows to one of the large days, between two queries. */
    keepUp(): void {
      const kept = days.listLarge();
      const siteDay = kept[turns++ % kept.length];
      if (!siteDay) return;
      const begun = begin(siteDay);
      // A day that must be read anew, such as each day with imports, is left to the next query.
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

/** Days in the order of their latest query. The oldest leave the cache when it is full. */
function makeDayList() {
  const cache = new Map<string, CachedDay>();
  return {
    of: (siteDay: SiteDay): CachedDay | undefined => cache.get(makeKey(siteDay)),
    keep(entry: CachedDay): void {
      cache.set(makeKey(entry.siteDay), entry);
    },
    /** Makes a day the latest one, and drops old days if the cache is full. */
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
    clear: (): void => cache.clear(),
  };
}
