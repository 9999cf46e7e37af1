import { Stopped } from '../lib/errors.ts';
import type { Db } from '../store/statements.ts';
import { columnCache } from './column-cache.ts';
import { PART_COLUMNS } from './columns.ts';
import { allVisits, type Day, type SomeVisits } from './day.ts';
import { fold } from './fold.ts';
import { beginLarge, type LargeDay, liveDaysOf, takeIn, visitorsIn } from './large-day.ts';
import type { Window } from './latest-hits.ts';
import { beginOpen, isFoldingBehind, type OpenRows, readOn } from './open-days.ts';
import type { ReadColumn } from './part-pieces.ts';

/** The open day cache holds up to this many rows of 64 bytes, so that a query reads only the rows that are new. */
const CACHED_ROWS = 400_000;
/** A visit of a part of an open day takes 8 bytes for its visitor, beside its columns. */
const VISITS_PER_ROW = 8;
/**
 * The columns of large open days have a cache of their own: what comes in may touch any of their visits. With three times as much a
 * question took as long.
 */
const PART_BYTES = 8 * 1024 * 1024;

/** What of a day is active in some seconds of it. */
export type LiveDay = {
  day: number;
  /** How many visitors have a hit in them: of a large day this is known without its visits. */
  visitors?(window: Window): number;
  /** The visits that were active since a second, and others. */
  since(at: number): SomeVisits[];
};

/** What was read of an open day: folded as it was in a state, or, if it has parts, as they are. */
type CachedDay = { open: OpenRows; folded?: { state: string; day: Day } | undefined; large?: LargeDay | undefined };

const rowsIn = ({ open, large }: CachedDay): number =>
  (large?.patches ?? []).reduce(
    (sum, { patch }) => sum + patch.rows.count + patch.added.touched.size + patch.touched.size / VISITS_PER_ROW,
    open.rows.count,
  );

type Reading = { checkpoint(): void; mostRows: number };

/** Caches the rows and the columns of the open days that were queried last. */
export function openDayCache(db: Db, { checkpoint, mostRows }: Reading) {
  const cache = new Map<string, CachedDay>();
  const columns = columnCache(PART_BYTES);
  const columnOf: ReadColumn = (id, name, read) =>
    columns.of(id * PART_COLUMNS.length + PART_COLUMNS.indexOf(name), read);

  function put(key: string, entry: CachedDay): void {
    cache.delete(key);
    cache.set(key, entry);
    let rows = 0;
    for (const [other, day] of [...cache].reverse()) {
      rows += rowsIn(day);
      if (rows > CACHED_ROWS && other !== key) cache.delete(other);
    }
  }

  /** Reads what is new. A question that is stopped meanwhile leaves what it has read to the next one. */
  function read(siteId: number, day: number): CachedDay {
    const key = `${siteId} ${day}`;
    const before = cache.get(key);
    const { parts, isKnown, open } = beginOpen(db, { siteId, day }, before?.open);
    if (isFoldingBehind(db, day, open, mostRows)) throw new Stopped('hits of the day wait to be put into parts');
    const known = isKnown ? before?.large : undefined;
    const large = parts.length === 0 ? undefined : beginLarge(db, day, parts, { cached: columnOf, before: known });
    const entry: CachedDay = { open, large, folded: before?.folded };
    put(key, entry);
    readOn(db, day, open, { checkpoint });
    return entry;
  }

  function folded(entry: CachedDay, day: number): Day {
    const { open } = entry;
    const state = JSON.stringify([open.first, open.sources]);
    if (entry.folded?.state !== state) entry.folded = { state, day: fold(day, open.rows) };
    return entry.folded.day;
  }

  return {
    nextQuery: columns.nextQuery,
    /** A day, or what is kept of a large one. */
    of(siteId: number, day: number): Day | LargeDay {
      const entry = read(siteId, day);
      if (entry.large) takeIn(entry.large, entry.open, checkpoint);
      return entry.large ?? folded(entry, day);
    },
    /** The same for who is there now. */
    live(siteId: number, day: number): LiveDay {
      const entry = read(siteId, day);
      const { large, open } = entry;
      return large
        ? {
            day,
            visitors: (window) => visitorsIn(large, open, window),
            since: (at) => liveDaysOf(large, open, at, checkpoint),
          }
        : { day, since: () => [allVisits(folded(entry, day))] };
    },
    forget(): void {
      cache.clear();
      columns.forget();
    },
  };
}
