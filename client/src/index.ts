import { readEvents } from './event-reader.ts';
import type { Operations } from './operations.ts';
import { type AskQuery, makeQuery } from './query.ts';

export type * from './operations.ts';
export type { AskQuery, KeyValue, MetricValues, Question, Table, TableRow } from './query.ts';

/** The name of an operation is its method and its path, as in the OpenAPI document. */
export type Operation = keyof Operations;

/** The data in the response to an operation. */
export type Data<Name extends Operation> = Operations[Name]['data'];

/** The input of an operation: the parameters of its path and query, and its body. */
export type Asked<Name extends Operation> = Omit<Operations[Name], 'data'> & { signal?: AbortSignal };

type Arguments<Name extends Operation> =
  Record<never, never> extends Asked<Name> ? [asked?: Asked<Name>] : [asked: Asked<Name>];

/** Calls an operation. Rejects with a DaybookError after an error, or after a response that does not come from daybook. */
export type Ask = <Name extends Operation>(name: Name, ...asked: Arguments<Name>) => Promise<Data<Name>>;

type Live = 'GET /sites/{site}/stats/live';

export type LiveOptions = {
  /** Filters, as for the report `live`. */
  query?: Operations[Live]['query'];
  /** Ends the stream. Reading it then throws the reason of the signal. */
  signal?: AbortSignal;
};

export type Daybook = Ask & {
  /** Asks for figures. The types of the rows follow from the question. */
  query: AskQuery;
  /**
   * Gives the report `live` of a site now, and again each time that it changes. If the connection is lost later, the
   * client opens it again. Throws a DaybookError if you may not read the report.
   */
  live(site: string | number, options?: LiveOptions): AsyncGenerator<Data<Live>, void>;
};

export type Options = {
  /** The URL of the daybook server, such as https://stats.example.com. */
  url: string;
  /** A token. You create tokens in the dashboard under Account. */
  token: string;
  /** Used instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Told = { code?: string; message?: string; fields?: Record<string, string> };

export class DaybookError extends Error {
  readonly status: number;
  /** The code of the API, such as not_found. Empty if the response does not come from daybook. */
  readonly code: string;
  /** What is wrong with each field of the request. */
  readonly fields: Record<string, string>;
  /** How many seconds to wait before the next try. Undefined if the response does not contain this number. */
  readonly retryAfter: number | undefined;

  constructor({ status, headers }: Response, { code = '', message, fields = {} }: Told) {
    super(message ?? `The response has status ${status} and does not come from daybook.`);
    this.name = 'DaybookError';
    this.status = status;
    this.code = code;
    this.fields = fields;
    const seconds = Number.parseInt(headers.get('Retry-After') ?? '', 10);
    this.retryAfter = Number.isNaN(seconds) ? undefined : seconds;
  }
}

type Values = Record<string, unknown>;
type Parts = { path?: Values; query?: Values; body?: unknown; signal?: AbortSignal };

const pathOf = (path: string, values: Values = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));

/** A list becomes a repeated parameter. A parameter with the value undefined is left out. */
function searchOf(query: Values = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, String(one));
  }
  return search.size > 0 ? `?${search}` : '';
}

/** Reads the content of a response. Empty if the response is not JSON, for example because a proxy wrote it. */
async function contentOf(response: Response): Promise<{ data?: unknown; error?: Told }> {
  try {
    return ((await response.json()) ?? {}) as { data?: unknown; error?: Told };
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const isFile = ({ headers }: Response): boolean =>
  headers.get('Content-Disposition')?.startsWith('attachment') ?? false;

const LIVE: Live = 'GET /sites/{site}/stats/live';
const RETRY_SECONDS = 3;

/** Waits, or throws the reason of the signal. */
const pause = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, seconds * 1_000);
    signal?.addEventListener('abort', end, { once: true });
  });

/** True if a later try would fail in the same way, for example because the token was revoked. */
const isFinal = (error: unknown): boolean =>
  error instanceof DaybookError && error.status >= 400 && error.status < 500 && error.status !== 429;

/** Makes a function that calls the API of a daybook server. */
export function client({ url, token, fetch = globalThis.fetch }: Options): Daybook {
  const base = `${url.replace(/\/+$/, '')}/api/v1`;

  function send(name: Operation, { path, query, body, signal }: Parts, accept: string): Promise<Response> {
    const [method = '', pattern = ''] = name.split(' ');
    const headers: Record<string, string> = { Accept: accept, Authorization: `Bearer ${token}` };
    const isBytes = body instanceof Uint8Array;
    if (body !== undefined) headers['Content-Type'] = isBytes ? 'application/octet-stream' : 'application/json';
    return fetch(base + pathOf(pattern, path) + searchOf(query), {
      method,
      headers,
      ...(body === undefined ? {} : { body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  }

  async function* live(site: string | number, { query, signal }: LiveOptions = {}): AsyncGenerator<Data<Live>, void> {
    const parts: Parts = { path: { site }, ...(query && { query }), ...(signal && { signal }) };
    let hasBegun = false;
    for (;;) {
      let seconds = RETRY_SECONDS;
      try {
        const response = await send(LIVE, parts, 'text/event-stream');
        const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
        if (!isStream || !response.body) throw new DaybookError(response, (await contentOf(response)).error ?? {});
        for await (const text of readEvents(response.body)) {
          hasBegun = true;
          yield (JSON.parse(text) as { data: Data<Live> }).data;
        }
      } catch (error) {
        if (!hasBegun || signal?.aborted || isFinal(error)) throw error;
        if (error instanceof DaybookError) seconds = error.retryAfter ?? seconds;
      }
      await pause(seconds, signal);
    }
  }

  async function ask<Name extends Operation>(name: Name, ...[asked]: Arguments<Name>): Promise<Data<Name>> {
    const response = await send(name, (asked ?? {}) as Parts, 'application/json');
    if (response.status === 204) return undefined as Data<Name>;
    if (response.ok && isFile(response)) return response.body as Data<Name>;
    const { data, error } = await contentOf(response);
    if (!response.ok || data === undefined) throw new DaybookError(response, error ?? {});
    return data as Data<Name>;
  }

  return Object.assign(ask, { live, query: makeQuery(ask) });
}
