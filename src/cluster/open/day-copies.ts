// The primary keeps copies of open days in a local file. `look` copies the rows that the copy of a day lacks. One such
// copying is called a look. `forget` deletes the copies of a site.
//
// Invariant: before a copy is deleted, it is noted as gone (`isGone`). So a query that reads the copy meanwhile notices
// it, and is answered again. While copies of a site are deleted, no copy of this site is made.
//
// Example: ten queries about one day come within 20 ms. The first one begins a look. The others wait for the next look,
// which begins when the first one ends. So two looks serve ten queries, and each query has all rows that were there
// when it came. followed-days.ts calls `makeCopies`.
import type { OpenDays } from '../../engine/open-days.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time.ts';
import { type Db, isSqliteError } from '../../store/db.ts';
import { hasSite } from '../../store/sites/sites.ts';
import { makeClaimBounds } from './bound-claims.ts';
import { buildCopy, type CopiedDay, type Copying } from './copy-rows.ts';

export type DayCopy = CopiedDay & {
  /** When a query last asked for the day. */
  askedAt: number;
  /** The look that runs, and the look that begins when the running look ends. */
  running?: Promise<void> | undefined;
  next?: Promise<void> | undefined;
};

export type CopyDeps = Pick<Copying, 'nodes' | 'findHorizon'> & {
  db: Db;
  /** Makes an empty local file. */
  openDays(): OpenDays;
  clock: Clock;
  log: Log;
};

export type DayCopies = ReturnType<typeof makeCopies>;

const FAILED = 'the copy of open days does not work. ClickHouse answers';
/** After a failure, a new local file is made at the earliest a minute later. */
const FAILED_MS = 60_000;
const OLD_MS = 86_400_000;

export function makeCopies(deps: CopyDeps) {
  const { db, clock, log } = deps;
  const copies = new Map<string, DayCopy>();
  const file = makeFile(deps);
  let isClosed = false;

  function leave(some: readonly DayCopy[]): void {
    for (const one of some) {
      one.isGone = true;
      copies.delete(nameDay(one.siteId, one.day));
    }
  }

  /**
   * If the local file fails, for example because its disk is full, the file is deleted. ClickHouse answers until a new
   * file is made.
   */
  async function drop({ message }: Error): Promise<void> {
    if (isClosed) return;
    leave([...copies.values()]);
    log(FAILED, { message });
    await file.fail();
  }

  /**
   * `later` counts rows that the servers have and the copy lacks. If a look fails, this count is unknown, and becomes
   * infinity. Then the copy of a small day is not used until a look succeeds. A look must not change `later` before its
   * end, because a query that waited for the previous look may still read `later`.
   */
  async function fail(one: DayCopy, error: unknown): Promise<void> {
    one.later = Number.POSITIVE_INFINITY;
    if (isSqliteError(error)) await drop(error as Error);
  }

  const { forget, isForgetting, settle } = buildForget({ db, file, copies, leave, drop });
  const openFile = (): OpenDays | undefined => (isClosed ? undefined : file.open());
  const copy = buildCopy({ ...deps, openFile, forget, drop });
  return {
    openFile,
    list: (): DayCopy[] => [...copies.values()],
    begin(siteId: number, day: number): void {
      if (copies.has(nameDay(siteId, day)) || isForgetting(siteId)) return;
      const none = {
        count: 0,
        taken: 0,
        takenAt: 0,
        later: 0,
        isReady: false,
        isTooLarge: false,
        isGone: false,
        askedAt: clock.tick(),
      };
      copies.set(nameDay(siteId, day), { siteId, day, ...none, claims: makeClaimBounds({ siteId, day }) });
    },
    look: buildLook((one) => copy(one).catch((error) => fail(one, error))),
    forget,
    /**
     * Deletes the local file if it is a day old, because it has texts of past days. The next copy begins a new file.
     * The file is also deleted with its last copy (`forget`), but with many sites there is always a copy.
     */
    async renew(): Promise<void> {
      if (!file.isOld()) return;
      leave([...copies.values()]);
      await file.close();
    },
    /** Waits until all copies are gone that are being deleted now. */
    settle,
    drop,
    async close(): Promise<void> {
      isClosed = true;
      leave([...copies.values()]);
      await settle();
      await file.close();
    },
  };
}

type Forgetting = {
  db: Db;
  file: ReturnType<typeof makeFile>;
  copies: ReadonlyMap<string, DayCopy>;
  leave(some: readonly DayCopy[]): void;
  drop(reason: Error): Promise<void>;
};

function buildForget({ db, file, copies, leave, drop }: Forgetting) {
  const forgetting = new Map<number, Promise<void>>();

  async function forgetIn(own: OpenDays | undefined, siteId: number): Promise<void> {
    try {
      await own?.forget(siteId, { isDeleted: !hasSite(db, siteId) });
    } catch (error) {
      // If the rows cannot be deleted, the whole file is deleted. Another call may have deleted it already.
      if (file.find() === own) await drop(error as Error);
    }
  }

  return {
    isForgetting: (siteId: number): boolean => forgetting.has(siteId),
    /** Deletes the copies of all days of a site. Queries no longer use them from now on. */
    forget(siteId: number): Promise<void> {
      leave([...copies.values()].filter((one) => one.siteId === siteId));
      const own = (forgetting.get(siteId) ?? Promise.resolve())
        // The file is deleted with its last copy. Otherwise texts of past days would fill it.
        .then(() => (copies.size === 0 ? file.close() : forgetIn(file.find(), siteId)))
        .finally(() => {
          if (forgetting.get(siteId) === own) forgetting.delete(siteId);
        });
      forgetting.set(siteId, own);
      return own;
    },
    settle: async (): Promise<void> => void (await Promise.all(forgetting.values())),
  };
}

/**
 * Builds the function `look`, which copies the rows that a copy lacks. The copying begins after the call of `look`, so
 * it sees all rows that the servers had at the call.
 */
const buildLook =
  (copy: (one: DayCopy) => Promise<void>) =>
  (one: DayCopy): Promise<void> => {
    one.next ??= (one.running ?? Promise.resolve()).then(() => {
      one.next = undefined;
      one.running = copy(one).finally(() => {
        one.running = undefined;
      });
      return one.running;
    });
    return one.next;
  };

const nameDay = (siteId: number, day: number): string => `${siteId} ${day}`;

/**
 * Opens the local file when it is first needed. A failure is logged, and changes no answer. While a file is being
 * closed, no new file is made. Closing deletes the file at the path, and would delete the new file.
 */
function makeFile({ openDays, clock, log }: Pick<CopyDeps, 'openDays' | 'clock' | 'log'>) {
  let days: OpenDays | undefined;
  let openedAt = 0;
  let failedAt: number | undefined;
  let closing: Promise<void> | undefined;

  function noteFailure({ message }: Error): void {
    failedAt = clock.tick();
    log(FAILED, { message });
  }

  async function close(): Promise<void> {
    const own = days;
    days = undefined;
    if (own)
      closing = own
        .close()
        .catch(noteFailure)
        .finally(() => {
          closing = undefined;
        });
    await closing;
  }

  return {
    find: (): OpenDays | undefined => days,
    isOld: (): boolean => days !== undefined && clock.tick() - openedAt > OLD_MS,
    open(): OpenDays | undefined {
      if (days || closing || (failedAt !== undefined && clock.tick() - failedAt < FAILED_MS)) return days;
      try {
        days = openDays();
        openedAt = clock.tick();
      } catch (error) {
        noteFailure(error as Error);
      }
      return days;
    },
    close,
    fail(): Promise<void> {
      failedAt = clock.tick();
      return close();
    },
  };
}
