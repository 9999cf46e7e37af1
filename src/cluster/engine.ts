// The cluster engine stores hits on ClickHouse servers. This file puts its parts together: intake, queries, imports,
// upkeep and transfer.
//
// Invariant: hits, visits and sums are stored on the ClickHouse servers only. The database file of the primary server
// stores which days are sealed, which imports are shown and which servers are complete.
//
// Example: `openCluster('clickhouse://one:8123,two:8123/daybook', …)` connects to two servers. It opens the outbox, an
// SQLite file, and begins to send the hits that wait there.
//
// compose.ts calls `openCluster` for a server, and cli/command.ts and cli/move.ts call the other two functions.
import { findLastClosed } from '../catalog/day-states.ts';
import { hideImport, listImportedDays, listImports } from '../catalog/imported.ts';
import { type Turns, takeTurns } from '../catalog/one-at-a-time.ts';
import { countUsage } from '../commit/plan-usage.ts';
import type { Engine, Upkeep } from '../engine/engine.ts';
import type { Log } from '../lib/log.ts';
import type { Clock } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import { listServers } from '../store/cluster/cluster-servers.ts';
import { findSender, openOutbox, setSequence } from '../store/cluster/outbox.ts';
import type { Db } from '../store/db.ts';
import { watchClock } from '../store/server/clock-trust.ts';
import { findSiteAccount, hasSite } from '../store/sites/sites.ts';
import { startFiller } from './fill/filler.ts';
import { type FillSender, listSenders } from './fill/senders.ts';
import { buildCommandIntake, buildIntake, type ClusterIntake } from './outbox/intake.ts';
import { buildQueries } from './queries.ts';
import { listTaken } from './query/days.ts';
import { parseAddress } from './servers/address.ts';
import { connect, prepare } from './servers/connect.ts';
import { startKeeper } from './servers/keeper.ts';
import { assertOnlyPrimary } from './servers/marks.ts';
import type { Node, Nodes } from './servers/nodes.ts';
import { makeTransfer } from './transfer.ts';
import { importContent } from './upkeep/import.ts';
import { countImported } from './upkeep/import-rows.ts';
import { runNight } from './upkeep/nightly.ts';
import { recount, recountSome } from './upkeep/recount.ts';
import { deleteSite, sweep } from './upkeep/sweep.ts';

type Deps = {
  db: Db;
  /** The path of the outbox, the SQLite file in which hits wait until the ClickHouse servers have received them. */
  outbox: string;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** A site may have this many hits in a day. Further hits are dropped. 0 means no limit. */
  capacity?: number | undefined;
};

/** Opens the cluster for a running server: connects to the ClickHouse servers and begins to send waiting hits. */
export async function openCluster(text: string, { outbox, ...deps }: Deps): Promise<Engine> {
  const { db, clock } = deps;
  const behind = new Set<Node>();
  let senders: () => FillSender[] = () => [];
  const reached = (url: string) => Math.min(...senders().map((one) => one.reached.get(url) ?? 0));
  const { address, nodes } = await connect(text, db, clock, { behind, as: 'server', log: deps.log, reached });
  const file = openOutbox(outbox, `primary-${clock.now()}`);
  // Each row gets a number made from the time. When a day is stored as visits (sealed), its rows up to a number are
  // deleted. If the clock was set back, new rows would get low numbers and be deleted too. So new numbers begin above
  // the numbers of all sealed rows.
  file.db.write(() => setSequence(file.db, Math.max(findSender(file.db).seq, findLastClosed(db))));
  const intake = buildIntake(file, {
    ...deps,
    reach: { nodes, behind, listServers: () => listServers(db) },
    ack: address.ack,
    number: 0,
    siteExists: (siteId) => hasSite(db, siteId),
    counted(activities) {
      if (activities.length > 0) db.write(() => countUsage(db, activities, (siteId) => findSiteAccount(db, siteId)));
    },
  });
  senders = () => listSenders(db, intake);
  const { keep, close } = startKeeper({ ...deps, nodes });
  await keep();
  const lookAfter: LookAfter = (inTurn) => {
    const filler = startFiller({
      ...{ ...deps, nodes, inTurn },
      prepare: (node) => prepare(address, [node]),
      nextNumber: () => intake.takeNumbers(1),
      listSenders: senders,
    });
    return {
      async keep() {
        await keep();
        await filler.fillDue();
      },
      async close() {
        await Promise.all([close(), filler.close()]);
      },
    };
  };
  return buildEngine({ ...deps, nodes, intake, lookAfter });
}

