import type { SiteDay } from '../../catalog/sealed-days.ts';
import { Stopped } from '../../lib/errors.ts';
import type { Db } from '../../store/db.ts';
import { SHARD_COLUMNS } from '../column/column.ts';
import { makeColumnCache } from '../column/column-cache.ts';
import type { SomeVisits } from '../day/day.ts';
import type { Window } from './active-visitors.ts';
import { keepLatest, listActiveVisits, visitorsIn } from './active-visits.ts';
import { beginOpenDay, isInMemory, type OpenDay, takeRows, takeTurn } from './open-day.ts';
import { beginOpen, isFoldingBehind, type OpenRows, readOn } from './row-sources.ts';
import type { ReadColumn } from './shard-format.ts';

/** The open day cache holds up to this many rows of 64 bytes, so that a query reads only the rows that are new. */
const CACHED_ROWS = 400_000;
/** A visit of a part of an open day takes 8 bytes for its visitor, beside its columns. */
const VISITS_PER_ROW = 8;
/**
 * The columns of large open days have a cache of their own: what comes in may touch any of their visits. With three times as much a
 * question took as long.
 */
const PART_BYTES = 8 * 1024 * 1024;

/** To read and take in so many rows takes some milliseconds, for which a question may have to wait. */
const ROWS_PER_TURN = 10_000;

/** What of a day is active in some seconds of it. */
export type LiveDay = {
  day: number;
  /** How many visitors have a hit in them: of a large day this is known without its visits. */
  visitors?(window: Window): number;
  /** The visits that were active since a second, and others. */
  since(at: number): SomeVisits[];
};

/** What was read of an open day: folded as it was in a state, or, if it has parts, as they are. */
type CachedDay = {
  siteDay: SiteDay;
  open: OpenRows;
  /** What it was read from. */
  state: string;
  large: OpenDay;
};

type Begun = ReturnType<typeof beginOpen>;

const keyOf = ({ siteId, day }: SiteDay): string => `${siteId} ${day}`;

const rowsIn = ({ open, large }: CachedDay): number =>
  large.shards.reduce(
    (sum, { delta }) => sum + delta.rows.count + delta.added.touched.size + delta.touched.size / VISITS_PER_ROW,
    open.rows.count,
  );

type Reading = { checkpoint(): void; mostRows: number };

/** Days in the order of questions, as many as there is room for. */
function cachedDays() {
  const cache = new Map<string, CachedDay>();
  return {
    of: (siteDay: SiteDay): CachedDay | undefined => cache.get(keyOf(siteDay)),
    keep(entry: CachedDay): void {
      cache.set(keyOf(entry.siteDay), entry);
    },
    /** Makes a day the one that was asked for last. */
    use(siteDay: SiteDay): void {
      const own = keyOf(siteDay);
      const entry = cache.get(own);
      if (!entry) return;
      cache.delete(own);
      cache.set(own, entry);
      let rows = 0;
      for (const [key, day] of [...cache].reverse()) {
        rows += rowsIn(day);
        if (rows > CACHED_ROWS && key !== own) cache.delete(key);
      }
    },
    large: (): SiteDay[] => [...cache.values()].filter(({ large }) => !isInMemory(large)).map(({ siteDay }) => siteDay),
    clear: (): void => cache.clear(),
  };
}

/** Caches the rows and the columns of the open days that were queried last. */
export function openDayCache(db: Db, { checkpoint, mostRows }: Reading) {
  const days = cachedDays();
  let turns = 0;
  const columns = makeColumnCache(PART_BYTES);
  const columnOf: ReadColumn = (id, name, read) =>
    columns.of(id * SHARD_COLUMNS.length + SHARD_COLUMNS.indexOf(name), read);

  const begin = (siteDay: SiteDay): Begun => beginOpen(db, siteDay, days.of(siteDay)?.open);

  /** Reads up to `most` new rows. A question that is stopped meanwhile leaves what it has read to the next one. */
  function readMore(siteDay: SiteDay, { parts, isKnown, open }: Begun, most: number): CachedDay {
    const { day } = siteDay;
    const before = days.of(siteDay);
    if (isFoldingBehind(db, day, open, mostRows)) throw new Stopped('hits of the day wait to be put into parts');
    const known = isKnown ? before?.large : undefined;
    const large = beginOpenDay(db, day, parts, { cached: columnOf, before: known });
    const entry: CachedDay = { siteDay, open, state: '', large };
    days.keep(entry);
    readOn(db, day, open, { checkpoint, most: open.rows.count + most });
    entry.state = JSON.stringify([large.ids, open.first, open.sources]);
    if (before?.state === entry.state) entry.large = before.large;
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
    /** A day, or what is kept of a large one. */
    of(siteId: number, day: number): OpenDay {
      const { large, open } = read({ siteId, day });
      takeRows(large, open, checkpoint);
      return large;
    },
    /** The same for who is there now. */
    live(siteId: number, day: number): LiveDay {
      const { large, open } = read({ siteId, day });
      return {
        day,
        visitors: (window) => visitorsIn(large, open, window),
        since: (at) => listActiveVisits(large, open, at, checkpoint),
      };
    },
    /** Takes in some of what came to one of the large days, between questions. */
    keepUp(): void {
      const kept = days.large();
      const siteDay = kept[turns++ % kept.length];
      if (!siteDay) return;
      const begun = begin(siteDay);
      // What must be read anew, as a day with imports each time, is left to the next question.
      if (!begun.isKnown) return;
      const { large, open } = readMore(siteDay, begun, ROWS_PER_TURN);
      keepLatest(large, open);
      takeTurn(large, open, ROWS_PER_TURN);
    },
    forget(): void {
      days.clear();
      columns.forget();
    },
  };
}
