import type { Activity } from '../engine/activity.ts';
import type { Engine, Intake, Upkeep } from '../engine/engine.ts';
import { politely } from '../lib/steps.ts';
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
import { backstage } from './work/background.ts';
import { type Deps, nightly, recountSome, resum } from './work/nightly.ts';

/** At any moment the running days of two sites are at most so far apart. */
const DAYS_APART = 2;

/** What needs to know of both, the intake and the work behind it. */
type Shared = {
  counts: ReturnType<typeof makeDayCounts>;
  background: ReturnType<typeof backstage>;
  unsummed: Set<number>;
};

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

function buildUpkeep(deps: Deps, { counts, background, unsummed }: Shared): Upkeep {
  const { db, clock } = deps;
  return {
    async seal(signal) {
      counts.forgetBefore(Math.floor(seconds(clock) / DAY) - DAYS_APART);
      const night = await background.inTurn(() => nightly(deps, signal));
      // What came while the server was down, or before it knew shards.
      if (deps.limits && signal?.aborted !== true) await background.fold(signal);
      return night;
    },
    // Sealing deletes visitor codes in the transaction that seals.
    sweep: async () => {},
    async *recount() {
      yield* recount(db);
    },
    recountSome: (signal) => background.inTurn(() => recountSome(deps, signal)),
    async remakeSums(signal) {
      const sites = listReducedSites(db);
      // Most servers have no exclusion, and look every minute.
      if (sites.length === 0) return 0;
      for (const siteId of sites) unsummed.add(siteId);
      try {
        return await background.inTurn(() => resum(deps, background.until(signal)));
      } finally {
        unsummed.clear();
      }
    },
    compact: () => background.fold(),
    deleteSite: (siteId) => politely(forgetSite(db, siteId), clock),
    checkServers: async () => {},
    listSilentServers: async () => [],
    listAwayServers: () => [],
  };
}

/** The engine on daybook's own SQLite file. */
export function openLedger(deps: Deps): Engine {
  const { db, clock, readers } = deps;
  const background = backstage(deps);
  const shared: Shared = { counts: makeDayCounts(db), background, unsummed: new Set<number>() };
  return {
    intake: buildIntake(deps, shared),
    queries: buildQueries(db, readers, shared.unsummed),
    imports: buildImports(deps),
    upkeep: buildUpkeep(deps, shared),
    transfer: makeTransfer(db, clock),
    async close() {
      await background.close();
      await readers.close();
    },
  };
}
