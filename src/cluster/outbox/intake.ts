// The intake of a cluster stores hits in the outbox, a file of this process. Then the hits are sent to the servers.
//
// Invariant: with `ack=disk`, a hit is on the disk before the client gets 202. With `ack=replicas`, all replicas of the
// hit's shard have received it too. With `ack=reachable`, all complete replicas that respond have received it.
//
// A command has an intake without an outbox, because the running server has the outbox open. It accepts no hits. An
// import needs only row numbers and a name from it.
//
// Example: with `ack=replicas`, `append` writes a batch to the disk and waits until each replica has received the
// batch. Only after that, the client gets the status 202.
//
// engine.ts uses this file for the primary and for commands, and compose-collector.ts for a collector.
import type { Activity } from '../../engine/activity.ts';
import type { Batch, Intake } from '../../engine/engine.ts';
import type { Ack } from '../../lib/ack.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import type { Meters } from '../../metrics/meters.ts';
import type { Outbox } from '../../store/cluster/outbox.ts';
import { findSender } from '../../store/cluster/outbox-sender.ts';
import type { Cuts, Hold, Progress } from '../../store/cluster/sender-status.ts';
import type { Db } from '../../store/db.ts';
import { findLowestNumber, SENDERS } from '../servers/row-numbers.ts';
import { buildFindShards } from '../servers/shards.ts';
import { watchFullDays } from './full-days.ts';
import { findHold } from './hold.ts';
import { buildOutbox } from './outbox.ts';
import { listCuts, measureProgress } from './progress.ts';
import type { Reach } from './reach.ts';
import { startShipper } from './shipper.ts';

export type ClusterIntake = Intake & {
  /**
   * The name of this process. Each insert has a token that begins with this name. ClickHouse ignores a second insert
   * with an equal token, so no rows are stored twice.
   */
  name: string;
  /** Gives a row number that is higher than all row numbers of this process so far, and higher than `above`. */
  takeNumber(above?: number): number;
  /** Sends waiting hits to the servers for at most 30 s. Gives the progress: which rows each server has received. */
  ship(): Promise<Progress>;
  outbox: Pick<Db, 'emptyWal'>;
  close(): Promise<void>;
};

/** The intake of the primary or a collector. A command has no outbox. */
export type OutboxIntake = ClusterIntake & {
  /** When a server last received rows from this process. Undefined if none did since the start. */
  findParcelTime(): number | undefined;
  /**
   * Lists the URLs of servers that have not received all waiting hits. Servers in the state `lacking` are not among
   * them. `daybook doctor` shows the list.
   */
  listBehind(): string[];
  readProgress(): Progress;
  /**
   * Lists the cuts of the servers to which missing rows are being copied from a replica (a fill). A cut is the first
   * row number that this process sends to such a server.
   */
  listCuts(): Cuts;
  /** True if a server says that this collector is retired (cluster/servers/marks.ts). */
  isRetired(): boolean;
  /** Stops sending hits to the servers until `turnTo` is called. New hits are still stored in the outbox. */
  stopSending(): Promise<void>;
  /** Sends rows to the servers of `reach` from now on, because the URL of the cluster has changed. */
  turnTo(reach: Reach): Promise<void>;
  /**
   * Sends rows to servers that were added, and none to servers that were removed. Gives false if nothing has changed.
   */
  followServers(): boolean;
  /**
   * The promise of this process to hold the hits of days that the primary proposes to divide among more shards.
   * Undefined if the primary proposes nothing.
   */
  findHold(): Hold | undefined;
};

/** Sealing waits at most 30 s for the hits of a day to arrive. If hits are still missing, the day is sealed later. */
const SHIPPING_MS = 30_000;

