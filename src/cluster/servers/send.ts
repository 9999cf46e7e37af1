// Statements go to ClickHouse servers over HTTP, one request each. Their settings do not depend on the profile of the ClickHouse
// user.
//
// Invariant: a result is from ClickHouse. An answer without a header X-ClickHouse-… comes from a proxy or another program,
// and is a failure. A redirection is not followed, because it would hand on the password.
//
// Example: `send(url, 'SELECT … WHERE page = {p0:String} FORMAT JSONEachRow', { values: { p0: '/' } })` gives the lines of
// the rows as text.
//
// Called by `buildNodes` and connect.ts.
import { describeFailure, readText } from '../../lib/http/response.ts';
import type { Address } from './address.ts';

/** Texts that a statement names as {name:String}, by name. */
export type TextValues = Readonly<Record<string, string>>;

const SETTINGS = {
  output_format_json_quote_64bit_integers: '0',
  // Each shard is asked on its own. An answer that leaves one out would be wrong.
  skip_unavailable_shards: '0',
  cancel_http_readonly_queries_on_client_close: '1',
  // On a busy cluster, asking a second replica at the same time doubles the work.
  use_hedged_requests: '0',
  // A parcel may have hits of more days than the default allows. If it were refused, all later parcels would wait behind
  // it.
  max_partitions_per_insert_block: '0',
  // ClickHouse answers an insert only when the rows are stored, even if the profile of the user says otherwise.
  async_insert: '0',
  // ClickHouse gives up a replica that does not answer after 1 s, so that one costs little.
  connect_timeout_with_failover_ms: '1000',
};

/** ClickHouse refused a statement. The message is for the log only. */
export class Refused extends Error {}

export type SendOptions = {
  values?: TextValues;
  settings?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
  /** The most bytes that the answer may have. */
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
    const target = makeTarget(url, settings);
    let content: string | FormData = sql;
    if (body !== undefined) {
      target.searchParams.set('query', sql);
      content = body;
    } else if (Object.keys(values).length > 0) {
      // Parameters go into the body, because a URL has no room for many.
      content = new FormData();
      content.set('query', sql);
      for (const [name, value] of Object.entries(values)) content.set(`param_${name}`, escapeText(value));
    }
    const init = { method: 'POST', headers, body: content, ...(signal ? { signal } : {}) };
    return await request(target, init, (response) => readText(response, longest));
  };
}

type Copying = { from: string; select: string; to: string; table: string; signal: AbortSignal };

/** Builds a function that copies rows from one server to another. Rows are passed on as they arrive, so memory is bounded. */
export function buildCopy(address: Address) {
  const headers = makeHeaders(address);
  return async function copy({ from, select, to, table, signal }: Copying): Promise<void> {
    const own = { method: 'POST', headers, signal };
    const rows = await request(
      makeTarget(from, {}),
      { ...own, body: `${select} FORMAT Native` },
      async ({ body }) => body,
    );
    // The target may have had these rows and deleted them. ClickHouse would then ignore them as a repetition.
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

/** Writes a text as ClickHouse reads a text parameter. */
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

/** Each answer of ClickHouse has one of these headers. Without one, something else answered and no statement ran. */
const TAKEN = 'x-clickhouse-query-id';
const REFUSED = 'x-clickhouse-exception-code';

/** An answer has 64 MiB at most. Only answers with whole days may be longer. */
const LONGEST = 64 * 1024 * 1024;
const LONGEST_REFUSAL = 64 * 1024;

async function assertTaken(response: Response): Promise<void> {
  const { ok, status, headers, body } = response;
  if (headers.has(REFUSED)) throw new Refused((await readText(response, LONGEST_REFUSAL)).slice(0, 2_000));
  if (ok && headers.has(TAKEN)) return;
  await body?.cancel();
  throw new Error(`what answers (HTTP ${status}) is no ClickHouse server`);
}

/** Sends a request to a server. An error names the server. */
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
