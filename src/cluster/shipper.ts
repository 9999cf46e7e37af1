import { hash } from 'node:crypto';
import { isStorageError } from '../lib/answer.ts';
import type { Log } from '../lib/log.ts';
import { type Clock, seconds } from '../lib/time.ts';
import { trouble } from '../lib/trouble.ts';
import {
  findReceipt,
  findSender,
  firstWaiting,
  lastPiece,
  lastToSend,
  listLines,
  type Outbox,
  removeReceived,
  setReceipt,
} from '../store/outbox.ts';
import type { Db } from '../store/statements.ts';
import type { Node, Nodes } from './nodes.ts';
import { KINDS, type Kind } from './outbox.ts';

/** At most one parcel a second goes to a server, because each is a file there. */
const PAUSE_MS = 1_000;
const PARCEL_BYTES = 16 * 1024 * 1024;
/** After a failure it waits for longer each time. */
const LONGEST_PAUSE_MS = 30_000;

type Deps = { nodes: Nodes; behind: Set<Node>; log: Log; clock: Clock };

/** A rest that can be cut short. */
function sleeper() {
  let wake = () => {};
  return {
    wake: () => wake(),
    rest: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

/** How the work for one server goes: a round sends all that there is, and fails if the server does not take it. */
type Work = { round(): Promise<void>; isStopped(): boolean; isUrgent(): boolean; failed(error: unknown): void };

/** Sends to one server until it is stopped: at once while somebody waits, else after a rest, and after a failure after a longer one. */
function line({ round, isStopped, isUrgent, failed }: Work) {
  const { rest, wake } = sleeper();
  let pause = PAUSE_MS;
  async function run(): Promise<void> {
    while (!isStopped()) {
      try {
        await round();
        pause = PAUSE_MS;
        await rest(isUrgent() ? 1 : pause);
      } catch (error) {
        if (isStopped()) return;
        failed(error);
        await rest(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  }
  return { running: run(), wake };
}

/** Whether a server lacks something of what is in an outbox. */
const isBehind = (db: Db, { shard, replica }: Node): boolean =>
  KINDS.some((kind) => {
    const { done: after } = findReceipt(db, { shard, replica, kind });
    return lastToSend(db, { shard, kind }, { after, end: Number.MAX_SAFE_INTEGER }, 0) !== undefined;
  });

type Sending = { db: Db; nodes: Nodes; name: string; clock: Clock };

/** A parcel's name ends with what is in it, so that what two copies of an outbox send is never taken for the same. */
const tokenOf = (name: string, lines: string): string => `${name}-${hash('sha256', lines)}`;

/** What a server lacks of a parcel. */
async function missingOf(nodes: Nodes, node: Node, lines: string): Promise<string> {
  type Row = { day: number; seq: number };
  const rows = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line, ...(JSON.parse(line) as Row) }));
  // Those of a day are written together.
  const days = Map.groupBy(rows, ({ day }) => day);
  const pairs = [...days].map(([day, [first]]) => `(${day}, ${first?.seq})`).join(', ');
  const there = await nodes.askOne<Row>(node, `SELECT DISTINCT day, seq FROM activity WHERE (day, seq) IN (${pairs})`);
  for (const { day } of there) days.delete(day);
  return [...days.values()].flatMap((own) => own.map(({ line }) => `${line}\n`)).join('');
}

/**
 * Sends activities of which nobody knows whether they were taken. ClickHouse knows the names of the last parcels only, and with several
 * collectors so many may have come since; so it is asked for the rows first. And it writes a name down before it shows the rows, so
 * that a server that was killed in between ignores a parcel that it does not have: then these get another name, unless the
 * first attempt is still under way. Both were found by test/cluster/kill.test.ts.
 */
async function sendAgain({ nodes, clock }: Sending, node: Node, lines: string, token: string): Promise<void> {
  const unknown = await missingOf(nodes, node, lines);
  if (unknown === '') return;
  await nodes.insert(node, 'activity', unknown, token);
  if ((await missingOf(nodes, node, lines)) === '') return;
  const running = `SELECT count() AS n FROM system.processes WHERE query_id = '${token}'`;
  const [found] = await nodes.askOne<{ n: number }>(node, running);
  if (found?.n !== 0) throw new Error('an earlier attempt is still under way');
  const missing = await missingOf(nodes, node, lines);
  if (missing !== '') await nodes.insert(node, 'activity', missing, `${token}-${clock.now()}`);
}

/** Sends the next parcel of a kind, with pieces up to `end`; false if there is none. */
async function sendNext(sending: Sending, node: Node, kind: Kind, end: number): Promise<boolean> {
  const { db, nodes, name } = sending;
  const receiver = { shard: node.shard, replica: node.replica, kind };
  const { done, sending: begun } = findReceipt(db, receiver);
  const until = begun ?? lastToSend(db, receiver, { after: done, end }, PARCEL_BYTES);
  if (until === undefined) return false;
  const lines = listLines(db, receiver, done, until);
  if (begun === null) db.write(() => setReceipt(db, receiver, { done, sending: until }));
  const token = tokenOf(`${name}-${kind}-${done + 1}-${until}`, lines);
  if (begun !== null && kind === 'activity') await sendAgain(sending, node, lines, token);
  else await nodes.insert(node, kind, lines, token);
  const replicas = nodes.all.filter(({ shard }) => shard === node.shard).length;
  db.write(() => {
    setReceipt(db, receiver, { done: until, sending: null });
    removeReceived(db, receiver, replicas);
  });
  return true;
}

/**
 * Sends what is in an outbox to every replica. A parcel is fixed on the disk before it is sent, and sent again with the same token
 * until it is known to be there, so that nothing is lost and nothing counts twice.
 */
export function shipper({ db }: Outbox, { nodes, behind, log, clock }: Deps) {
  const { name } = findSender(db);
  const failures = trouble(log, clock, 'parcels not taken by the cluster, in all');
  for (const node of nodes.all) if (isBehind(db, node)) behind.add(node);
  const waiting = new Set<{ until: number; done(): void }>();
  let isStopped = false;
  /** While somebody waits, nothing is kept back to be sent together with more. */
  let isUrgent = false;
  let parcelAt: number | undefined;

  function arrived(): void {
    const first = firstWaiting(db)?.id ?? Number.POSITIVE_INFINITY;
    for (const one of waiting) {
      if (first <= one.until) continue;
      waiting.delete(one);
      one.done();
    }
    isUrgent = waiting.size > 0;
  }

  const lines = nodes.all.map((node) =>
    line({
      async round() {
        // What comes meanwhile waits for the next round.
        const end = lastPiece(db);
        for (const kind of KINDS) {
          while (!isStopped && (await sendNext({ db, nodes, name, clock }, node, kind, end))) {
            parcelAt = seconds(clock);
            arrived();
          }
        }
        behind.delete(node);
        failures.worked();
      },
      isStopped: () => isStopped,
      isUrgent: () => isUrgent,
      failed(error) {
        behind.add(node);
        const event = isStorageError(error)
          ? 'the disk of the outbox is full or cannot be written; hits wait in it'
          : 'the cluster does not take hits; they wait in the outbox';
        failures.failed(`${node.url} ${event}`, event, {
          url: node.url,
          message: (error as Error).message.split('\n')[0] ?? '',
        });
      },
    }),
  );
  const wakeAll = () => {
    for (const { wake } of lines) wake();
  };

  return {
    /** When the last parcel was taken, since the start. */
    parcelAt: () => parcelAt,
    /** Resolves when every replica has the pieces up to one. */
    through(until: number): Promise<void> {
      const { promise, resolve: done } = Promise.withResolvers<void>();
      waiting.add({ until, done });
      isUrgent = true;
      arrived();
      if (isUrgent) wakeAll();
      return promise;
    },
    async close(): Promise<void> {
      isStopped = true;
      wakeAll();
      await Promise.all(lines.map(({ running }) => running));
      failures.settle();
    },
  };
}
