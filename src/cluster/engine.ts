// The cluster engine stores hits on ClickHouse servers. This file joins the parts of the engine: intake, queries,
// imports, upkeep and transfer.
//
// Invariant: hits, visits and rollups are stored on the ClickHouse servers. New hits first wait in the outbox. The
// database file of the primary has the totals of sealed days. It also says which days are sealed, which imports are
// shown and which servers are complete.
//
// Example: `openCluster('clickhouse://one:8123,two:8123/daybook', …)` connects to two servers. The function also opens
// the outbox, an SQLite file, and begins to send the hits that wait there. compose.ts calls `openCluster` for the
// running daybook. The other functions are for commands, such as `daybook move`, and for threads (worker.ts).
import { statSync } from 'node:fs';
import { hideImport, listImportedDays, listImports } from '../catalog/imported.ts';
import { findLastVoid } from '../catalog/imports.ts';
import { type Turns, takeTurns } from '../catalog/one-at-a-time.ts';
import { findLastClosed } from '../catalog/swept-days.ts';
import { countUsage } from '../commit/plan-usage.ts';
import type { Engine, Upkeep } from '../engine/engine.ts';
import type { OpenDays } from '../engine/open-days.ts';
import type { SenderStatus } from '../engine/server-status.ts';
import type { Transfer } from '../engine/transfer.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import { listServers } from '../store/cluster/cluster-servers.ts';
import { type Collector, listCollectors } from '../store/cluster/collectors.ts';
import { listDivisions } from '../store/cluster/divisions.ts';
import { openOutbox } from '../store/cluster/outbox.ts';
import { removeDelivered } from '../store/cluster/outbox-pieces.ts';
import { findSender, setSequence } from '../store/cluster/outbox-sender.ts';
import type { Status } from '../store/cluster/sender-status.ts';
import type { Db } from '../store/db.ts';
import { watchClock } from '../store/server/clock-trust.ts';
import { findSiteAccount, hasSite } from '../store/sites/sites.ts';
import { startFiller } from './fill/filler.ts';
import { findLastStored } from './fill/last-numbers.ts';
import { type FillSender, listSenders } from './fill/senders.ts';
import { startGrower } from './grow/grower.ts';
import { type FollowedDays, followDays } from './open/followed-days.ts';
import { findHorizon } from './open/horizon.ts';
import { buildCommandIntake, buildIntake, type ClusterIntake } from './outbox/intake.ts';
import { buildQueries } from './queries.ts';
import { listTaken } from './query/days.ts';
import { type Address, parseAddress } from './servers/address.ts';
import { findHolding } from './servers/admission.ts';
import { connect, prepare } from './servers/connect.ts';
import { startKeeper } from './servers/keeper.ts';
import { findLags, listReports, noteLate } from './servers/late.ts';
import { buildLoads } from './servers/loads.ts';
import { assertOnlyPrimary } from './servers/marks.ts';
import type { Node, Nodes } from './servers/nodes.ts';
import { assertOneName } from './servers/one-name.ts';
import { assertOurs } from './servers/ownership.ts';
import { makeTransfer } from './transfer.ts';
import { deleteDays } from './upkeep/delete-days.ts';
import { importContent } from './upkeep/import.ts';
import { countImported } from './upkeep/import-rows.ts';
import { runNight } from './upkeep/nightly.ts';
import { recount, recountSome } from './upkeep/recount.ts';
import { buildRetention } from './upkeep/retention.ts';
import { findSealed } from './upkeep/sealed-until.ts';
import { deleteSite, sweep } from './upkeep/sweep.ts';

type Deps = {
  db: Db;
  /** The path of the outbox. */
  outbox: string;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** The maximum number of hits of a site in a day. Further hits are dropped. 0 means no limit. */
  capacity?: number | undefined;
  /**
   * Makes an empty file for copies of open days. If this function is missing, there are no copies, and ClickHouse
   * answers all queries.
   */
  openDays?: () => OpenDays;
};

