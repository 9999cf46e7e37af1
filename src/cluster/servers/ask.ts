// A query is sent to one replica of each shard, and the rows of all shards together are its result.
//
// Invariant: a replica is asked only if it is complete and nothing of this outbox waits for it. A shard without such a replica
// makes the query fail, so an answer never lacks a shard.
//
// The replica of a shard that answered last is asked first. So two answers in a row do not come from replicas of which one is a
// parcel behind. Another replica takes over only when that one is away. Before that replica is asked, it gets up to 10 s to
// receive all rows that were shown before.
//
// Example: replica A answers at 10:00:00 with rows up to number 500, then dies. Replica B has rows up to 480. The next query
// waits until B has number 500, at most 10 s, and then asks B.
//
// Called by `buildNodes`.
import { setTimeout as pause } from 'node:timers/promises';
import type { Breaking } from './breaker.ts';
import { makeUnavailable } from './complete.ts';
import { parseRows, type Send, type TextValues } from './send.ts';

export type ReplicaChoice<Node> = {
  /** Servers that lack rows which wait in this outbox. They are not asked. */
  behind: ReadonlySet<Node>;
  /** Servers that lack rows of a collector. They are asked only after the others. */
  lateUrls: () => ReadonlySet<string>;
  /** A server has all rows with a lower number than this. */
  reached: (url: string) => number;
  /** No row that is taken from now on has a lower number. */
  nextNumber: () => number;
  /** All queries of a request together may take so many seconds. ClickHouse ends a query after that time too. */
  patience: number;
};

/**
 * Our own server closes a connection after 30 s (src/http/server.ts). A query ends before that, so that people get an
 * error that says so.
 */
const PATIENCE_SECONDS = 25;
/** ClickHouse ends a query that takes too long. If it does not, the query is ended here 2 s later. */
const MARGIN_MS = 2_000;

/** A replica that takes over may lack rows that were shown already. Senders bring them within a second or two. */
const CATCH_UP_MS = 10_000;
const LOOK_MS = 50;

/** Exports and transfers read whole days, which may take 15 minutes. */
const WHOLE_DAYS_MS = 900_000;

/** JavaScript can hold no longer text. */
const LONGEST = 512 * 1024 * 1024 - 24;

/** The error of ClickHouse for a query that took too long. Another replica would take as long, so none is asked. */
const TOO_LONG = /TIMEOUT_EXCEEDED/;

type Deps<Node> = { shards: number; send: Send; breaking: Breaking; listComplete(): Node[] };

/** Builds functions that send a query to one replica of each shard. */
export function buildAsker<Node extends { url: string; shard: number }>(
  { shards, send, breaking, listComplete }: Deps<Node>,
  {
    behind = new Set(),
    lateUrls = () => new Set(),
    reached = () => Number.POSITIVE_INFINITY,
    nextNumber = () => 0,
    patience = PATIENCE_SECONDS,
  }: Partial<ReplicaChoice<Node>>,
) {
  /** For each shard the replica that answered last. */
  const first: Node[] = [];
  /** For each shard a number above those of all rows that were shown. */
  const shown: number[] = [];
  /** When the time of a request is up, by its signal. All queries of a request share its time. */
  const deadlines = new WeakMap<AbortSignal, AbortSignal>();
  const settings = { max_execution_time: String(patience) };

  function findDeadline(signal: AbortSignal | undefined): AbortSignal {
    const begun = signal && deadlines.get(signal);
    if (begun) return begun;
    const end = AbortSignal.timeout(patience * 1000 + MARGIN_MS);
    if (!signal) return end;
    const deadline = AbortSignal.any([signal, end]);
    deadlines.set(signal, deadline);
    return deadline;
  }

  /** Waits until a replica that takes over has the rows that were shown before. Otherwise figures would go back. */
  async function catchUp({ url }: Node, shard: number, signal: AbortSignal): Promise<void> {
    const until = shown[shard] ?? 0;
    for (let waited = 0; waited < CATCH_UP_MS && reached(url) < until; waited += LOOK_MS)
      await pause(LOOK_MS, undefined, { signal });
  }

  /** The rows of one shard, from the first replica that answers. */
  async function askShard<Row>(
    shard: number,
    sql: string,
    { values, signal, bounds }: { values: TextValues; signal: AbortSignal; bounds: Record<string, string> },
  ): Promise<Row[]> {
    const late = lateUrls();
    const rank = (node: Node) =>
      Number(breaking.isAway(node)) * 4 + Number(late.has(node.url)) * 2 + Number(node !== first[shard]);
    const able = listComplete().filter((node) => node.shard === shard && !behind.has(node));
    let fault: unknown = new Error('no server of a shard has all hits');
    for (const node of able.sort((one, other) => rank(one) - rank(other))) {
      const { url } = node;
      const hasOther = able.some((other) => other !== node && !breaking.isAway(other));
      try {
        if (breaking.isAway(node) && !(await breaking.isBack(url))) throw new Error(`${url} is away`);
        if (first[shard] && node !== first[shard]) await catchUp(node, shard, signal);
        const rows = await breaking.guard(
          url,
          (end) => send(url, `${sql} FORMAT JSONEachRow`, { values, settings: bounds, signal: end, longest: LONGEST }),
          signal,
          hasOther ? 1 : undefined,
        );
        first[shard] = node;
        shown[shard] = nextNumber();
        return parseRows<Row>(rows);
      } catch (error) {
        fault = error;
        if (signal.aborted || TOO_LONG.test((error as Error).message)) break;
      }
    }
    throw makeUnavailable(fault);
  }

  function everyShard<Row>(sql: string, asking: Parameters<typeof askShard>[2]): Promise<Row[][]> {
    return Promise.all(Array.from({ length: shards }, (_, shard) => askShard<Row>(shard, sql, asking)));
  }

  return {
    askShards: <Row>(sql: string, values: TextValues = {}): Promise<Row[][]> =>
      everyShard<Row>(sql, { values, signal: AbortSignal.timeout(WHOLE_DAYS_MS), bounds: {} }),
    ask: async <Row>(sql: string, values: TextValues = {}, signal?: AbortSignal): Promise<Row[]> =>
      (await everyShard<Row>(sql, { values, signal: findDeadline(signal), bounds: settings })).flat(),
  };
}
