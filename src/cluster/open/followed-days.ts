// Follows open days of a cluster: copies their rows from the ClickHouse servers into a local file. New rows of a small
// day are copied before each query. Those of a large day are copied each second, until ten minutes after a query.
// Queries of these days are answered from that file. Otherwise each query would make all visits of a large day again.
//
// Invariant: only ClickHouse stores the rows durably. The local copy of a small day is used only if it has all rows
// that the servers had at the query. The copy of a large day may lack rows of the last seconds. No figure goes down
// from one answer to the next.
//
// Example: at 10:00 a dashboard asks for today. ClickHouse answers, and the 3,000,000 rows of today are copied
// meanwhile. At 10:01 the copy is complete, and each second the new rows are copied. Now a query of today needs no
// ClickHouse server. At 00:01 the day is sealed, and its copy is deleted.
//
// A day is followed only if it has no sealed slice and no import. ClickHouse answers for all other days, for a day that
// is not copied yet, and whenever the copy is behind. measure-both.ts calls `take`. Test:
// test/cluster/open/followed-days.test.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { OpenDays } from '../../engine/open-days.ts';
import type { DayCopyStatus } from '../../engine/server-status.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import type { Db } from '../../store/db.ts';
import { listExclusions } from '../../store/sites/exclusions.ts';
import { hasSite } from '../../store/sites/sites.ts';
import { readKnownDays } from '../query/catalog-snapshot.ts';
import { listDaysWithRows } from '../query/visible-rows.ts';
import { findLowestNumber, findTime } from '../servers/row-numbers.ts';
import { REPLACED } from './copy-rows.ts';
import { type CopyDeps, type DayCopies, type DayCopy, makeCopies } from './day-copies.ts';

export type FollowedDays = ReturnType<typeof followDays>;

/**
 * A look copies the rows that the copy of a day lacks. A query waits this long for a look. After this time, ClickHouse
 * answers, and the look goes on.
 */
const PATIENCE_MS = 1_000;
/**
 * A query waits this long for the first copy of a day. Copying a small day takes less, so ClickHouse need not be asked.
 */
const FIRST_PATIENCE_MS = 250;
/**
 * If ClickHouse gave the last answer about a large day, the next query waits for at most this long. It waits until the
 * copy has the rows that ClickHouse counted. Otherwise a figure could be lower than in the last answer. Collectors say
 * once a second which rows they have sent, so 2 s are usually enough.
 */
const CATCH_UP_MS = 2_000;
const CATCH_UP_LOOK_MS = 100;
/**
 * The new rows of a large day are copied each second, until no query has asked for the day for ten minutes. So a query
 * need not wait until rows are copied.
 */
const LOOK_MS = 1_000;
const LOOKED_AT_MS = 600_000;
/** The copies of a site are deleted if no query asked for its days in the last hour. */
const KEPT_MS = 3_600_000;
/**
 * How often copies that are not needed any more are looked for. With a thousand copies, one search takes 0.1 s. The
 * sweep, which runs after a day is sealed, looks for them too.
 */
const KEEP_MS = 10_000;
/**
 * The copy of a large day may lack the rows of the last seconds. If the copy lacks more, a look runs before the query
 * is answered.
 */
const MOST_LAG_SECONDS = 5;

