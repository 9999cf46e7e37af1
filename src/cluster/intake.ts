import type { Activity, Batch, Engine } from '../engine.ts';
import { countUsage } from '../intake/usage.ts';
import { Refusal } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, DAY, seconds } from '../lib/time.ts';
import type { Meters } from '../metrics/meters.ts';
import { VISIT_GAP } from '../stats/measured.ts';
import { findSender, openOutbox } from '../store/outbox.ts';
import { findSiteAccount, siteExists } from '../store/sites.ts';
import type { Db } from '../store/statements.ts';
import { fullDays } from './full-days.ts';
import type { Node, Nodes } from './nodes.ts';
import { outboxOf, SENDERS, sequenceAt } from './outbox.ts';
import { shipper } from './shipper.ts';

/** How hits come to a cluster. */
export type Intake = Pick<Engine, 'append' | 'drop' | 'isFull' | 'waiting' | 'activeSince' | 'settle'> & {
  /** Under which its parcels are known. */
  name: string;
  /** So many numbers for rows that are sent another way; gives the first. */
  numbers(count: number): number;
  /** Resolves when all that was acknowledged is on every server; gives the first number of what may come then. */
  shipped(): Promise<number>;
  outbox: Pick<Db, 'emptyWal'>;
  close(): Promise<void>;
};

type Deps = {
  db: Db;
  nodes: Nodes;
  /** The servers that lack something of what waits here. */
  behind: Set<Node>;
  /** Whether a hit is acknowledged only when every replica has it. */
  isShipped: boolean;
  clock: Clock;
  log: Log;
  meters?: Meters | undefined;
  /** How many hits a day of a site may have; 0 means no limit. */
  capacity?: number | undefined;
};

/** When each recent visitor was last active, as far as the cluster knows. */
async function recentVisitors(nodes: Nodes, now: number): Promise<Map<number, number>> {
  const since = sequenceAt((now - VISIT_GAP) * 1000);
  const own = `SELECT visitor, max(toInt64(day) * ${DAY} + second) AS last FROM activity WHERE seq >= ${since} GROUP BY visitor`;
  const rows = await nodes.ask<{ visitor: number; last: number }>(own);
  return new Map(rows.map(({ visitor, last }) => [visitor, last]));
}

/** The intake of a server, which keeps what waits to be sent in a file. */
export async function intakeOver(path: string, deps: Deps): Promise<Intake> {
  const { db, nodes, behind, isShipped, clock, log, capacity = 0 } = deps;
  const file = openOutbox(path, `primary-${clock.now()}`);
  const ships = shipper(file, { nodes, behind, log, clock });
  const full = fullDays(nodes, clock, capacity);
  const outbox = outboxOf(file, {
    ...deps,
    shards: nodes.shards,
    number: 0,
    siteExists: (siteId) => siteExists(db, siteId),
    counted(activities: readonly Activity[]) {
      if (activities.length === 0) return;
      db.write(() => countUsage(db, activities, (siteId) => findSiteAccount(db, siteId)));
      full.note(activities);
    },
  });
  // Who cannot be asked now knows of no visit, of which only the time on its page is lost.
  const recent = await recentVisitors(nodes, seconds(clock)).catch(() => new Map<number, number>());
  return {
    async append(batch: Batch) {
      await outbox.append(batch);
      if (isShipped) await ships.through(outbox.last());
    },
    drop: outbox.drop,
    isFull: full.has,
    waiting: outbox.waiting,
    activeSince: () => recent,
    settle: outbox.settle,
    name: findSender(file.db).name,
    numbers: outbox.numbers,
    async shipped() {
      const next = outbox.nextSequence();
      await ships.through(outbox.last());
      return next;
    },
    outbox: file.db,
    async close() {
      outbox.settle();
      await ships.close();
      file.close();
    },
  };
}

const refused = () =>
  new Refusal('with --engine only the running server takes hits and seals days; stop nothing, and leave it to that');

/** That of a command, beside a server that has the outbox: it takes no hits. Its numbers end with digits of their own. */
export function noIntake(clock: Clock): Intake {
  let next = 0;
  return {
    append: () => Promise.reject(refused()),
    drop() {},
    isFull: () => false,
    waiting: () => 0,
    activeSince: () => new Map(),
    settle() {},
    name: `command-${process.pid}-${clock.now()}`,
    numbers(count) {
      const first = Math.max(next, sequenceAt(clock.now()) + SENDERS - 1);
      next = first + count * SENDERS;
      return first;
    },
    shipped: () => Promise.reject(refused()),
    outbox: { emptyWal: () => true },
    close: async () => {},
  };
}
