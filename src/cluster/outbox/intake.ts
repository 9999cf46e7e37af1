// The intake of a cluster stores hits in the outbox of this process and sends them to the servers.
//
// Invariant: with `ack=disk` a hit is on the disk before the sender gets 202. With the other settings, servers have
// received the hit too. A command cannot store hits, because the running server has the outbox file open.
//
// Example: with `ack=replicas`, `append` writes a batch to the disk and waits until each replica has received the
// batch. Only then the answer is 202.
//
// engine.ts uses this file for the primary server and for commands, and compose-collector.ts for a collector.
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

export type ClusterIntake = Intake & {
  /**
   * A name for this process. ClickHouse recognizes a repeated insert by a token, and each token begins with this
   * name.
   */
  name: string;
  /**
   * Reserves row numbers for rows that are not sent through the outbox, such as the rows of an import. Gives the
   * first number.
   */
  takeNumbers(count: number): number;
  /**
   * Sends all hits that were acknowledged before this call to the servers that answer. Takes at most 30 s. Then gives
   * the progress: which rows each server has received.
   */
  ship(): Promise<Progress>;
  outbox: Pick<Db, 'emptyWal'>;
  close(): Promise<void>;
};

/** The intake of a process with an outbox: the primary server or a collector. */
export type OutboxIntake = ClusterIntake & {
  /** When a server received the last parcel (one request with rows) since this process started. */
  findParcelTime(): number | undefined;
  /** Lists the URLs of servers that have not received everything in the outbox. */
  listBehind(): string[];
  readProgress(): Progress;
  /** For each server that is being filled: the lowest row number that is sent to it. */
  listCuts(): Cuts;
  /** Stops sending until `turnTo` is called. Hits are still stored in the outbox. */
  stopSending(): Promise<void>;
  /** After this call, rows are sent to the servers of `reach`. The number of shards must stay the same. */
  turnTo(reach: Reach): Promise<void>;
};

/** Before sealing, hits are sent to the servers that answer. Sealing waits for at most this time. */
const SHIPPING_MS = 30_000;

type Deps = {
  reach: Reach;
  ack: Ack;
  /**
   * Each process that sends rows has a number, which is part of its row numbers. The primary server has 0, and a
   * collector its own number.
   */
  number: number;
  siteExists(siteId: number): boolean;
  /** Called with the hits and heartbeats of a batch, inside the transaction that writes the batch. */
  within?(activities: readonly Activity[]): void;
  /** Called with the hits and heartbeats of a batch when the batch is on disk. */
  counted?(activities: readonly Activity[]): void;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** How many hits a day of a site may have. 0 means that there is no limit. */
  capacity?: number | undefined;
};

/** Builds the intake of the primary server or a collector. */
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
      // If a server has not received all rows after this time, the result says so. This is not an error.
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

/**
 * Builds the intake of a command, which accepts no hits. A command's row numbers are those of sender 63. Collectors
 * have the numbers up to 62.
 */
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
