// A query is sent to one replica of each shard, and the result has the rows of all shards. The replica that answered
// last is asked again. Another replica may have received fewer rows, so figures in the dashboard would go down. All
// complete replicas have equal sealed days. So a query of sealed days goes to the replica that runs the fewest queries.
//
// Invariant: a replica is asked only if it is complete and has received all hits that this process took. It must not be
// outdone: a replica is outdone if another one has rows of a sender that are over a minute newer (late.ts). If a shard
// has no replica that may be asked, the query fails. If a server fails, the next replica may lack rows that earlier
// answers counted. The query waits up to 10 s until that replica has received them. After 10 s, the answer can lack
// hits of about the last minute. A server that was restarted is checked first (processes.ts).
//
// Example: replica A answers at 10:00:00 with rows up to number 500, and then hangs. Replica B has rows up to 480. The
// next query waits until B has row 500, but at most 10 s, and then asks B. If only the disk of A hangs, A still answers
// SELECT 1, which checks whether a server responds (breaker.ts). So the query waits for A until its time limit. Then
// the next query asks B. `buildNodes` calls buildAsker.
import { setTimeout as pause } from 'node:timers/promises';
import type { Breaking } from './breaker.ts';
import { makeUnavailable } from './complete.ts';
import { buildProcessCheck } from './processes.ts';
import { MOST_TEXT, readRows, type Send, SHORT_ANSWER, type TextValues } from './send.ts';

export type ReplicaChoice<Node> = {
  /**
   * Servers that have not received some hits of this process. Their answers would lack hits, so they get no queries.
   */
  behind: ReadonlySet<Node>;
  /**
   * Gives the URLs of servers that have not received some rows of a collector. Such servers are asked last: an answer
   * without the latest hits is better than none.
   */
  lateUrls: () => ReadonlySet<string>;
  /**
   * Gives the URLs of outdone servers (late.ts). For each of them, another complete replica has rows of a sender that
   * are over a minute newer. Outdone servers are not asked.
   */
  listOutdone: () => ReadonlySet<string>;
  /** Gives a row number. The server has received all rows with lower numbers. */
  reached: (url: string) => number;
  /**
   * Gives a row number that is higher than all row numbers so far. This is called after an answer, so all rows that the
   * answer counted have lower numbers. Before another replica is asked, the query waits up to 10 s until that replica
   * has received these rows.
   */
  nextNumber: () => number;
  /** The time limit, in seconds, for all queries of one request together. */
  patience: number;
  /**
   * Checks a server before its first query, and before the next query if it was restarted. Its disk may have been
   * replaced. If this function is missing, servers are not checked.
   */
  checkProcess: (url: string) => Promise<void>;
};

/**
 * daybook's own HTTP server closes a connection after 30 s. Before that, the user must get an error message, so a query
 * ends after 25 s.
 */
const PATIENCE_SECONDS = 25;
/** ClickHouse should end a query at its time limit. If ClickHouse does not, daybook aborts the query 2 s later. */
const MARGIN_MS = 2_000;

/**
 * If a server fails, another replica is asked. That replica may lack rows that earlier answers counted, but usually
 * receives these rows within 2 s. The query waits for them, at most 10 s. Otherwise figures in the dashboard would go
 * down.
 */
const CATCH_UP_MS = 10_000;
const LOOK_MS = 50;

/** The time limit of a statement that reads no rows. */
const SHORT_MS = 10_000;

/** Exports and transfers read all rows or visits of whole days. Such a query may take up to 15 minutes. */
const WHOLE_DAYS_MS = 900_000;

/**
 * The most memory of one statement. Above a quarter of this, ClickHouse groups and sorts on its disk, which takes
 * longer. Without a limit, several large queries could use up the memory, and the system would end ClickHouse.
 */
const MOST_MEMORY = 4 * 1024 ** 3;
const MEMORY = {
  max_memory_usage: String(MOST_MEMORY),
  max_bytes_before_external_group_by: String(MOST_MEMORY / 4),
  max_bytes_before_external_sort: String(MOST_MEMORY / 4),
};

/**
 * ClickHouse's error for a query that took too long. Another replica may take as long, so no other replica is asked.
 */
const TOO_LONG = /TIMEOUT_EXCEEDED/;

/**
 * True if a query was aborted at its time limit. False if it was aborted because the user no longer waits for the
 * answer.
 */
const isOverdue = ({ aborted, reason }: AbortSignal): boolean => aborted && (reason as Error).name === 'TimeoutError';

