import type { Address } from './address.ts';
import { asker, type Choice } from './ask.ts';
import { breaker, type Returning } from './breaker.ts';
import { completeOnes, type States } from './complete.ts';
import { copier, rowsIn, sender, type Values } from './send.ts';

/** One ClickHouse server, and which shard it holds. */
export type Node = { url: string; shard: number; replica: number };

export type Nodes = ReturnType<typeof buildNodes>;

type Sum<Row> = { [Name in keyof Row]: number };

/** Rows with the same keys as one, whose other figures are added up: each visitor is on one shard. */
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

type Options = Partial<States<Node>> & Partial<Returning> & Partial<Choice<Node>>;

/** What is inserted is taken or refused within so long; a statement about whole days may take longer. */
const INSERT_MS = 120_000;
const STATEMENT_MS = 900_000;

/** The servers of a cluster. `all` are those of every shard. */
export function buildNodes(address: Address, all: readonly Node[], options: Options = {}) {
  const [send, copy] = [sender(address), copier(address)];
  const each = completeOnes(all, options);
  const breaking = breaker(send, options);
  const shards = new Set(all.map(({ shard }) => shard)).size;
  const { ask, askShards } = asker({ shards, send, breaking, listComplete: each.listComplete }, options);

  const run = ({ url }: Node, sql: string, values: Values = {}, settings: Record<string, string> = {}) =>
    breaking.guard(url, (gone) => send(url, sql, { values, settings, gone }), AbortSignal.timeout(STATEMENT_MS));

  /** An answer to it is empty, unless the server failed after it had begun to answer. */
  async function insert({ url }: Node, table: string, lines: string, token: string): Promise<void> {
    const settings = { insert_deduplication_token: token, query_id: token };
    const sql = `INSERT INTO ${table} FORMAT JSONEachRow`;
    const work = (gone: AbortSignal) => send(url, sql, { body: lines, settings, gone });
    const answer = await breaking.guard(url, work, AbortSignal.timeout(INSERT_MS));
    if (answer !== '') throw new Error(`${url}: ${answer.slice(0, 300)}`);
  }

  return {
    all,
    shards,
    /** The rows that each shard has, however long it takes: what is handed over or exported is asked for by whole days. */
    askShards,
    /** The rows of all shards together. */
    ask,
    ...each,
    /** Whether a server failed, and has not answered since. */
    isAway: breaking.isAway,
    /** Whether a server answers now. */
    answers: ({ url }: Node): Promise<boolean> => breaking.probe(url),
    /** The rows of an answer by one server alone. */
    askOne: async <Row>(node: Node, sql: string): Promise<Row[]> =>
      rowsIn<Row>(await run(node, `${sql} FORMAT JSONEachRow`)),
    /** Runs a statement on one server. */
    run,
    /** Runs a statement that deletes something, as removeOnEach does. */
    everywhere: (sql: string, settings: Record<string, string> = {}): Promise<void> =>
      each.removeOnEach((node) => run(node, sql, {}, settings)),
    /** Rows as lines of JSON. The same token twice is stored once; it is the name of the query too. */
    insert,
    /** Copies what is selected on one server into a table of another. */
    copy: ({ url: from }: Node, select: string, { url: to }: Node, table: string): Promise<void> =>
      breaking.guard(
        from,
        (end) => breaking.guard(to, (gone) => copy({ from, select, to, table, gone }), end),
        AbortSignal.timeout(STATEMENT_MS),
      ),
    close: breaking.close,
  };
}
