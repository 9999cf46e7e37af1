import type { Operations } from './operations.ts';

export type * from './operations.ts';

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

/** Makes a function that calls the API of a daybook server. */
export function client({ url, token, fetch = globalThis.fetch }: Options): Ask {
  const base = `${url.replace(/\/+$/, '')}/api/v1`;

  return async <Name extends Operation>(name: Name, ...[asked]: Arguments<Name>) => {
    const { path, query, body, signal } = (asked ?? {}) as Parts;
    const [method = '', pattern = ''] = name.split(' ');
    const headers: Record<string, string> = { Accept: 'application/json', Authorization: `Bearer ${token}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const response = await fetch(base + pathOf(pattern, path) + searchOf(query), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    if (response.status === 204) return undefined as Data<Name>;
    const { data, error } = await contentOf(response);
    if (!response.ok || data === undefined) throw new DaybookError(response, error ?? {});
    return data as Data<Name>;
  };
}