export async function openCluster(text: string, { outbox, openDays, ...deps }: Deps): Promise<Engine> {
  const { db, clock } = deps;
  const behind = new Set<Node>();
  let senders: () => FillSender[] = () => [];
  const reached = (url: string) => Math.min(...senders().map((one) => one.reached.get(url) ?? 0));
  const { address, nodes } = await connect(text, db, clock, { behind, as: 'server', log: deps.log, reached });
  const file = openOutbox(outbox, `primary-${clock.now()}`);
  const sealed = findSealed(db);
  // The outbox may be an older copy of the file, with rows that were sent long ago. Sealing a day makes visits of its
  // rows. If rows of a sealed day were sent again, they would count twice. So rows up to the row number `sealed` are
  // removed from the outbox here. All complete servers have received these rows.
  while (file.db.write(() => removeDelivered(file.db, sealed)));
  // Row numbers are made from the time. After a day is sealed, its rows up to a certain number do not count, and are
  // deleted. If the clock was set back, new rows would get lower numbers, and would be lost. So new numbers begin above
  // the numbers of all sealed rows, and of all rows that an import replaced.
  const lastHidden = Math.max(findLastClosed(db), findLastVoid(db), sealed);
  const { seq } = findSender(file.db);
  // A new outbox does not know the numbers of an outbox that was lost. No two rows may have equal numbers.
  const lastStored = seq === 0 ? await findLastStored(nodes) : 0;
  file.db.write(() => setSequence(file.db, Math.max(seq, lastHidden, lastStored)));
  const intake = buildIntake(file, {
    ...deps,
    reach: {
      ...{ nodes, behind, changed: () => noteLate(db, clock, behind) },
      ...{ listServers: () => listServers(db), listDivisions: () => listDivisions(db) },
    },
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
      async assertOwn(node) {
        assertOurs(db, [await findHolding(address, node)], false);
        await assertOneName(address, node, nodes.all);
      },
      nextNumber: intake.takeNumber,
      listSenders: senders,
    });
    const grower = startGrower({
      ...{ ...deps, address, keep, inTurn, followServers: intake.followServers, listSenders: senders },
    });
    return {
      async keep() {
        await keep();
        await filler.fillDue();
      },
      async close() {
        await Promise.all([grower.close(), close(), filler.close()]);
      },
    };
  };
  const followed =
    openDays && followDays({ ...deps, nodes, openDays, findHorizon: (servers) => findHorizon(servers, senders()) });
  const findOwnReport = () => ({
    ...{ now: seconds(clock), ...intake.readProgress() },
    bytes: statSync(outbox, { throwIfNoEntry: false })?.size ?? 0,
  });
  return buildEngine({ ...deps, address, nodes, intake, lookAfter, followed, findOwnReport });
}

/** Opens the cluster for a command such as `daybook export`. The engine of a command accepts no hits. */
export async function openClusterForCommand(text: string, db: Db, clock: Clock): Promise<Engine> {
  const { address, nodes } = await connect(text, db, clock);
  return buildEngine({ db, address, nodes, clock, log: () => {}, intake: buildCommandIntake(clock) });
}

/**
 * Makes the name of a cluster from its URLs and its database. The name has no password, because `daybook move` stores
 * it.
 */
export function nameCluster(text: string): string {
  const { urls, database } = parseAddress(text);
  return `${urls.join(' ')} ${database}`;
}

/**
 * Opens the cluster to which `daybook move` moves everything, or on which an interrupted move back has left hits.
 * Refuses a cluster that another primary uses, which started later with a copy of this file. The move would delete that
 * primary's hits.
 */
export async function openClusterForMove(text: string, db: Db, clock: Clock) {
  const { nodes } = await connect(text, db, clock, { as: 'move' });
  await assertOnlyPrimary({ db, nodes });
  return {
    name: nameCluster(text),
    servers: nodes.all,
    transfer: makeTransfer({ db, nodes, name: `move-${clock.now()}` }),
  };
}

/**
 * Opens the cluster from which `daybook move` moves everything back into the SQLite file. Refuses an older copy of the
 * file, because the move ends with deleting everything on the cluster.
 */
export async function openClusterForMoveBack(text: string, db: Db, clock: Clock): Promise<Transfer> {
  const { nodes } = await connect(text, db, clock);
  await assertOnlyPrimary({ db, nodes });
  return makeTransfer({ db, nodes, name: `move-${clock.now()}` });
}

/**
 * Builds functions that check the servers, and copy missing rows to them. `inTurn` runs work while no nightly work
 * runs, because sealing must not change rows that are being copied.
 */
type LookAfter = (inTurn: Turns['inTurn']) => { keep(): Promise<void>; close(): Promise<void> };

type OwnReport = Pick<Status, 'now' | 'until' | 'servers' | 'bytes'>;

type EngineParts = {
  db: Db;
  address: Address;
  nodes: Nodes;
  clock: Clock;
  log: Log;
  intake: ClusterIntake;
  lookAfter?: LookAfter;
  followed?: FollowedDays | undefined;
  /** Says which rows of the primary each server has received. A command has no outbox, so it has no such function. */
  findOwnReport?: () => OwnReport;
};

