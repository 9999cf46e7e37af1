// The nodes are the ClickHouse servers of a cluster as one object. Its functions ask shards and run statements on servers.
//
// Invariant: a query has the rows of every shard or fails. A visitor's hits of a day are on one shard, so the figures of
// shards add up.
//
// Example: a cluster of two shards with two replicas each has four nodes. `ask` sends a query to two of them, `everywhere`
// a DELETE to all four.
//
// connect.ts and outbox/reach.ts call `buildNodes`.
import type { Address } from './address.ts';
import { buildAsker, type ReplicaChoice } from './ask.ts';
import { buildBreaker, type Returning } from './breaker.ts';
import { groupServers, type States } from './complete.ts';
import { buildCopy, buildSend, parseRows, type TextValues } from './send.ts';

/** One ClickHouse server, and which shard it holds. */
export type Node = { url: string; shard: number; replica: number };

export type Nodes = ReturnType<typeof buildNodes>;

type NodeOptions = Partial<States<Node>> & Partial<Returning> & Partial<ReplicaChoice<Node>>;

/** An insert ends within 2 minutes. A statement about whole days may take 15. */
const INSERT_MS = 120_000;
const STATEMENT_MS = 900_000;

/** Builds the nodes of a cluster. `all` has the servers of every shard. */
export function buildNodes(address: Address, all: readonly Node[], options: NodeOptions = {}) {
  const [send, copy] = [buildSend(address), buildCopy(address)];
  const each = groupServers(all, options);
  const breaking = buildBreaker(send, options);
  const shards = new Set(all.map(({ shard }) => shard)).size;
  const { ask, askShards } = buildAsker({ shards, send, breaking, listComplete: each.listComplete }, options);

  const run = ({ url }: Node, sql: string, values: TextValues = {}, settings: Record<string, string> = {}) =>
    breaking.guard(url, (signal) => send(url, sql, { values, settings, signal }), AbortSignal.timeout(STATEMENT_MS));

  /** Inserts lines of JSON. ClickHouse answers with text only if it fails after its answer began. */
  async function insert({ url }: Node, table: string, lines: string, token: string): Promise<void> {
    const settings = { insert_deduplication_token: token, query_id: token };
    const sql = `INSERT INTO ${table} FORMAT JSONEachRow`;
    const work = (signal: AbortSignal) => send(url, sql, { body: lines, settings, signal });
    const answer = await breaking.guard(url, work, AbortSignal.timeout(INSERT_MS));
    if (answer !== '') throw new Error(`${url}: ${answer.slice(0, 300)}`);
  }

  return {
    all,
    shards,
    /** The rows of each shard on its own, within 15 minutes. Exports and transfers ask for whole days. */
    askShards,
    /** The rows of all shards together. */
    ask,
    ...each,
    /** Whether a server failed and has not answered since. */
    isAway: breaking.isAway,
    /** Whether a server answers now. */
    answers: ({ url }: Node): Promise<boolean> => breaking.probe(url),
    /** The rows of one server. */
    askOne: async <Row>(node: Node, sql: string): Promise<Row[]> =>
      parseRows<Row>(await run(node, `${sql} FORMAT JSONEachRow`)),
    /** Runs a statement on one server. */
    run,
    /** Runs a statement that deletes something, as `removeOnEach` does. */
    everywhere: (sql: string, settings: Record<string, string> = {}): Promise<void> =>
      each.removeOnEach((node) => run(node, sql, {}, settings)),
    /** Inserts lines of JSON. Lines with a token that ClickHouse has seen are not stored again. */
    insert,
    /** Copies the selected rows of one server into a table of another. */
    copy: ({ url: from }: Node, select: string, { url: to }: Node, table: string): Promise<void> =>
      breaking.guard(
        from,
        (end) => breaking.guard(to, (signal) => copy({ from, select, to, table, signal }), end),
        AbortSignal.timeout(STATEMENT_MS),
      ),
    close: breaking.close,
  };
}

type Sum<Row> = { [Name in keyof Row]: number };

/** Adds up rows with the same keys. Each visitor is on one shard, so the figures of shards add up. */
export function sumRows<Row extends object>(rows: readonly Row[], keys: readonly (keyof Row)[]): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const key = keys.map((name) => String(row[name])).join('\0');
    const sum = sums.get(key) as Sum<Row> | undefined;
    if (!sum) {
      sums.set(key, row);
      continue;
    }
    for (const name of Object.keys(row) as (keyof Row)[])
      if (!keys.includes(name)) sum[name] = (sum[name] + Number(row[name])) as Sum<Row>[keyof Row];
  }
  return [...sums.values()];
}
