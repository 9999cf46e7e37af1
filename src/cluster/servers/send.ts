// Sends statements to ClickHouse servers by HTTP, each in one request. Important settings are sent too, so the profile
// of the ClickHouse user does not matter.
//
// Invariant: a result always comes from ClickHouse. An answer without a header X-ClickHouse-… comes from another
// program, such as a proxy, and counts as a failure. Redirects are not followed, because the password would be sent to
// another server.
//
// Example: `send(url, 'SELECT … WHERE page = {p0:String} FORMAT JSONEachRow', { values: { p0: '/' } })` gives the lines
// of the rows as text. `buildNodes` and many other files of this folder use this file.
import { writeFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { describeFailure, readText } from '../../lib/http/response.ts';
import type { Address } from './address.ts';

/** The parameters of a statement. The value of `p0` replaces {p0:String} in the SQL. */
export type TextValues = Readonly<Record<string, string>>;

/**
 * The profile of a ClickHouse user may have limits, such as 10,000 rows of an answer. With the mode `break`, ClickHouse
 * silently cuts the answer off at a limit. Figures would be too low. So each limit must give an error.
 */
const LIMITS = [
  ...['read_overflow_mode', 'read_overflow_mode_leaf', 'timeout_overflow_mode', 'timeout_overflow_mode_leaf'],
  ...['group_by_overflow_mode', 'sort_overflow_mode', 'result_overflow_mode', 'distinct_overflow_mode'],
  ...['set_overflow_mode', 'join_overflow_mode', 'transfer_overflow_mode'],
];

const SETTINGS = {
  ...Object.fromEntries(LIMITS.map((name) => [name, 'throw'])),
  limit: '0',
  offset: '0',
  // With 1, ClickHouse would repeat an answer of up to a minute ago. Rows that were stored since would seem missing.
  use_query_cache: '0',
  // ClickHouse splits an insert into blocks of at most this many rows and bytes. A parcel of hits has at most 16 MB, so
  // it is one block. Of each day in the parcel, ClickHouse then stores either all hits or none.
  max_insert_block_size: '1048449',
  min_insert_block_size_rows: '1048449',
  min_insert_block_size_bytes: '268402944',
  output_format_json_quote_64bit_integers: '0',
  // With 1, ClickHouse would write all statements to its query log. Statements contain what people filter by.
  log_queries: '0',
  // With 1, ClickHouse would give a wrong result, without the rows of a server that it cannot reach.
  skip_unavailable_shards: '0',
  cancel_http_readonly_queries_on_client_close: '1',
  // ClickHouse could ask a second server at the same time and take the faster answer. Asking two servers doubles the
  // work.
  use_hedged_requests: '0',
  // By default ClickHouse refuses an insert with rows of more than 100 days (partitions). Rows are sent in order, so a
  // refused insert would stop all later rows.
  max_partitions_per_insert_block: '0',
  // A newer collector may send a column that the tables do not have yet. By default ClickHouse ignores its values
  // without an error. With this setting the insert fails, and the rows wait.
  input_format_skip_unknown_fields: '0',
  // ClickHouse must answer an insert only when the rows are stored. Otherwise a crash would lose them.
  async_insert: '0',
  // ClickHouse itself may connect to another server. If that server does not accept the connection, ClickHouse tries a
  // replica after 1 s.
  connect_timeout_with_failover_ms: '1000',
};

/**
 * A statement may have the ids of thousands of sealed days. By default ClickHouse refuses a statement above 256 KiB.
 * Inserts keep the default, because an insert begins only after ClickHouse has read this many bytes of its rows.
 */
const LONG_STATEMENT = { max_query_size: String(64 * 1024 * 1024) };

/** ClickHouse answered a statement with an error. So the server works, and a retry may not help. */
export class Refused extends Error {}

export type SendOptions = {
  values?: TextValues;
  settings?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
  /** The maximum size of the answer in bytes. A larger answer is an error, because it could fill the memory. */
  longest?: number;
};

export type Send = ReturnType<typeof buildSend>;

export function buildSend(address: Address) {
  const headers = makeHeaders(address);
  return async function send(
    url: string,
    sql: string,
    { values = {}, settings = {}, body, signal, longest = LONGEST }: SendOptions = {},
  ): Promise<string> {
    const target = makeTarget(url, body === undefined ? { ...LONG_STATEMENT, ...settings } : settings);
    if (body !== undefined) target.searchParams.set('query', sql);
    const hasValues = body === undefined && Object.keys(values).length > 0;
    const content = hasValues ? await encodeForm(sql, values) : { body: body ?? sql };
    const init = {
      method: 'POST',
      ...content,
      headers: { ...headers, ...content.headers },
      ...(signal ? { signal } : {}),
    };
    return await request(target, init, (response) => readText(response, longest));
  };
}

/**
 * Writes a statement and the texts of its filters as a form. Many texts would make the URL too long. The form is sent
 * as bytes. With an object FormData, `fetch` has a fault: if the signal is already aborted, Node throws an error that
 * nobody can catch. This error would end the primary (test/cluster/servers/send.test.ts).
 */
async function encodeForm(sql: string, values: TextValues): Promise<Pick<RequestInit, 'body' | 'headers'>> {
  const form = new FormData();
  form.set('query', sql);
  for (const [name, value] of Object.entries(values)) form.set(`param_${name}`, escapeText(value));
  // @hono/node-server replaces `Response` by a class that lacks `bytes()`.
  const written = new Response(form);
  const body = new Uint8Array(await written.arrayBuffer());
  return { body, headers: { 'Content-Type': written.headers.get('content-type') ?? '' } };
}

type Copying = { from: string; select: string; to: string; table: string; signal: AbortSignal };

/**
 * Builds a function that copies rows from one server to another. Rows are sent on while they are read, so little memory
 * is needed.
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
    // ClickHouse ignores an insert of rows that it had before, even if they were deleted since. With this setting
    // ClickHouse stores the copied rows in any case.
    const target = makeTarget(to, { insert_deduplicate: '0', query: `INSERT INTO ${table} FORMAT Native` });
    await request(target, { ...own, body: rows, duplex: 'half' } as RequestInit, (response) =>
      readText(response, LONGEST),
    );
  };
}

/** Builds a function that writes the answer to a statement into a file, byte by byte as ClickHouse sent it. */
export function buildDownload(address: Address) {
  const headers = makeHeaders(address);
  return (url: string, sql: string, file: string): Promise<void> =>
    request(makeTarget(url, {}), { method: 'POST', headers, body: sql }, async ({ body }) => {
      await writeFile(file, body ?? '');
    });
}

export const parseRows = <Row>(text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** After this many rows, which take some milliseconds, other requests get a turn. */
export const ROWS_A_TURN = 5_000;

/** After this many characters, other requests get a turn too, because some rows are long. */
const CHARACTERS_A_TURN = 1_000_000;

/**
 * Reads the rows of a long answer. A table may have 500,000 rows, and to parse them takes half a second. So this
 * function pauses often, and Node works on other requests in the pauses (test/cluster/query/table.test.ts). It counts
 * characters as well as rows, because a row may be long: a hit has up to 20 kB of texts
 * (test/cluster/servers/send.test.ts).
 */
export async function readRows<Row>(text: string): Promise<Row[]> {
  const rows: Row[] = [];
  let turned = 0;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    if (to > from) rows.push(JSON.parse(text.slice(from, to)));
    from = to + 1;
    if (rows.length % ROWS_A_TURN === 0 || from - turned > CHARACTERS_A_TURN) {
      turned = from;
      await turn();
    }
  }
  return rows;
}

/** Escapes a text for ClickHouse, which reads text parameters with \t, \n, \r, \0 and \\ as codes. */
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
 * Each answer of ClickHouse has the header `TAKEN` or `REFUSED`. An answer without both comes from another program,
 * such as a proxy. Such an answer counts as a failure even with status 200, because the statement may not have run.
 */
const TAKEN = 'x-clickhouse-query-id';
const REFUSED = 'x-clickhouse-exception-code';

/**
 * The maximum size of an answer in bytes, so that one query cannot fill the memory. A query may allow more (`longest`).
 */
const LONGEST = 64 * 1024 * 1024;

/** The maximum length of a text in JavaScript. A larger answer cannot be read. */
export const MOST_TEXT = 512 * 1024 * 1024 - 24;

/** The maximum size of an error message, and of a short answer, such as an id, a version or the figures of a server. */
export const SHORT_ANSWER = 64 * 1024;

async function assertTaken(response: Response): Promise<void> {
  const { ok, status, headers, body } = response;
  if (headers.has(REFUSED)) throw new Refused((await readText(response, SHORT_ANSWER)).slice(0, 2_000));
  if (ok && headers.has(TAKEN)) return;
  await body?.cancel();
  throw new Error(`what answers (HTTP ${status}) is no ClickHouse server`);
}

/**
 * Sends one HTTP request. The text of an error names the server, so that an operator can find the server. Only the text
 * of `Refused` is ClickHouse's own, without the server's name.
 */
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
