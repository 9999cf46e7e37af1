/*
 * Which replica of a shard answers a question: one of those that are complete and have all hits, and of them the one that answered last,
 * so that two answers do not stand on replicas of which one is a parcel behind. Another is asked only when that one is away, and when it has
 * what that one has shown.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Breaking } from './breaker.ts';
import { unavailable } from './complete.ts';
import { rowsIn, type Send, type Values } from './send.ts';

export type Choice<Node> = {
  /** Servers that lack something of what waits here, which are not asked. */
  behind: ReadonlySet<Node>;
  /** Servers that lack something of what collectors have taken, which are asked after others. */
  lateUrls: () => ReadonlySet<string>;
  /** Below which number a server has all rows that were taken. */
  reached: (url: string) => number;
  /** The lowest number of a row that is taken now. */
  nextNumber: () => number;
  /** So many seconds a request may ask in all, and ClickHouse works on a question. */
  patience: number;
};

/** Below the 30 s after which our own server closes a connection (src/http/server.ts), so that people get an answer that says so. */
const PATIENCE_SECONDS = 25;
/** ClickHouse itself ends what takes too long, if it can. */
const MARGIN_MS = 2_000;

/**
 * A replica that takes over gets so long to reach what the one before has shown. Most need a second. A sender that failed waits up to
 * 5 s before it tries again (src/cluster/outbox/shipper.ts), and a second passes until the primary hears of it.
 */
const CATCH_UP_MS = 10_000;
const LOOK_MS = 50;

/** Whole days are handed over within so long. */
const WHOLE_DAYS_MS = 900_000;

/** What a text of JavaScript can hold. */
const LONGEST = 512 * 1024 * 1024 - 24;

/** As ClickHouse names what took too long: it would take another replica as long. */
const TOO_LONG = /TIMEOUT_EXCEEDED/;

type Deps<Node> = { shards: number; send: Send; breaking: Breaking; listComplete(): Node[] };

export function asker<Node extends { url: string; shard: number }>(
  { shards, send, breaking, listComplete }: Deps<Node>,
  {
    behind = new Set(),
    lateUrls = () => new Set(),
    reached = () => Number.POSITIVE_INFINITY,
    nextNumber = () => 0,
    patience = PATIENCE_SECONDS,
  }: Partial<Choice<Node>>,
) {
  /** Of each shard the replica that answered last. */
  const first: Node[] = [];
  /** Of each shard a number above those of all rows that it has shown. */
  const shown: number[] = [];
  /** When the time of a request is up, by what tells that its client has gone. */
  const deadlines = new WeakMap<AbortSignal, AbortSignal>();
  const settings = { max_execution_time: String(patience) };

  function deadlineOf(gone: AbortSignal | undefined): AbortSignal {
    const begun = gone && deadlines.get(gone);
    if (begun) return begun;
    const end = AbortSignal.timeout(patience * 1000 + MARGIN_MS);
    if (!gone) return end;
    const deadline = AbortSignal.any([gone, end]);
    deadlines.set(gone, deadline);
    return deadline;
  }

  /** Waits for a replica that takes over, so that answers do not go back. */
  async function catchUp({ url }: Node, shard: number, gone: AbortSignal): Promise<void> {
    const until = shown[shard] ?? 0;
    for (let waited = 0; waited < CATCH_UP_MS && reached(url) < until; waited += LOOK_MS)
      await pause(LOOK_MS, undefined, { signal: gone });
  }

  /** The rows of one shard, by whichever replica is there. Without any there is no answer, rather than a part of one. */
  async function askShard<Row>(
    shard: number,
    sql: string,
    { values, gone, bounds }: { values: Values; gone: AbortSignal; bounds: Record<string, string> },
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
        if (first[shard] && node !== first[shard]) await catchUp(node, shard, gone);
        const rows = await breaking.guard(
          url,
          (end) => send(url, `${sql} FORMAT JSONEachRow`, { values, settings: bounds, gone: end, longest: LONGEST }),
          gone,
          hasOther ? 1 : undefined,
        );
        first[shard] = node;
        shown[shard] = nextNumber();
        return rowsIn<Row>(rows);
      } catch (error) {
        fault = error;
        if (gone.aborted || TOO_LONG.test((error as Error).message)) break;
      }
    }
    throw unavailable(fault);
  }

  function everyShard<Row>(sql: string, asking: Parameters<typeof askShard>[2]): Promise<Row[][]> {
    return Promise.all(Array.from({ length: shards }, (_, shard) => askShard<Row>(shard, sql, asking)));
  }

  return {
    askShards: <Row>(sql: string, values: Values = {}): Promise<Row[][]> =>
      everyShard<Row>(sql, { values, gone: AbortSignal.timeout(WHOLE_DAYS_MS), bounds: {} }),
    ask: async <Row>(sql: string, values: Values = {}, gone?: AbortSignal): Promise<Row[]> =>
      (await everyShard<Row>(sql, { values, gone: deadlineOf(gone), bounds: settings })).flat(),
  };
}