export function followDays(deps: CopyDeps) {
  const { db, clock } = deps;
  const copies = makeCopies(deps);
  const { isLarge, isLargeNow, findState, catchUp, noteCounted } = watchCurrent(copies, clock);
  const isKeptEqual = keepExclusions(db);
  const days = makeDayLister(deps);

  /**
   * Writes the exclusions of a site into the local file. Gives a function that tells whether these exclusions are still
   * current. Gives undefined if the file fails, for example because its disk is full, or because it was deleted.
   */
  async function keepEqual(file: OpenDays, siteId: number): Promise<(() => boolean) | undefined> {
    try {
      if (!file.isThere()) throw new Error(REPLACED);
      return isKeptEqual(file, siteId);
    } catch (error) {
      await copies.drop(error as Error);
      return undefined;
    }
  }

  /** Deletes copies that are not needed any more, such as copies of sealed days. */
  async function keep(): Promise<void> {
    await copies.renew();
    const sites = Map.groupBy(copies.list(), ({ siteId }) => siteId);
    for (const [siteId, own] of sites) {
      const isIdle = own.every(({ askedAt }) => clock.tick() - askedAt > KEPT_MS);
      if (isIdle || !areAllPlain(db, siteId, own)) void copies.forget(siteId);
    }
    await copies.settle();
  }

  const keeping = setInterval(() => void keep().catch(copies.drop), KEEP_MS).unref();
  const looking = setInterval(() => {
    const asked = copies.list().filter((one) => isLarge(one) && clock.tick() - one.askedAt < LOOKED_AT_MS);
    for (const one of asked) void copies.look(one);
    if (asked.length > 0) days.list().catch(() => {});
  }, LOOK_MS).unref();

  return {
    /**
     * Lists the days for which any site has rows on the servers. `siteId` only decides how new the list must be. If the
     * site has a current copy of a large day, the list may be some seconds old.
     */
    async listDays(siteId: number, signal?: AbortSignal): Promise<readonly number[]> {
      const isKnown = copies.list().some((one) => one.siteId === siteId && isLargeNow(one));
      return (isKnown && days.findRecent()) || (await days.list(signal));
    },
    /**
     * Returns what answers a query from the local file: the days that the file has, and a function that counts them.
     * Returns undefined if the file has no day of the query, or if the copy of such a day is behind. `open` has the
     * days with rows on the servers. The open days that the query reads are followed from now on. For a query about all
     * sites, `isPassing` is set, and no more days are followed.
     */
    async take(siteId: number, { open, isAsked, isPassing = false }: Wanted) {
      if (!isPassing) for (const day of listPlain(db, siteId, open.filter(isAsked))) copies.begin(siteId, day);
      // The local file counts all rows that it has. So each copied day that the query reads must be current.
      const all = copies.list().filter((one) => one.siteId === siteId && isAsked(one.day));
      if (!isPassing) for (const one of all) one.askedAt = clock.tick();
      if (all.length === 0 || !all.every(({ day }) => open.includes(day))) return undefined;
      if (!(await catchUp(all)) || !areAllPlain(db, siteId, all)) return undefined;
      const file = copies.openFile();
      const isEqual = file && (await keepEqual(file, siteId));
      if (!isEqual) return undefined;
      return {
        days: new Set(all.map(({ day }) => day)),
        measure: file.measure,
        /**
         * False if a copy or its file was deleted, a day was sealed or the exclusions changed. The answer is then not
         * valid, and ClickHouse must answer.
         */
        isStill: () => file.isThere() && isEqual() && !all.some((one) => one.isGone) && areAllPlain(db, siteId, all),
      };
    },
    noteCounted,
    /** Lists the copies with their states, for the operator. */
    list: (): DayCopyStatus[] =>
      copies.list().map((one) => ({ siteId: one.siteId, day: one.day, rows: one.count, state: findState(one) })),
    drop: copies.drop,
    keep,
    async close(): Promise<void> {
      clearInterval(keeping);
      clearInterval(looking);
      await copies.close();
    },
  };
}

/** Builds functions that tell which copies may answer a query now. */
function watchCurrent({ look, openFile }: DayCopies, clock: Clock) {
  /** For each site and open day, a row number above all rows that an answer of ClickHouse counted. */
  const counted = new Map<number, Map<number, number>>();
  const findHighest = followSteps(clock);

  const findCounted = ({ siteId, day }: DayCopy): number => counted.get(siteId)?.get(day) ?? 0;
  const isBehind = (one: DayCopy): boolean => one.taken < findCounted(one);
  /**
   * True if the copy of a large day lacks at most the rows of the last 5 s. After the clock was set back, row numbers
   * are ahead of it. So the copy must also have got rows up to a new number in these seconds
   * (test/cluster/open/set-back.test.ts).
   */
  const isRecent = ({ taken, takenAt }: DayCopy): boolean =>
    findTime(taken) >= seconds(clock) - MOST_LAG_SECONDS && clock.tick() - takenAt <= 1000 * MOST_LAG_SECONDS;
  /**
   * True if ClickHouse would take long to count the day. Only the copy of such a day may lack the rows of the last
   * seconds.
   */
  const isLarge = (one: DayCopy): boolean => one.count >= (openFile()?.largeRows ?? Number.POSITIVE_INFINITY);
  const isThere = ({ isReady, isGone }: DayCopy): boolean => isReady && !isGone;
  const isLargeNow = (one: DayCopy): boolean => isThere(one) && isLarge(one) && isRecent(one) && !isBehind(one);
  /** True if the copy may answer a query that came before the last look. */
  const isCurrent = (one: DayCopy): boolean => isLargeNow(one) || (isThere(one) && one.later === 0);
  /** True if the copy of a large day may soon have the rows that ClickHouse counted. */
  const canCatchUp = (one: DayCopy): boolean =>
    isLarge(one) && isBehind(one) && findCounted(one) <= findLowestNumber(clock.now());

  return {
    isLarge,
    isLargeNow,
    findState(one: DayCopy): DayCopyStatus['state'] {
      if (one.isTooLarge) return 'too_large';
      if (!one.isReady) return 'copying';
      return isCurrent(one) ? 'current' : 'behind';
    },
    /**
     * Returns true if all given copies may answer a query. Copies new rows first, unless all are current copies of
     * large days. Repeats the copying for up to 2 s while the copy of a large day lacks rows that ClickHouse counted.
     */
    async catchUp(all: readonly DayCopy[]): Promise<boolean> {
      if (all.every(isLargeNow)) return true;
      // The query that begins a copy waits for it, because a small day is copied quickly. Later queries do not wait for
      // a copy that still runs, because a large day takes a minute.
      if (all.some(({ isReady, isTooLarge, running }) => isTooLarge || (!isReady && running))) return false;
      const most = all.every(({ isReady }) => isReady) ? PATIENCE_MS : FIRST_PATIENCE_MS;
      // Copying may take a second itself, so the time counts, and not only the number of looks.
      const end = clock.tick() + CATCH_UP_MS;
      for (let waited = 0; ; waited += CATCH_UP_LOOK_MS) {
        if (!(await isDoneIn(Promise.all(all.map(look)), most))) return false;
        const isLate = waited >= CATCH_UP_MS || clock.tick() >= end;
        if (isLate || !all.some(canCatchUp)) return all.every(isCurrent);
        await pause(CATCH_UP_LOOK_MS);
      }
    },
    /**
     * Notes that ClickHouse has answered for open days of a site. A copy must not answer before it has the rows that
     * ClickHouse counted.
     */
    noteCounted(siteId: number, { open, isAsked }: Wanted): void {
      const days = counted.get(siteId) ?? new Map<number, number>();
      for (const day of days.keys()) if (!open.includes(day)) days.delete(day);
      for (const day of open.filter(isAsked)) days.set(day, findLowestNumber(findHighest()));
      counted.set(siteId, days);
    },
  };
}