type Deps = {
  reach: Reach;
  ack: Ack;
  /**
   * The number of this process: 0 for the primary, 1 to 62 for a collector. Row numbers contain the process number, so
   * the row numbers of two processes are never equal.
   */
  number: number;
  siteExists(siteId: number): boolean;
  /**
   * Runs inside the transaction that writes a batch of hits. A collector counts the hits here. So after a crash, the
   * counts match the stored hits.
   */
  within?(activities: readonly Activity[]): void;
  /** Runs after the batch is on disk. Counts the hits towards the monthly limit of the site's account. */
  counted?(activities: readonly Activity[]): void;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** The maximum number of hits of a site in a day. Further hits are dropped. 0 means no limit. */
  capacity?: number | undefined;
};

export function buildIntake(file: Outbox, deps: Deps): OutboxIntake {
  const { ack, clock, log, capacity = 0 } = deps;
  const openWay = (reach: Reach) => ({
    ...reach,
    ships: startShipper(file, { ...reach, log, clock }),
    full: watchFullDays(reach.nodes, clock, capacity),
  });
  let way = openWay(deps.reach);
  const outbox = buildOutbox(file, {
    ...deps,
    readDivisions: () => buildFindShards(way.listDivisions(), way.nodes.shards),
    counted(activities) {
      deps.counted?.(activities);
      way.full.note(activities);
    },
  });
  const readProgress = () =>
    measureProgress(file.db, way.listServers(), { next: outbox.findNextNumber(), until: seconds(clock) });
  const findRefusal = () => (ack === 'disk' ? undefined : way.ships.findRefusal(ack));
  return {
    async append(batch: Batch) {
      const problem = findRefusal();
      if (problem) throw problem;
      await outbox.append(batch);
      if (ack !== 'disk') await way.ships.waitFor(outbox.findLastNumber(), ack);
    },
    findRefusal,
    countDrop: outbox.drop,
    isFull: (siteId, day) => way.full.has(siteId, day),
    isShared: true,
    countWaiting: outbox.waiting,
    listActive: () => new Map(),
    settle: outbox.settle,
    name: findSender(file.db).name,
    takeNumber: outbox.takeNumber,
    async ship() {
      // If a server does not receive all rows in time, the progress shows that. The day is then sealed later.
      await way.ships.waitFor(outbox.findLastNumber(), 'reachable', SHIPPING_MS).catch(() => {});
      return readProgress();
    },
    readProgress,
    listCuts: () => listCuts(file.db, way.listServers()),
    outbox: file.db,
    findParcelTime: () => way.ships.findParcelTime(),
    listBehind() {
      const lacking = new Set(way.listServers().flatMap(({ url, state }) => (state === 'lacking' ? [url] : [])));
      return [...way.behind].flatMap(({ url }) => (lacking.has(url) ? [] : [url]));
    },
    isRetired: () => way.isRetired?.() ?? false,
    stopSending: () => way.ships.close(),
    async turnTo(reach: Reach) {
      await way.ships.close();
      way.nodes.close();
      way = openWay(reach);
    },
    followServers() {
      const hasChanged = way.nodes.follow(way.listServers());
      if (hasChanged) way.ships.followServers();
      return hasChanged;
    },
    findHold: () => findHold(file.db, way.listDivisions()),
    async close() {
      outbox.settle();
      await way.ships.close();
      way.nodes.close();
      file.close();
    },
  };
}

const makeRefusal = () =>
  new Refusal('with --engine, only the running server takes hits and seals days. You need not do anything');

/**
 * Builds the intake of a command such as `daybook import`. This intake accepts no hits. An import sends hits to the
 * servers without an outbox, and needs only row numbers and a name from the intake.
 */
export function buildCommandIntake(clock: Clock): ClusterIntake {
  return {
    append: () => Promise.reject(makeRefusal()),
    countDrop() {},
    isFull: () => false,
    isShared: true,
    countWaiting: () => 0,
    listActive: () => new Map(),
    settle() {},
    name: `command-${process.pid}-${clock.now()}`,
    takeNumber: () => findLowestNumber(clock.now()) + SENDERS - 1,
    ship: () => Promise.reject(makeRefusal()),
    findRefusal: () => undefined,
    outbox: { emptyWal: () => true },
    close: async () => {},
  };
}
