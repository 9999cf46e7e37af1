import { describeFailure, readText } from '../../lib/http/response.ts';
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
  // What is taken is stored, whatever the profile of the user says.
  async_insert: '0',
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
  /** How many bytes the answer may have. */
  longest?: number;
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

/** An answer of ClickHouse has one of these. A proxy, or another program at the place of a server, has run no statement. */
const TAKEN = 'x-clickhouse-query-id';
const REFUSED = 'x-clickhouse-exception-code';

/** More than any answer has but one with whole days. */
const LONGEST = 64 * 1024 * 1024;
const LONGEST_REFUSAL = 64 * 1024;

async function assertTaken(response: Response): Promise<void> {
  const { ok, status, headers, body } = response;
  if (headers.has(REFUSED)) throw new Refused((await readText(response, LONGEST_REFUSAL)).slice(0, 2_000));
  if (ok && headers.has(TAKEN)) return;
  await body?.cancel();
  throw new Error(`what answers (HTTP ${status}) is no ClickHouse server`);
}

/** Hands a request to a server. What fails names the server. A redirection would hand the password on. */
async function reach<Result>(
  target: URL,
  init: RequestInit,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  try {
    const response = await fetch(target, { ...init, redirect: 'manual' });
    await assertTaken(response);
    return await read(response);
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Error(`${target.origin}: ${describeFailure(error)}`);
  }
}

/** Sends statements to ClickHouse servers over HTTP. */
export function sender(address: Address) {
  const headers = headersOf(address);
  return async function send(
    url: string,
    sql: string,
    { values = {}, settings = {}, body, gone, longest = LONGEST }: Sending = {},
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
    const init = { method: 'POST', headers, body: content, ...(gone ? { signal: gone } : {}) };
    return await reach(target, init, (response) => readText(response, longest));
  };
}

type Copying = { from: string; select: string; to: string; table: string; gone: AbortSignal };

/** Hands rows from one server to another as they come, so that they need no memory here. */
export function copier(address: Address) {
  const headers = headersOf(address);
  return async function copy({ from, select, to, table, gone: signal }: Copying): Promise<void> {
    const own = { method: 'POST', headers, signal };
    const rows = await reach(targetOf(from, {}), { ...own, body: `${select} FORMAT Native` }, async ({ body }) => body);
    // Rows that were deleted here a moment ago are no repetition.
    const target = targetOf(to, { insert_deduplicate: '0', query: `INSERT INTO ${table} FORMAT Native` });
    await reach(target, { ...own, body: rows, duplex: 'half' } as RequestInit, (response) =>
      readText(response, LONGEST),
    );
  };
}

export const rowsIn = <Row>(text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