/**
 * Builds a function that gives a time. No row that is stored now has a number above this time. Usually this is the
 * present time. If the clock was set back by an hour, row numbers stay ahead of the clock for a while. Then the
 * function gives a time at most an hour above the time before (test/cluster/open/set-back.test.ts).
 */
function followSteps(clock: Clock): () => number {
  let [now, tick, least] = [clock.now(), clock.tick(), 0];
  return () => {
    const expected = now + clock.tick() - tick;
    [now, tick] = [clock.now(), clock.tick()];
    if (now < expected) least = Math.max(least, 2 * expected - now);
    return Math.max(now, least);
  };
}

type Wanted = { open: readonly number[]; isAsked: (day: number) => boolean; isPassing?: boolean | undefined };

/**
 * Lists the days with rows. If two requests overlap, the answer to the later request is kept, even if that answer came
 * first.
 */
function makeDayLister({ nodes, clock }: Pick<CopyDeps, 'nodes' | 'clock'>) {
  let latest: { at: number; days: readonly number[] } | undefined;
  return {
    async list(signal?: AbortSignal): Promise<readonly number[]> {
      const at = clock.tick();
      const days = await listDaysWithRows(nodes, signal);
      if (!latest || at >= latest.at) latest = { at, days };
      return days;
    },
    findRecent: (): readonly number[] | undefined =>
      latest && clock.tick() - latest.at < 1000 * MOST_LAG_SECONDS ? latest.days : undefined,
  };
}

/**
 * Finds the days of a site that may be followed: days without a sealed slice and without an import. A day that was
 * sealed, and then replaced or removed (`closed`), is left out too. Rows from before its sealing may still be stored,
 * but must not count again.
 */
function listPlain(db: Db, siteId: number, days: readonly number[]): number[] {
  if (days.length === 0 || !hasSite(db, siteId)) return [];
  const { shown } = readKnownDays(db, siteId, { from: Math.min(...days), to: Math.max(...days) + 1 });
  const others = new Set([...shown.slices, ...shown.closed, ...shown.imports].map(({ day }) => day));
  return days.filter((day) => !others.has(day));
}

function areAllPlain(db: Db, siteId: number, all: readonly DayCopy[]): boolean {
  const days = all.map(({ day }) => day);
  return listPlain(db, siteId, days).length === days.length;
}

/**
 * Builds a function that writes the exclusions of a site into the local file, if they have changed. That function
 * returns another function, which tells whether the written exclusions are still current.
 */
function keepExclusions(db: Db) {
  const written = new WeakMap<OpenDays, Map<number, string>>();
  return (file: OpenDays, siteId: number): (() => boolean) => {
    const texts = written.get(file) ?? new Map<number, string>();
    written.set(file, texts);
    const own = listExclusions(db, siteId);
    const text = JSON.stringify(own);
    if ((texts.get(siteId) ?? '[]') !== text) file.setExclusions(siteId, own);
    texts.set(siteId, text);
    return () => texts.get(siteId) === text && JSON.stringify(listExclusions(db, siteId)) === text;
  };
}

/** Waits until work is done, for at most `most` milliseconds. Returns false if the work is not done by then. */
async function isDoneIn(work: Promise<unknown>, most: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(most, false, { signal: timer.signal }).catch(() => false);
  const isDone = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return isDone;
}
