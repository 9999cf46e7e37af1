// The intake of a cluster stores hits in the outbox, a file of this process. Then it sends them to the servers.
//
// Invariant: with the option `ack=disk` a hit is on the disk before the sender gets 202. With the other options,
// servers have received the hit too. A command cannot store hits, because the running server has the outbox open.
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
   * A name for this process. Each insert has a token that begins with it. ClickHouse ignores a second insert with the
   * same token, so no rows are stored twice.
   */
  name: string;
  /**
   * Reserves `count` row numbers and gives the first. Imports need it, because their rows go to the servers directly.
   * Two rows must never have the same number.
   */
  takeNumbers(count: number): number;
  /**
   * Sends all waiting hits to the ClickHouse servers that answer, in at most 30 s. Gives the progress: which rows each
   * server has received. A past day is stored as visits (sealed) only when all its rows have arrived.
   */
  ship(): Promise<Progress>;
  outbox: Pick<Db, 'emptyWal'>;
  close(): Promise<void>;
};

/** The intake of the primary server or a collector. Both have an outbox, a file of hits that wait for the servers. */
export type OutboxIntake = ClusterIntake & {
  /** When a ClickHouse server last received rows from this process. Undefined if none did since the start. */
  findParcelTime(): number | undefined;
  /** Lists the URLs of ClickHouse servers that have not received all waiting hits. `daybook doctor` names them. */
  listBehind(): string[];
  readProgress(): Progress;
  /**
   * Lists the ClickHouse servers to which missing rows are being copied from another server (a fill). Each has its cut:
   * the number from which on this process itself sends its rows to that server. Rows with lower numbers come with the
   * copy.
   */
  listCuts(): Cuts;
  /** Stops sending hits to the servers until `turnTo` is called. New hits are still stored in the file. */
  stopSending(): Promise<void>;
  /**
   * Sends rows to the servers of `reach` from now on. The number of shards (groups of servers with some of the
   * visitors) must stay the same. Otherwise hits of one visitor would be on two shards.
   */
  turnTo(reach: Reach): Promise<void>;
};

/**
 * Before a past day is stored as visits (sealed), waiting hits are sent to the servers for at most 30 s. If hits are
 * still missing then, the day is sealed later.
 */
const SHIPPING_MS = 30_000;

type Deps = {
  reach: Reach;
  ack: Ack;
  /**
   * The number of this process: 0 for the primary server, 1 to 62 for a collector (a machine that only takes hits). It
   * is a part of each row number, so two processes never give the same number.
   */
  number: number;
  siteExists(siteId: number): boolean;
  /**
   * Called inside the transaction that writes a batch of hits. A collector adds the hits to its counts for the primary
   * server here. So after a crash, the counts have exactly the hits that are stored.
   */
  within?(activities: readonly Activity[]): void;
  /** Called with the hits of a batch when the batch is on disk. Counts them towards the plan of an account. */
  counted?(activities: readonly Activity[]): void;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** A site may have this many hits in a day. Further hits are dropped. 0 means no limit. */
  capacity?: number | undefined;
};

/** Builds the intake of the primary server or a collector. `file` is its outbox, where hits wait for the servers. */
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
      // A server may not receive all rows in time. This is no error: the progress says so, and the day is stored as
      // visits (sealed) later.
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
 * Builds the intake of a command such as `daybook import`. It accepts no hits. Its row numbers, for imported rows, use
 * the process number 63. Collectors, machines that only take hits, have the numbers 1 to 62, so no number is given
 * twice.
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
