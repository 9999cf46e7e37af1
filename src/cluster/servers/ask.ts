// A query is sent to one replica of each shard. A shard has a part of the visitors, and its replicas are servers with
// the same rows. The result has the rows of all shards.
//
// Invariant: a replica is asked only if it is complete and has received all hits that this process took. If a shard has
// no such replica, the query fails. So an answer always has the rows of all shards.
//
// The replica that answered last is asked again. Another replica may have received fewer rows, and numbers in the
// dashboard would go down. So another replica is asked only when the first replica does not answer. Before that,
// daybook waits up to 10 s until the other replica has all rows that earlier answers counted.
//
// Example: replica A answers at 10:00:00 with rows up to number 500, and then stops answering. Replica B has rows up to
// 480. The next query waits until B has row 500, but at most 10 s, and then asks B.
//
// `buildNodes` calls buildAsker.
import { setTimeout as pause } from 'node:timers/promises';
import type { Breaking } from './breaker.ts';
import { makeUnavailable } from './complete.ts';
import { MOST_TEXT, parseRows, type Send, type TextValues } from './send.ts';

export type ReplicaChoice<Node> = {
  /** Servers that have not received some hits that this process took. They get no queries: hits would be missing. */
  behind: ReadonlySet<Node>;
  /**
   * Gives the URLs of servers that have not received some rows of a collector, a machine that only takes hits. They
   * are asked last: a late answer is better than none.
   */
  lateUrls: () => ReadonlySet<string>;
  /** Gives a row number: the server has received all rows with lower numbers. Row numbers grow with time. */
  reached: (url: string) => number;
  /**
   * Gives a row number that all later rows reach or exceed. Called after each answer, which has counted only rows below
   * this number. Before another server of the shard is asked, it should have all rows below the number too.
   */
  nextNumber: () => number;
  /** The time limit, in seconds, for all queries that answer one request of a user together. */
  patience: number;
};

/**
 * Queries end after 25 s. daybook's own HTTP server closes a connection after 30 s, and before that the user should get
 * an error message.
 */
const PATIENCE_SECONDS = 25;
/** ClickHouse itself should end a query at its time limit. If it does not, the query is aborted here 2 s later. */
const MARGIN_MS = 2_000;

/**
 * If a server fails, another server with the same rows is asked. It may lack rows that earlier answers counted, and
 * usually gets them within 2 s. The query waits for that, for at most 10 s. Otherwise figures would go down.
 */
const CATCH_UP_MS = 10_000;
const LOOK_MS = 50;

/** Queries that read all visits of whole days, for exports and moves, may take up to 15 minutes. */
const WHOLE_DAYS_MS = 900_000;

/**
 * ClickHouse's error for a query that took too long. Another server with the same rows would take as long. So no other
 * server is tried, and the query fails.
 */
const TOO_LONG = /TIMEOUT_EXCEEDED/;

type Deps<Node> = { shards: number; send: Send; breaking: Breaking; listComplete(): Node[] };

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
  /**
   * For each shard (a group of servers with the same rows), the server that answered last. It is asked again. Another
   * server may have received fewer rows, and then the figures in the dashboard would go down.
   */
  const first: Node[] = [];
  /**
   * For each shard, a number above all rows that answers have counted. Another server is asked only when it has these
   * rows too.
   */
  const shown: number[] = [];
  /** The deadline of each user's request, by the request's signal. All queries of a request share one deadline. */
  const deadlines = new WeakMap<AbortSignal, AbortSignal>();
  const inTime = { max_execution_time: String(patience) };

  function findDeadline(signal: AbortSignal | undefined): AbortSignal {
    const begun = signal && deadlines.get(signal);
    if (begun) return begun;
    const end = AbortSignal.timeout(patience * 1000 + MARGIN_MS);
    if (!signal) return end;
    const deadline = AbortSignal.any([signal, end]);
    deadlines.set(signal, deadline);
    return deadline;
  }

  /**
   * Waits, for at most 10 s, until a server has the rows that earlier answers of another server counted. Otherwise the
   * figures in the dashboard would go down.
   */
  async function catchUp({ url }: Node, shard: number, signal: AbortSignal): Promise<void> {
    const until = shown[shard] ?? 0;
    for (let waited = 0; waited < CATCH_UP_MS && reached(url) < until; waited += LOOK_MS)
      await pause(LOOK_MS, undefined, { signal });
  }

  /**
   * Gives the rows of one shard, a group of servers with the same rows. They are tried one after the other until one
   * answers.
   */
  async function askShard<Row>(
    shard: number,
    sql: string,
    { values, signal, settings }: { values: TextValues; signal: AbortSignal; settings: Record<string, string> },
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
          (end) => send(url, `${sql} FORMAT JSONEachRow`, { values, settings, signal: end, longest: MOST_TEXT }),
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
      everyShard<Row>(sql, { values, signal: AbortSignal.timeout(WHOLE_DAYS_MS), settings: {} }),
    ask: async <Row>(sql: string, values: TextValues = {}, signal?: AbortSignal): Promise<Row[]> =>
      (await everyShard<Row>(sql, { values, signal: findDeadline(signal), settings: inTime })).flat(),
  };
}
