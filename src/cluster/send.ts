import type { Address } from './address.ts';

/** Texts of a statement stand beside it, by name. */
export type Values = Readonly<Record<string, string>>;

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

export type Sending = {
  values?: Values;
  settings?: Record<string, string>;
  body?: string;
  gone?: AbortSignal | undefined;
};

export type Send = ReturnType<typeof sender>;

const headersOf = ({ user, password, database }: Address) => ({
  ...(user === '' ? {} : { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }),
  'X-ClickHouse-Database': database,
});

function targetOf(url: string, settings: Record<string, string>): URL {
  const target = new URL(url);
  for (const [name, value] of Object.entries({ ...SETTINGS, ...settings })) target.searchParams.set(name, value);
  return target;
}

async function assertTaken(response: Response): Promise<void> {
  if (!response.ok || response.headers.has('x-clickhouse-exception-code'))
    throw new Refused((await response.text()).slice(0, 2_000));
}

/** Sends statements to ClickHouse servers over HTTP. */
export function sender(address: Address) {
  const headers = headersOf(address);
  return async function send(
    url: string,
    sql: string,
    { values = {}, settings = {}, body, gone }: Sending = {},
  ): Promise<string> {
    const target = targetOf(url, settings);
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
    await assertTaken(response);
    return await response.text();
  };
}

type Copying = { from: string; select: string; to: string; table: string; gone: AbortSignal };

/** Hands rows from one server to another as they come, so that they need no memory here. */
export function copier(address: Address) {
  const headers = headersOf(address);
  return async function copy({ from, select, to, table, gone: signal }: Copying): Promise<void> {
    const own = { method: 'POST', headers, signal };
    const read = await fetch(targetOf(from, {}), { ...own, body: `${select} FORMAT Native` });
    await assertTaken(read);
    // Rows that were deleted here a moment ago are no repetition.
    const target = targetOf(to, { insert_deduplicate: '0', query: `INSERT INTO ${table} FORMAT Native` });
    await assertTaken(await fetch(target, { ...own, body: read.body, duplex: 'half' } as RequestInit));
  };
}

export const rowsIn = <Row>(text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
