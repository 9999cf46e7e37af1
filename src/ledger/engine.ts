// Opens the ledger: the engine that stores hits in the SQLite file.
//
// Invariant: only the main thread writes hits. All other threads only read, each with a database connection of its own.
//
// Example: `intake.append` receives a hit and writes it to the disk within some milliseconds. The hit then counts
// toward the site's limit for the day. It also counts toward the number of new rows that starts a compaction.
// in-threads.ts opens the ledger for the server, and in-process.ts opens it for commands.
import { type Turns, takeTurns } from '../catalog/one-at-a-time.ts';
import type { Activity } from '../engine/activity.ts';
import type { Engine, Intake, Upkeep } from '../engine/engine.ts';
import { Problem } from '../lib/errors.ts';
import { runPolitely } from '../lib/steps.ts';
import { DAY, seconds } from '../lib/time.ts';
import { buildImports } from './imports.ts';
import { makeAppender } from './open/append.ts';
import { makeDayCounts } from './open/hits-per-day.ts';
import { buildQueries } from './queries.ts';
import { listActive } from './rows/hits.ts';
import { listReducedSites } from './sealed/excluded-sums.ts';
import { makeTransfer } from './transfer.ts';
import { recount } from './upkeep/recount.ts';
import { forgetSite } from './upkeep/sweep.ts';
import { makeBackground } from './work/background.ts';
import { deleteDays } from './work/delete-days.ts';
import { type Deps, nightly, recountSome, resum } from './work/nightly.ts';

/**
 * In every time zone, a day ends less than two days after 00:00 UTC of its date. After these two days, the number of
 * the day's hits is deleted from memory.
 */
const DAYS_APART = 2;

type Shared = {
  counts: ReturnType<typeof makeDayCounts>;
  background: ReturnType<typeof makeBackground>;
  unsummed: Set<number>;
  /**
   * Runs deletions of days and removals of imports one after another, because each of them starts a thread. When 60
   * deletions ran at the same time, the server needed ten times the memory (test/ledger/work/delete-days.test.ts).
   */
  remove: Turns['inTurn'];
};

export function openLedger(deps: Deps): Engine {
  const { db, clock, readers } = deps;
  const background = makeBackground(deps);
  const removing = takeTurns();
  // When the server stops, waiting deletions of days and removals of imports are refused, as the file is closed soon.
  const remove = <Result>(work: () => Promise<Result>): Promise<Result> =>
    removing.inTurn(async () => {
      if (background.until().aborted) throw new Problem('unavailable');
      return await work();
    });
  const shared: Shared = { counts: makeDayCounts(db), background, unsummed: new Set<number>(), remove };
  const imports = buildImports(deps);
  return {
    intake: buildIntake(deps, shared),
    queries: buildQueries(db, readers, shared.unsummed),
    imports: { ...imports, remove: (...asked) => remove(() => imports.remove(...asked)) },
    upkeep: buildUpkeep(deps, shared),
    transfer: makeTransfer(db, clock),
    async close() {
      // All threads are ended in parallel, because ending one thread may take a second or more.
      await Promise.all([background.close(), readers.close()]);
    },
  };
}

function buildIntake({ db, log, clock, meters, capacity = 0 }: Deps, { counts, background }: Shared): Intake {
  function stored(activities: readonly Activity[]): void {
    counts.add(activities);
    background.note(activities.length);
  }
  const { append, drop, waiting, settle } = makeAppender(db, { log, clock, meters, stored });
  return {
    append,
    countDrop: drop,
    isFull: (siteId, day) => capacity > 0 && counts.of(siteId, day) >= capacity,
    findRefusal: () => undefined,
    countWaiting: waiting,
    isShared: false,
    listActive: (moment) => new Map(listActive(db, moment).map(({ visitor, last }) => [visitor, last])),
    settle,
  };
}

function buildUpkeep(deps: Deps, { counts, background, unsummed, remove }: Shared): Upkeep {
  const { db, clock } = deps;
  const resumSoon = makeResum(deps, background);
  return {
    async seal(signal) {
      counts.forgetBefore(Math.floor(seconds(clock) / DAY) - DAYS_APART);
      const night = await background.inTurn(() => nightly(deps, signal));
      // Hits that arrived before the server started are compacted here. Later hits trigger a compaction when they
      // arrive.
      if (deps.limits && signal?.aborted !== true) await background.compact(signal);
      return night;
    },
    // Sealing also runs the sweep, so there is nothing to do here.
    sweep: async () => {},
    async *recount() {
      yield* recount(db);
    },
    recountSome: (signal) => background.inTurn(() => recountSome(deps, signal)),
    async remakeSums(signal) {
      const sites = listReducedSites(db);
      // This function is called every minute. On most servers, no site has exclusions, so the function returns here.
      if (sites.length === 0) return 0;
      for (const siteId of sites) unsummed.add(siteId);
      try {
        return await resumSoon(signal);
      } finally {
        unsummed.clear();
      }
    },
    compact: () => background.compact(),
    deleteSite: (siteId) => runPolitely(forgetSite(db, siteId), clock),
    deleteDays: (siteId, range, options) => remove(() => deleteDays(deps, siteId, range, options)),
    checkServers: async () => {},
    listSilentServers: async () => [],
    listAwayServers: () => [],
    examineServers: async () => [],
    listSenders: () => [],
    listDayCopies: () => [],
  };
}

/**
 * Makes a function that computes all stale sums when it is its turn. While one call waits, further calls share its
 * result. Otherwise somebody who changes exclusions again and again would fill the queue, and sealing would wait for
 * hours (test/ledger/work/resum.test.ts).
 */
function makeResum(deps: Deps, background: Shared['background']): (signal?: AbortSignal) => Promise<number> {
  let waiting: { signals: AbortSignal[]; count: Promise<number> } | undefined;

  function enqueue() {
    const signals: AbortSignal[] = [];
    const count = background.inTurn(() => {
      waiting = undefined;
      return resum(deps, background.until(AbortSignal.any(signals)));
    });
    return { signals, count };
  }

  return (signal) => {
    waiting ??= enqueue();
    if (signal) waiting.signals.push(signal);
    return waiting.count;
  };
}