function buildImports({ db, nodes, clock, intake }: EngineParts): Engine['imports'] {
  const adding = { db, nodes, clock, name: intake.name, takeNumber: intake.takeNumber };
  return {
    async add(siteId, content, options) {
      await assertOnlyPrimary({ db, nodes });
      return await importContent(adding, siteId, content, options);
    },
    list: async (siteId) => listImports(db, siteId, await countImported({ db, nodes }, siteId)),
    listDays: async (siteId) => listImportedDays(db, siteId),
    listTaken: (siteId, days) => listTaken({ db, nodes }, siteId, days),
    remove: async (siteId, id, { alongside } = {}) => hideImport(db, siteId, id, { now: seconds(clock), alongside }),
  };
}

function buildUpkeep(
  { db, address, nodes, clock, log, intake, followed, findOwnReport }: EngineParts,
  inTurn: Turns['inTurn'],
) {
  const retention = buildRetention({ db, nodes, clock });
  const readLoads = buildLoads(address, () => nodes.all, clock);
  const night = { db, nodes, clock, log, trust: watchClock(db, clock), retention, ship: intake.ship };
  const asOnlyPrimary = <Result>(work: () => Promise<Result>): Promise<Result> =>
    inTurn(async () => {
      await assertOnlyPrimary({ db, nodes });
      return await work();
    });
  return {
    seal: (signal) => asOnlyPrimary(() => runNight(night, signal)),
    async sweep() {
      await followed?.keep();
      await asOnlyPrimary(() => sweep({ db, nodes, clock, retention, outbox: intake.outbox }));
    },
    recount: () => recount({ db, nodes }),
    recountSome: (signal) => inTurn(() => recountSome({ db, nodes }, clock, signal)),
    // Queries apply exclusions when they run, so a new exclusion makes no sums stale. ClickHouse merges new rows
    // itself, so there is nothing to compact.
    remakeSums: async () => 0,
    compact: async () => {},
    async deleteSite(siteId) {
      await assertOnlyPrimary({ db, nodes });
      await followed?.keep();
      await deleteSite({ db, nodes }, siteId);
    },
    deleteDays: (siteId, range, options) =>
      asOnlyPrimary(() => deleteDays({ db, nodes, clock }, siteId, range, options)),
    async listSilentServers() {
      const found = await Promise.all(nodes.all.map(async (node) => ({ ...node, answers: await nodes.answers(node) })));
      return found.filter(({ answers }) => !answers).map(({ url }) => url);
    },
    listAwayServers: () => nodes.all.filter(nodes.isAway).map(({ url }) => url),
    async examineServers() {
      const loads = await readLoads();
      const lags = findLags([...listReports(db), ...(findOwnReport ? [findOwnReport()] : [])]);
      const away = new Set(nodes.all.filter(nodes.isAway).map(({ url }) => url));
      return loads.map((one) => ({ ...one, lag: lags.get(one.url), isAway: away.has(one.url) }));
    },
    listSenders: () => [
      ...(findOwnReport ? [describePrimary(findOwnReport())] : []),
      ...listCollectors(db).map((one) => describeCollector(one, seconds(clock))),
    ],
    listDayCopies: () => followed?.list() ?? [],
  } satisfies Partial<Upkeep>;
}

const describePrimary = ({ now, until, bytes }: OwnReport): SenderStatus => ({
  ...{ name: null, silence: 0, lag: Math.max(now - until, 0), bytes, closed: null },
});

function describeCollector({ name, status, seenAt }: Collector, now: number): SenderStatus {
  if (!status) return { name, silence: null, lag: null, bytes: null, closed: null };
  const { until, bytes, closed } = status;
  return { name, silence: Math.max(now - seenAt, 0), lag: Math.max(now - until, 0), bytes, closed };
}

function buildEngine(parts: EngineParts): Engine {
  const { db, nodes, clock, intake, followed } = parts;
  const { inTurn, settle } = takeTurns();
  const keeping = parts.lookAfter?.(inTurn);
  return {
    intake,
    queries: buildQueries({ db, nodes, followed }),
    imports: buildImports(parts),
    upkeep: { ...buildUpkeep(parts, inTurn), checkServers: keeping?.keep ?? (async () => {}) },
    transfer: makeTransfer({ db, nodes, name: `move-${clock.now()}` }),
    async close() {
      await keeping?.close();
      await settle();
      await followed?.close();
      await intake.close();
    },
  };
}