type Asking = { values: TextValues; signal: AbortSignal; settings: Record<string, string>; isSealed?: boolean };
/**
 * The URLs of the servers that get queries last (`late`) or not at all (`outdone`). They are read at the start of a
 * query, once for all shards. late.ts explains both words.
 */
type Lags = { late: ReadonlySet<string>; outdone: ReadonlySet<string> };

type Deps<Node> = { countShards(): number; send: Send; breaking: Breaking; listComplete(): Node[] };

export function buildAsker<Node extends { url: string; shard: number }>(
  { countShards, send, breaking, listComplete }: Deps<Node>,
  {
    behind = new Set(),
    lateUrls = () => new Set(),
    listOutdone = () => new Set(),
    reached = () => Number.POSITIVE_INFINITY,
    nextNumber = () => 0,
    patience = PATIENCE_SECONDS,
    checkProcess,
  }: Partial<ReplicaChoice<Node>>,
) {
  /**
   * For each shard, the server that answered last. Another replica may have received fewer rows, and then the figures
   * in the dashboard would go down. Queries of only sealed days (`isSealed`) do not change this list.
   */
  const first: Node[] = [];
  /**
   * For each shard, a row number above all rows that answers have counted. Before another replica is asked, the query
   * waits up to 10 s until that replica has these rows too.
   */
  const shown: number[] = [];
  /**
   * For each shard, the server that let the last query wait until its time limit. At the next query, the other replicas
   * are asked before this server.
   */
  const slow: (Node | undefined)[] = [];
  const load = trackLoad<Node>();
  const settings = { ...MEMORY, max_execution_time: String(patience) };
  const findDeadline = trackDeadlines(patience);
  const askShortly = (url: string, sql: string) =>
    breaking.guard(url, (signal) => send(url, sql, { signal, longest: SHORT_ANSWER }), AbortSignal.timeout(SHORT_MS));
  const askNode = buildAskNode({
    ...{ send, breaking, listComplete, catchUp: buildCatchUp({ reached, listOutdone }) },
    askChecked: checkProcess && buildProcessCheck({ ask: askShortly, check: checkProcess }),
  });

  /** Asks the replicas of one shard one after the other, until one answers. */
  async function askShard<Row>(shard: number, sql: string, asking: Asking & Lags): Promise<Row[]> {
    const { signal, late, outdone, isSealed = false } = asking;
    // The server with the lowest rank is asked first. Each line of the sum outweighs all lines below it together.
    const rank = (node: Node) =>
      Number(outdone.has(node.url)) * 16 +
      Number(breaking.isAway(node)) * 8 +
      Number(late.has(node.url)) * 4 +
      Number(node === slow[shard]) * 2 +
      (isSealed ? load.measure(node) : Number(node !== first[shard]));
    const able = listComplete().filter((node) => node.shard === shard && !behind.has(node));
    let fault: unknown = new Error('no server of a shard has all hits');
    for (const node of able.sort((one, other) => rank(one) - rank(other))) {
      const hasOther = able.some((other) => other !== node && !breaking.isAway(other));
      try {
        const until = !isSealed && first[shard] && node !== first[shard] ? (shown[shard] ?? 0) : 0;
        const rows = await load.during(node, () => askNode(node, sql, { ...asking, until, hasOther }));
        slow[shard] = undefined;
        if (!isSealed) [first[shard], shown[shard]] = [node, nextNumber()];
        return await readRows<Row>(rows);
      } catch (error) {
        fault = error;
        const isSlow = isOverdue(signal) || TOO_LONG.test((error as Error).message);
        if (isSlow) slow[shard] = node;
        if (isSlow || signal.aborted) break;
      }
    }
    throw makeUnavailable(fault);
  }

  function everyShard<Row>(sql: string, asking: Asking): Promise<Row[][]> {
    const own = { ...asking, late: lateUrls(), outdone: listOutdone() };
    return Promise.all(Array.from({ length: countShards() }, (_, shard) => askShard<Row>(shard, sql, own)));
  }

  return {
    /** For each shard, the server that answered last, or undefined if none did. */
    listFirst: (): (Node | undefined)[] => Array.from({ length: countShards() }, (_, shard) => first[shard]),
    askShards: <Row>(sql: string, values: TextValues = {}): Promise<Row[][]> =>
      everyShard<Row>(sql, { values, signal: AbortSignal.timeout(WHOLE_DAYS_MS), settings: MEMORY }),
    ask: async <Row>(
      sql: string,
      values: TextValues = {},
      signal?: AbortSignal,
      /** `isSealed`: the query reads only sealed days, so any complete replica may answer. */
      { isSealed = false } = {},
    ): Promise<Row[]> =>
      (await everyShard<Row>(sql, { values, signal: findDeadline(signal), settings, isSealed })).flat(),
  };
}

