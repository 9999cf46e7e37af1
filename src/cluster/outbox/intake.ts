// The intake of a cluster takes hits into the outbox of this process and ships them to the servers.
//
// Invariant: with `ack=disk` a hit is on the disk before it is acknowledged; with the other settings servers have it too. A
// command has no outbox, because the running server has that file open. So a command takes no hits.
//
// Example: with `ack=replicas`, `append` writes a batch to the disk and waits until each replica has it. Only then the hits are
// answered 202.
//
// engine.ts calls it for a primary and for commands, compose-collector.ts for a collector.
import type { Activity } from '../../engine/activity.ts';
import type { Batch, Intake } from '../../engine/engine.ts';
import type { Ack } from '../../lib/ack.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { type Clock, seconds } from '../../lib/time.ts';
import type { Meters } from '../../metrics/meters.ts';
import type { Cuts, Progress } from '../../store/cluster/collectors.ts';
import { findSender, type Outbox } from '../../store/cluster/outbox.ts';
import type { Db } from '../../store/db.ts';
import { findLowestNumber, SENDERS } from '../servers/row-numbers.ts';
import { watchFullDays } from './full-days.ts';
import { buildOutbox } from './outbox.ts';
import { listCuts, measureProgress } from './progress.ts';
import type { Reach } from './reach.ts';
import { startShipper } from './shipper.ts';

/** How hits and rows get to a cluster. */
export type ClusterIntake = Intake & {
  /** A name for this process. The token of each of its inserts begins with it, so ClickHouse can tell a repeated insert. */
  name: string;
  /** Takes numbers for rows that are not sent through the outbox, such as those of an import. Gives the first. */
  takeNumbers(count: number): number;
  /** Sends everything that was acknowledged before to the servers that answer, for 30 s at most. Gives the progress after that. */
  ship(): Promise<Progress>;
  outbox: Pick<Db, 'emptyWal'>;
  close(): Promise<void>;
};

/** The intake of a process with an outbox: a primary or a collector. */
export type OutboxIntake = ClusterIntake & {
  /** When a server took the last parcel, since the start. */
  findParcelTime(): number | undefined;
  /** The URLs of servers for which something waits in the outbox. */
  listBehind(): string[];
  /** Which rows each server has. */
  readProgress(): Progress;
  /** From which row number on each server gets new rows while it is filled. */
  listCuts(): Cuts;
  /** Sends nothing more until `turnTo` is called. */
  stopSending(): Promise<void>;
  /** Sends to other servers from now on. The number of shards must be the same. */
  turnTo(reach: Reach): Promise<void>;
};

/** The sealing of days waits 30 s at most for servers that answer. */
const SHIPPING_MS = 30_000;

type Deps = {
  reach: Reach;
  ack: Ack;
  /** The number of this process among all that send rows; the primary is 0. */
  number: number;
  siteExists(siteId: number): boolean;
  /** Called with the hits and heartbeats of a batch, in the transaction that writes it. */
  within?(activities: readonly Activity[]): void;
  /** Called with the hits and heartbeats of a batch once they are on the disk. */
  counted?(activities: readonly Activity[]): void;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** How many hits a day of a site may have; 0 means no limit. */
  capacity?: number | undefined;
};

/** Builds the intake of a primary or a collector. */
export function buildIntake(file: Outbox, deps: Deps): OutboxIntake {
  const { ack, clock, log, capacity = 0 } = deps;
  const openWay = ({ nodes, behind, listServers }: Reach) => ({
    nodes,
    behind,
    listServers,
    ships: startShipper(file, { nodes, behind, listServers, log, clock }),
    full: watchFullDays(nodes, clock, capacity),
  });
  let way = openWay(deps.reach);
  const outbox = buildOutbox(file, {
    ...deps,
    shards: way.nodes.shards,
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
      if (ack !== 'disk') await way.ships.waitFor(outbox.findLastPiece(), ack);
    },
    findRefusal,
    countDrop: outbox.drop,
    isFull: (siteId, day) => way.full.has(siteId, day),
    isShared: true,
    countWaiting: outbox.waiting,
    listActive: () => new Map(),
    settle: outbox.settle,
    name: findSender(file.db).name,
    takeNumbers: outbox.takeNumbers,
    async ship() {
      // A server that is not done after this time shows in the progress.
      await way.ships.waitFor(outbox.findLastPiece(), 'reachable', SHIPPING_MS).catch(() => {});
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
    stopSending: () => way.ships.close(),
    async turnTo(reach: Reach) {
      await way.ships.close();
      way.nodes.close();
      way = openWay(reach);
    },
    async close() {
      outbox.settle();
      await way.ships.close();
      way.nodes.close();
      file.close();
    },
  };
}

const makeRefusal = () =>
  new Refusal('with --engine only the running server takes hits and seals days; stop nothing, and leave it to that');

/** Builds the intake of a command, which takes no hits. Its row numbers are those of sender 63, which no collector has. */
export function buildCommandIntake(clock: Clock): ClusterIntake {
  let next = 0;
  return {
    append: () => Promise.reject(makeRefusal()),
    countDrop() {},
    isFull: () => false,
    isShared: true,
    countWaiting: () => 0,
    listActive: () => new Map(),
    settle() {},
    name: `command-${process.pid}-${clock.now()}`,
    takeNumbers(count) {
      const first = Math.max(next, findLowestNumber(clock.now()) + SENDERS - 1);
      next = first + count * SENDERS;
      return first;
    },
    ship: () => Promise.reject(makeRefusal()),
    findRefusal: () => undefined,
    outbox: { emptyWal: () => true },
    close: async () => {},
  };
}