/** Opens the cluster for a command such as `daybook export`. It accepts no hits: only the running server does. */
export async function openClusterForCommand(text: string, db: Db, clock: Clock): Promise<Engine> {
  const { nodes } = await connect(text, db, clock);
  return buildEngine({ db, nodes, clock, log: () => {}, intake: buildCommandIntake(clock) });
}

/**
 * Makes the name of a cluster, with which `daybook move` notes where it moves hits. The name has the URLs of the
 * servers and the database. It has no password, because it is stored.
 */
export function nameCluster(text: string): string {
  const { urls, database } = parseAddress(text);
  return `${urls.join(' ')} ${database}`;
}

/** Opens the cluster to which `daybook move` moves the hits of an SQLite file. */
export async function openClusterForMove(text: string, db: Db, clock: Clock) {
  const { nodes } = await connect(text, db, clock, { as: 'move' });
  return {
    name: nameCluster(text),
    servers: nodes.all,
    transfer: makeTransfer({ db, nodes, name: `move-${clock.now()}` }),
  };
}

/**
 * Builds functions that check the ClickHouse servers and copy missing rows to them. `inTurn` runs a piece of work while
 * no nightly work runs: making visits of a past day (sealing) must not change rows that are being copied.
 */
type LookAfter = (inTurn: Turns['inTurn']) => { keep(): Promise<void>; close(): Promise<void> };

type EngineParts = { db: Db; nodes: Nodes; clock: Clock; log: Log; intake: ClusterIntake; lookAfter?: LookAfter };

function buildImports({ db, nodes, clock, intake }: EngineParts): Engine['imports'] {
  const adding = { db, nodes, clock, name: intake.name, takeNumbers: intake.takeNumbers };
  return {
    async add(siteId, content, options) {
      await assertOnlyPrimary({ db, nodes });
      return await importContent(adding, siteId, content, options);
    },
    list: async (siteId) => listImports(db, siteId, await countImported({ db, nodes }, siteId)),
    listDays: async (siteId) => listImportedDays(db, siteId),
    listTaken: (siteId, days) => listTaken({ db, nodes }, siteId, days),
    remove: async (siteId, id) => hideImport(db, siteId, id),
  };
}

function buildUpkeep({ db, nodes, clock, log, intake }: EngineParts, inTurn: Turns['inTurn']) {
  const night = { db, nodes, clock, log, trust: watchClock(db, clock), ship: intake.ship };
  const asOnlyPrimary = <Result>(work: () => Promise<Result>): Promise<Result> =>
    inTurn(async () => {
      await assertOnlyPrimary({ db, nodes });
      return await work();
    });
  return {
    seal: (signal) => asOnlyPrimary(() => runNight(night, signal)),
    sweep: () => asOnlyPrimary(() => sweep({ db, nodes, clock, outbox: intake.outbox })),
    recount: () => recount({ db, nodes }),
    recountSome: (signal) => inTurn(() => recountSome({ db, nodes }, clock, signal)),
    // In the SQLite file, a new exclusion (a filter that takes visits out of the statistics) makes stored sums stale.
    // Here it is applied when a query runs, so no sums become stale. ClickHouse packs new rows itself.
    remakeSums: async () => 0,
    compact: async () => {},
    async deleteSite(siteId) {
      await assertOnlyPrimary({ db, nodes });
      await deleteSite({ db, nodes }, siteId);
    },
    async listSilentServers() {
      const found = await Promise.all(nodes.all.map(async (node) => ({ ...node, answers: await nodes.answers(node) })));
      return found.filter(({ answers }) => !answers).map(({ url }) => url);
    },
    listAwayServers: () => nodes.all.filter(nodes.isAway).map(({ url }) => url),
  } satisfies Partial<Upkeep>;
}

function buildEngine(slices: EngineParts): Engine {
  const { db, nodes, clock, intake } = slices;
  const { inTurn, settle } = takeTurns();
  const keeping = slices.lookAfter?.(inTurn);
  return {
    intake,
    queries: buildQueries({ db, nodes }),
    imports: buildImports(slices),
    upkeep: { ...buildUpkeep(slices, inTurn), checkServers: keeping?.keep ?? (async () => {}) },
    transfer: makeTransfer({ db, nodes, name: `move-${clock.now()}` }),
    async close() {
      await keeping?.close();
      await settle();
      await intake.close();
    },
  };
}