/** Counts the queries that each server runs now. */
function trackLoad<Node>() {
  const running = new Map<Node, number>();
  const add = (node: Node, more: number) => running.set(node, (running.get(node) ?? 0) + more);
  return {
    /** Gives a number from 0 up to, but not including, 1. It is higher for a server that runs more queries. */
    measure: (node: Node): number => 1 - 1 / (1 + (running.get(node) ?? 0)),
    async during<Result>(node: Node, work: () => Promise<Result>): Promise<Result> {
      add(node, 1);
      return await work().finally(() => add(node, -1));
    },
  };
}

/** `hasOther` is true if another replica of the shard responds. */
type AskingNode = Asking & CatchingUp & { hasOther: boolean };

type AskNodeDeps<Node> = Pick<Deps<Node>, 'send' | 'breaking' | 'listComplete'> & {
  catchUp: (node: Node, catchingUp: CatchingUp) => Promise<void>;
  askChecked?: ReturnType<typeof buildProcessCheck> | undefined;
};

function buildAskNode<Node extends { url: string }>({
  send,
  breaking,
  listComplete,
  catchUp,
  askChecked = (_url, _signal, query) => query({}),
}: AskNodeDeps<Node>) {
  return async function askNode(node: Node, sql: string, asking: AskingNode): Promise<string> {
    const { url } = node;
    const { values, settings, signal, hasOther } = asking;
    if (breaking.isAway(node) && !(await breaking.isBack(url))) throw new Error(`${url} is away`);
    await catchUp(node, asking);
    return await askChecked(url, signal, (required) => {
      // A server that is back may turn out to have an older disk. Then the server lacks rows.
      if (!listComplete().includes(node)) throw new Error(`${url} has not everything any more`);
      const sending = { values, settings: { ...settings, ...required }, longest: MOST_TEXT };
      return breaking.guard(
        url,
        (end) => send(url, `${sql} FORMAT JSONEachRow`, { ...sending, signal: end }),
        signal,
        hasOther ? 1 : undefined,
      );
    });
  };
}

/**
 * Builds a function that gives the time limit of a query. All queries of a user's request share one time limit. These
 * queries have one signal, by which the limit is found.
 */
function trackDeadlines(patience: number) {
  const deadlines = new WeakMap<AbortSignal, AbortSignal>();
  return function findDeadline(signal: AbortSignal | undefined): AbortSignal {
    const begun = signal && deadlines.get(signal);
    if (begun) return begun;
    const end = AbortSignal.timeout(patience * 1000 + MARGIN_MS);
    if (!signal) return end;
    const deadline = AbortSignal.any([signal, end]);
    deadlines.set(signal, deadline);
    return deadline;
  };
}

/** `until` is a row number above all rows that earlier answers counted. */
type CatchingUp = { until: number; outdone: ReadonlySet<string>; signal: AbortSignal };

/**
 * Builds a function that waits, for at most 10 s, until a server has the rows that earlier answers counted. Otherwise
 * the figures in the dashboard would go down. Throws if the server is then known to lack rows that another replica has
 * (test/cluster/servers/ask.test.ts).
 */
function buildCatchUp<Node extends { url: string }>({
  reached,
  listOutdone,
}: Pick<ReplicaChoice<Node>, 'reached' | 'listOutdone'>) {
  /** Servers that were waited for in vain. The next query does not wait for them again. */
  const waitedFor = new Set<Node>();
  return async function catchUp(node: Node, { until, outdone, signal }: CatchingUp): Promise<void> {
    const { url } = node;
    const isOutdone = () => outdone.has(url) && listOutdone().has(url);
    const isReady = () => (until === 0 || reached(url) >= until) && !isOutdone();
    const most = waitedFor.has(node) ? 0 : CATCH_UP_MS;
    for (let waited = 0; waited < most && !isReady(); waited += LOOK_MS) await pause(LOOK_MS, undefined, { signal });
    waitedFor.delete(node);
    if (!isOutdone()) return;
    waitedFor.add(node);
    throw new Error(`${url} lacks hits that another server of its shard has`);
  };
}
