// The jobs that are due once a day: sealing, the recount and the backup.
//
// Invariant: a job is due again only when a day has ended. For sealing, this is a day in the time zone of any site. For
// the backup, it is a day in UTC. There is one exception: if a day could not be sealed, the job tries again earlier. A
// new database file gets its first backup when its first day is sealed.
//
// Example: at 00:01 in Berlin, the day before is sealed. At 00:02, no other day has ended, so nothing is due. jobs.ts
// calls these functions each minute. Test: test/jobs/jobs.test.ts.

import { describeFaulty, describeUnsealed, type Queries, type SealResult, type Upkeep } from '../engine/engine.ts';
import { type Coded, coded } from '../lang/coded.ts';
import { writeCoded } from '../lib/http/fault.ts';
import { findReason } from '../lib/reason.ts';
import { type Clock, DAY, HOUR, MINUTE, seconds } from '../lib/time.ts';
import { findSiteDay } from '../lib/zone.ts';
import type { Db } from '../store/db.ts';
import { noteUpkeep } from '../store/server/upkeep.ts';
import { listZones } from '../store/sites/zones.ts';
import { makeDailyBackups } from './backup.ts';

type Deps = Parameters<typeof makeDailyBackups>[0] & {
  db: Db;
  queries: Pick<Queries, 'hasSealedDays'>;
  upkeep: Pick<Upkeep, 'seal' | 'recountSome'>;
  clock: Clock;
};

export function makeDailyJobs(deps: Deps, stop: AbortSignal) {
  const { db, queries, upkeep, clock } = deps;
  const dailyBackups = makeDailyBackups(deps);
  /**
   * The current days in the time zones of all sites at the latest sealing, as a text. If the text is different now, a
   * day has ended in some zone, and the job seals days again.
   */
  let sealedOn: string | undefined;
  /**
   * The current days of all sites at the latest try to seal, as a text. If the try threw an error, the text begins with
   * "failed". The recount runs whenever this text has changed, even if days could not be sealed.
   */
  let triedOn: string | undefined;
  /** The value of `triedOn` at the latest recount. If `triedOn` now has another value, a recount is due. */
  let recountedOn: string | undefined;
  /** The UTC day of the latest backup. A new database file is not backed up until its first day is sealed. */
  let copiedOn: number | undefined;
  /** The reason why some days could not be sealed. */
  let unsealedReason: Coded | undefined;
  const isShortWait = trackWait(clock);
  /** When the job tries again to seal the days that could not be sealed, in milliseconds of `clock.tick()`. */
  let againAt = Number.POSITIVE_INFINITY;
  /**
   * How long the job waits after the next failure, in milliseconds. With 0, the job tries again a minute later, as
   * usual.
   */
  let pauseMs = 0;
  /**
   * True while the write-ahead log of SQLite may still contain deleted visitor codes. While somebody reads the file,
   * the log cannot be emptied. So the job tries to empty the log each minute.
   */
  let isWalDue = false;
  const running = () => listRunningDays(db, seconds(clock) - AFTER_MIDNIGHT_SECONDS);

  return {
    /** Seals past days. Stores a note for `daybook doctor`, which says whether every past day could be sealed. */
    async seal(): Promise<Coded | undefined> {
      if (isWalDue) isWalDue = !db.emptyWal();
      const [at, days] = [seconds(clock), running()];
      if (days === sealedOn && clock.tick() < againAt) return unsealedReason;
      isWalDue = true;
      triedOn = `failed ${days}`;
      const night = await upkeep.seal(stop).catch((error: Error) => {
        if (!stop.aborted) noteUpkeep(db, 'seal', { at, fine: false, words: findReason(error) });
        throw error;
      });
      const fine = night.failed.length === 0;
      const isFaulty = !night.failed.every(({ waits }) => waits);
      againAt = fine ? Number.POSITIVE_INFINITY : clock.tick() + (isFaulty ? pauseMs : 0);
      pauseMs = isFaulty ? Math.min(pauseMs * 2 || SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS) : 0;
      sealedOn = days;
      triedOn = days;
      unsealedReason = noteNight(db, at, night, isShortWait(!fine && !isFaulty));
      return unsealedReason;
    },
    /**
     * Counts some sealed days again after each sealing. Stores a note for `daybook doctor`, which says whether their
     * stored sums are right.
     */
    async recount(): Promise<void> {
      if (triedOn === undefined || recountedOn === triedOn) return;
      const [at, tried] = [seconds(clock), triedOn];
      const { days, faulty } = await upkeep.recountSome(stop);
      const [first] = faulty;
      const found = first
        ? describeFaulty({ days, count: faulty.length, first })
        : coded('recount_fine', { count: days });
      if (days > 0) noteUpkeep(db, 'recount', { at, fine: !first, words: writeCoded(found) });
      recountedOn = tried;
    },
    async copy(): Promise<void> {
      const now = seconds(clock);
      const today = Math.floor((now - AFTER_MIDNIGHT_SECONDS) / DAY);
      if (today === copiedOn || !queries.hasSealedDays()) return;
      await dailyBackups.make(now);
      copiedOn = today;
    },
    stop: () => dailyBackups.stop(),
  };
}

/**
 * Stores a note for `daybook doctor` that says whether all past days are sealed. Returns the reason if some days are
 * not. Returns undefined while days have waited only a short time for rows of a cluster.
 */
function noteNight(db: Db, at: number, night: SealResult, isShortWait: boolean): Coded | undefined {
  const isSealed = night.failed.length === 0;
  const reason = isSealed || isShortWait ? undefined : describeUnsealed(night);
  const words = writeCoded(reason ?? coded(isSealed ? 'all_sealed' : 'seal_waits'));
  noteUpkeep(db, 'seal', { at, fine: !reason, words });
  return reason;
}

/**
 * Makes a function that is called at each try to seal days. `isWaiting` is true if days were not sealed, and waiting
 * for rows is the only reason. The function returns true while this wait is shorter than 10 minutes. The operator is
 * not told about such a short wait.
 */
function trackWait(clock: Clock): (isWaiting: boolean) => boolean {
  let since: number | undefined;
  return (isWaiting) => {
    since = isWaiting ? (since ?? clock.tick()) : undefined;
    return since !== undefined && clock.tick() - since < CALM_MS;
  };
}

/** Writes the current day in each site's time zone as one text. If the text changes, a day has ended in some zone. */
const listRunningDays = (db: Db, at: number): string =>
  listZones(db)
    .map((zone) => `${zone.timeZone} ${findSiteDay(zone, at)}`)
    .join();

/** How many seconds after its end a day is sealed. By then, its last hits are stored. */
const AFTER_MIDNIGHT_SECONDS = MINUTE;

/**
 * The longest pause between two tries to seal days, after failures in a row. For example, a server of the cluster may
 * not answer. After the second failure, the pause is a minute. With each further failure, the pause doubles, up to this
 * limit. If days only wait for rows of a cluster, this is no failure, and the job tries again every minute.
 */
const LONGEST_PAUSE_MS = HOUR * 1000;
/**
 * If days wait for rows of a cluster for longer than this, the operator is told. Shorter waits are normal. For example,
 * sealing waits up to ten minutes for a late ClickHouse server. After a restart of the primary, sealing waits until the
 * collectors have reported, which takes a few seconds.
 */
const CALM_MS = 10 * MINUTE * 1000;
/** The pause after the second failure in a row. After the first failure, the job tries again at its next run. */
const SHORTEST_PAUSE_MS = MINUTE * 1000;
