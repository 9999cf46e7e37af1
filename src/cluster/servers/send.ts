// Sends statements to ClickHouse servers by HTTP, each in one request. Important settings are sent too, so the profile
// of the ClickHouse user does not matter.
//
// Invariant: a result always comes from ClickHouse. An answer without a header X-ClickHouse-… comes from another
// program, such as a proxy, and counts as a failure. Redirects are not followed, because the password would be sent to
// another server.
//
// Example: `send(url, 'SELECT … WHERE page = {p0:String} FORMAT JSONEachRow', { values: { p0: '/' } })` gives the lines
// of the rows as text.
//
// `buildNodes` and connect.ts use this file.
import { describeFailure, readText } from '../../lib/http/response.ts';
import type { Address } from './address.ts';

/** The parameters of a statement. The key `p0` belongs to {p0:String} in the SQL text. */
export type TextValues = Readonly<Record<string, string>>;

const SETTINGS = {
  output_format_json_quote_64bit_integers: '0',
  // With 1, ClickHouse would give an incomplete result if it cannot reach a shard.
  skip_unavailable_shards: '0',
  cancel_http_readonly_queries_on_client_close: '1',
  // On a busy cluster, asking a second replica at the same time doubles the work.
  use_hedged_requests: '0',
  // A parcel of rows may have more days than ClickHouse accepts by default. If such a parcel were refused, no later parcel could
  // be sent.
  max_partitions_per_insert_block: '0',
  // ClickHouse must answer an insert only after the rows are stored, even if the user's profile says otherwise.
  async_insert: '0',
  // If a replica does not answer, ClickHouse tries the next replica after 1 s.
  connect_timeout_with_failover_ms: '1000',
};

/**
 * A statement may have the ids of many sealed days. By default ClickHouse refuses a statement above 256 KiB. Inserts
 * keep the default, because ClickHouse reads this much of their rows before it begins.
 */
const LONG_STATEMENT = { max_query_size: String(64 * 1024 * 1024) };

/** ClickHouse refused a statement. The message is only for the log. */
export class Refused extends Error {}

export type SendOptions = {
  values?: TextValues;
  settings?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
  /** The maximum size of the answer in bytes. */
  longest?: number;
};

export type Send = ReturnType<typeof buildSend>;

/** Builds a function that sends a statement to a server and gives the answer as text. */
export function buildSend(address: Address) {
  const headers = makeHeaders(address);
  return async function send(
    url: string,
    sql: string,
    { values = {}, settings = {}, body, signal, longest = LONGEST }: SendOptions = {},
  ): Promise<string> {
    const target = makeTarget(url, body === undefined ? { ...LONG_STATEMENT, ...settings } : settings);
    let content: string | FormData = sql;
    if (body !== undefined) {
      target.searchParams.set('query', sql);
      content = body;
    } else if (Object.keys(values).length > 0) {
      // Parameters are sent in the body, because many parameters would make the URL too long.
      content = new FormData();
      content.set('query', sql);
      for (const [name, value] of Object.entries(values)) content.set(`param_${name}`, escapeText(value));
    }
    const init = { method: 'POST', headers, body: content, ...(signal ? { signal } : {}) };
    return await request(target, init, (response) => readText(response, longest));
  };
}

type Copying = { from: string; select: string; to: string; table: string; signal: AbortSignal };

/**
 * Builds a function that copies rows from one server to another. Rows are passed on while they are read, so little
 * memory is needed.
 */
export function buildCopy(address: Address) {
  const headers = makeHeaders(address);
  return async function copy({ from, select, to, table, signal }: Copying): Promise<void> {
    const own = { method: 'POST', headers, signal };
    const rows = await request(
      makeTarget(from, {}),
      { ...own, body: `${select} FORMAT Native` },
      async ({ body }) => body,
    );
    // The server may have had these rows before and deleted them. Without this setting, ClickHouse would ignore them as a
    // repeated insert.
    const target = makeTarget(to, { insert_deduplicate: '0', query: `INSERT INTO ${table} FORMAT Native` });
    await request(target, { ...own, body: rows, duplex: 'half' } as RequestInit, (response) =>
      readText(response, LONGEST),
    );
  };
}

export const parseRows = <Row>(text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Writes a text in the way in which ClickHouse reads text parameters. */
const escapeText = (text: string): string =>
  text.replaceAll(/[\\\t\n\r\0]/g, (c) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' })[c] ?? '\\0');

const makeHeaders = ({ user, password, database }: Address) => ({
  ...(user === '' ? {} : { 'X-ClickHouse-User': user, 'X-ClickHouse-Key': password }),
  'X-ClickHouse-Database': database,
});

function makeTarget(url: string, settings: Record<string, string>): URL {
  const target = new URL(url);
  for (const [name, value] of Object.entries({ ...SETTINGS, ...settings })) target.searchParams.set(name, value);
  return target;
}

/**
 * Each answer of ClickHouse has one of these headers. An answer without them comes from another program, so the
 * statement did not run.
 */
const TAKEN = 'x-clickhouse-query-id';
const REFUSED = 'x-clickhouse-exception-code';

/** The maximum size of an answer, 64 MiB. Only answers with whole days or with all sealed days may be larger. */
const LONGEST = 64 * 1024 * 1024;

/** The maximum length of a text in JavaScript. */
export const MOST_TEXT = 512 * 1024 * 1024 - 24;

const LONGEST_REFUSAL = 64 * 1024;

async function assertTaken(response: Response): Promise<void> {
  const { ok, status, headers, body } = response;
  if (headers.has(REFUSED)) throw new Refused((await readText(response, LONGEST_REFUSAL)).slice(0, 2_000));
  if (ok && headers.has(TAKEN)) return;
  await body?.cancel();
  throw new Error(`what answers (HTTP ${status}) is no ClickHouse server`);
}

/** Sends a request to a server. The text of an error names the server. */
async function request<Result>(
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
