import type { Address } from './address.ts';
import { completeOnes, type States, unavailable } from './complete.ts';

/** One ClickHouse server, and which shard it holds. */
export type Node = { url: string; shard: number; replica: number };

/** Texts of a statement stand beside it, by name. */
export type Values = Readonly<Record<string, string>>;

export type Nodes = ReturnType<typeof nodesOf>;

/** What ClickHouse takes for a text parameter. */
const escaped = (text: string): string =>
  text.replaceAll(/[\\\t\n\r\0]/g, (c) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[c] ?? '\\0');

const SETTINGS = {
  output_format_json_quote_64bit_integers: '0',
  // Each shard answers for itself, and an answer without one of them would be a wrong one.
  skip_unavailable_shards: '0',
  cancel_http_readonly_queries_on_client_close: '1',
  // A second replica that is asked at the same time is work for nothing where all of them are busy.
  use_hedged_requests: '0',
  // Where hits of more days than ClickHouse would take at once waited together, all that comes after them waited too.
  max_partitions_per_insert_block: '0',
  // The first that answers, so that a replica that is gone costs little.
  connect_timeout_with_failover_ms: '1000',
};

/** A statement that ClickHouse refused. Its text is for the log only. */
export class Refused extends Error {}

type Sending = { values?: Values; settings?: Record<string, string>; body?: string; gone?: AbortSignal | undefined };

/** Sends statements to ClickHouse servers over HTTP. */
export function sender({ user, password, database }: Address) {
  const headers = {
    ...(user === '' ? {} : { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }),
    'X-ClickHouse-Database': database,
  };

  async function send(
    url: string,
    sql: string,
    { values = {}, settings = {}, body, gone }: Sending = {},
  ): Promise<string> {
    const target = new URL(url);
    for (const [name, value] of Object.entries({ ...SETTINGS, ...settings })) target.searchParams.set(name, value);
    let content: string | FormData = sql;
    if (body !== undefined) {
      target.searchParams.set('query', sql);
      content = body;
    } else if (Object.keys(values).length > 0) {
      // In the body, because there may be many.
      content = new FormData();
      content.set('query', sql);
      for (const [name, value] of Object.entries(values)) content.set(`param_${name}`, escaped(value));
    }
    const response = await fetch(target, { method: 'POST', headers, body: content, ...(gone ? { signal: gone } : {}) });
    const text = await response.text();
    if (!response.ok || response.headers.has('x-clickhouse-exception-code')) throw new Refused(text.slice(0, 2_000));
    return text;
  }
  return send;
}

export const rowsIn = <Row>(text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

type Sum<Row> = { [Name in keyof Row]: number };

/** Rows with the same keys as one, whose other figures are added up: each visitor is on one shard. */
export function summed<Row extends object>(rows: readonly Row[], keys: readonly (keyof Row)[]): Row[] {
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

type Options = Partial<States> & {
  /** Servers that lack what others have: those that are behind are asked nothing, and those of which collectors say so only after others. */
  behind?: ReadonlySet<Node>;
  lateUrls?: () => ReadonlySet<string>;
  /** So many seconds ClickHouse works on a question before it gives up. */
  patience?: number;
};

const PATIENCE_SECONDS = 60;
/** A server that says nothing for so much longer is taken for one that hangs, and the next is asked. */
const MARGIN_SECONDS = 5;

/** As ClickHouse names what took too long: it would take another replica as long. */
const TOO_LONG = /TIMEOUT_EXCEEDED/;

/** The servers of a cluster. `all` are those of every shard. */
export function nodesOf(
  address: Address,
  all: readonly Node[],
  { behind = new Set(), lateUrls = () => new Set(), patience = PATIENCE_SECONDS, ...states }: Options = {},
) {
  const send = sender(address);
  const each = completeOnes(all, states);
  const shards = new Set(all.map(({ shard }) => shard)).size;
  /** Of each shard the replica that answered last, which is asked first. */
  const first: Node[] = [];

  const settings = { max_execution_time: String(patience) };
  /** What ends one try of a question. */
  const endOf = (gone: AbortSignal | undefined) =>
    AbortSignal.any([AbortSignal.timeout((patience + MARGIN_SECONDS) * 1000), ...(gone ? [gone] : [])]);

  /** The rows of one shard, by whichever replica is there. Without any there is no answer, rather than a part of one. */
  async function askShard<Row>(
    shard: number,
    late: ReadonlySet<string>,
    sql: string,
    { values = {}, gone, isPatient }: Pick<Sending, 'values' | 'gone'> & { isPatient: boolean },
  ): Promise<Row[]> {
    const complete = each.listComplete();
    const faults: unknown[] = [new Error('the servers of a shard have not received all hits yet')];
    const rank = (node: Node) => Number(late.has(node.url)) * 2 + Number(node !== first[shard]);
    const able = complete.filter((node) => node.shard === shard && !behind.has(node));
    for (const node of able.sort((one, other) => rank(one) - rank(other))) {
      try {
        const bounds = isPatient ? { gone } : { settings, gone: endOf(gone) };
        const text = await send(node.url, `${sql} FORMAT JSONEachRow`, { values, ...bounds });
        first[shard] = node;
        return rowsIn<Row>(text);
      } catch (error) {
        faults.push(error);
        if (gone?.aborted || TOO_LONG.test((error as Error).message)) break;
      }
    }
    throw unavailable(faults.at(-1));
  }

  function everyShard<Row>(sql: string, asking: Parameters<typeof askShard>[3]): Promise<Row[][]> {
    const late = lateUrls();
    return Promise.all(Array.from({ length: shards }, (_, shard) => askShard<Row>(shard, late, sql, asking)));
  }

  return {
    all,
    shards,
    /** The rows that each shard has, however long it takes: what is handed over or exported is asked for by whole days. */
    askShards: <Row>(sql: string, values: Values = {}): Promise<Row[][]> =>
      everyShard<Row>(sql, { values, isPatient: true }),
    /** The rows of all shards together. */
    ask: async <Row>(sql: string, values: Values = {}, gone?: AbortSignal): Promise<Row[]> =>
      (await everyShard<Row>(sql, { values, gone, isPatient: false })).flat(),
    /** The rows of an answer by one server alone. */
    askOne: async <Row>(node: Node, sql: string): Promise<Row[]> =>
      rowsIn<Row>(await send(node.url, `${sql} FORMAT JSONEachRow`)),
    /** Runs a statement on one server. */
    run: (node: Node, sql: string, values: Values = {}, settings: Record<string, string> = {}) =>
      send(node.url, sql, { values, settings }),
    ...each,
    /** Runs a statement on every complete server, as onEach does. */
    async everywhere(sql: string, settings: Record<string, string> = {}): Promise<void> {
      await each.onEach(({ url }) => send(url, sql, { settings }));
    },
    /** Rows as lines of JSON. The same token twice is stored once; it is the name of the query too. */
    insert: (node: Node, table: string, lines: string, token: string): Promise<string> =>
      send(node.url, `INSERT INTO ${table} FORMAT JSONEachRow`, {
        body: lines,
        settings: { insert_deduplication_token: token, query_id: token },
      }),
  };
}
