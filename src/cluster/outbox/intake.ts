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
import { fullDays } from './full-days.ts';
import { outboxOf } from './outbox.ts';
import { listCuts, measureProgress } from './progress.ts';
import type { Reach } from './reach.ts';
import { shipper } from './shipper.ts';

/** How hits come to a cluster. */
export type ClusterIntake = Intake & {
  /** Under which its parcels are known. */
  name: string;
  /** So many numbers for rows that are sent another way; gives the first. */
  numbers(count: number): number;
  /** Sends all that was acknowledged before to the servers that answer, in bounded time, and says how far each server is then. */
  shipped(): Promise<Progress>;
  outbox: Pick<Db, 'emptyWal'>;
  close(): Promise<void>;
};

/** That of a process with an outbox. */
export type OutboxIntake = ClusterIntake & {
  /** When the last parcel was taken by a server, since the start. */
  parcelAt(): number | undefined;
  /** The URLs of servers that lack something of what was taken. */
  behind(): string[];
  /** How far each server is. */
  progress(): Progress;
  /** What is sent to the servers that are being filled. */
  cuts(): Cuts;
  /** Sends nothing more, until `turnTo`. */
  stopSending(): Promise<void>;
  /** Sends to other servers from now on, which are as many shards. */
  turnTo(reach: Reach): Promise<void>;
};

/** So long the sealing of days waits for servers that answer. */
const SHIPPING_MS = 30_000;

type Deps = {
  reach: Reach;
  ack: Ack;
  /** Which of the senders this is. */
  number: number;
  siteExists(siteId: number): boolean;
  /** Called with what is written, in the same transaction. */
  within?(activities: readonly Activity[]): void;
  /** Called with what is on the disk now. */
  counted?(activities: readonly Activity[]): void;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** How many hits a day of a site may have; 0 means no limit. */
  capacity?: number | undefined;
};

/** The intake of a server, which keeps what waits to be sent in a file. */
export function buildIntake(file: Outbox, deps: Deps): OutboxIntake {
  const { ack, clock, log, capacity = 0 } = deps;
  const shipping = ({ nodes, behind, listServers }: Reach) => ({
    nodes,
    behind,
    listServers,
    ships: shipper(file, { nodes, behind, listServers, log, clock }),
    full: fullDays(nodes, clock, capacity),
  });
  let way = shipping(deps.reach);
  const outbox = outboxOf(file, {
    ...deps,
    shards: way.nodes.shards,
    counted(activities) {
      deps.counted?.(activities);
      way.full.note(activities);
    },
  });
  const progress = () =>
    measureProgress(file.db, way.listServers(), { next: outbox.nextSequence(), until: seconds(clock) });
  const findRefusal = () => (ack === 'disk' ? undefined : way.ships.refusal(ack));
  return {
    async append(batch: Batch) {
      const problem = findRefusal();
      if (problem) throw problem;
      await outbox.append(batch);
      if (ack !== 'disk') await way.ships.through(outbox.lastPiece(), ack);
    },
    findRefusal,
    countDrop: outbox.drop,
    isFull: (siteId, day) => way.full.has(siteId, day),
    isShared: true,
    countWaiting: outbox.waiting,
    listActive: () => new Map(),
    settle: outbox.settle,
    name: findSender(file.db).name,
    numbers: outbox.numbers,
    async shipped() {
      // What has not arrived by then shows in the progress.
      await way.ships.through(outbox.lastPiece(), 'reachable', SHIPPING_MS).catch(() => {});
      return progress();
    },
    progress,
    cuts: () => listCuts(file.db, way.listServers()),
    outbox: file.db,
    parcelAt: () => way.ships.parcelAt(),
    behind() {
      const lacking = new Set(way.listServers().flatMap(({ url, state }) => (state === 'lacking' ? [url] : [])));
      return [...way.behind].flatMap(({ url }) => (lacking.has(url) ? [] : [url]));
    },
    stopSending: () => way.ships.close(),
    async turnTo(reach: Reach) {
      await way.ships.close();
      way.nodes.close();
      way = shipping(reach);
    },
    async close() {
      outbox.settle();
      await way.ships.close();
      way.nodes.close();
      file.close();
    },
  };
}

const refused = () =>
  new Refusal('with --engine only the running server takes hits and seals days; stop nothing, and leave it to that');

/** That of a command, beside a server that has the outbox: it takes no hits. Its numbers end with digits of their own. */
export function buildCommandIntake(clock: Clock): ClusterIntake {
  let next = 0;
  return {
    append: () => Promise.reject(refused()),
    countDrop() {},
    isFull: () => false,
    isShared: true,
    countWaiting: () => 0,
    listActive: () => new Map(),
    settle() {},
    name: `command-${process.pid}-${clock.now()}`,
    numbers(count) {
      const first = Math.max(next, findLowestNumber(clock.now()) + SENDERS - 1);
      next = first + count * SENDERS;
      return first;
    },
    shipped: () => Promise.reject(refused()),
    findRefusal: () => undefined,
    outbox: { emptyWal: () => true },
    close: async () => {},
  };
}
