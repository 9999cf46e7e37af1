import type { Operations } from './operations.ts';

export type * from './operations.ts';

/** The name of an operation is its method and its path, as in the OpenAPI document. */
export type Operation = keyof Operations;

/** What an operation answers. */
export type Data<Name extends Operation> = Operations[Name]['data'];

/** What an operation takes: what stands in its path and its query, and its body. */
export type Asked<Name extends Operation> = Omit<Operations[Name], 'data'> & { signal?: AbortSignal };

type Arguments<Name extends Operation> =
  Record<never, never> extends Asked<Name> ? [asked?: Asked<Name>] : [asked: Asked<Name>];

/** Asks for one operation. An error of the server, or an answer that is not one of daybook's, rejects with a DaybookError. */
export type Ask = <Name extends Operation>(name: Name, ...asked: Arguments<Name>) => Promise<Data<Name>>;

export type Options = {
  /** Where daybook is, such as https://stats.example.com. */
  url: string;
  /** A token, such as the dashboard shows it once under Account. */
  token: string;
  /** In place of the fetch of the platform. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Told = { code?: string; message?: string; fields?: Record<string, string> };

export class DaybookError extends Error {
  readonly status: number;
  /** Such as not_found; empty where something else than daybook has answered. */
  readonly code: string;
  /** What is wrong with each field of the request. */
  readonly fields: Record<string, string>;
  /** In how many seconds to come back, where the answer says that. */
  readonly retryAfter: number | undefined;

  constructor({ status, headers }: Response, { code = '', message, fields = {} }: Told) {
    super(message ?? `The answer has the status ${status} and is not one of daybook's.`);
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

/** A list becomes a parameter that is repeated, and undefined none. */
function searchOf(query: Values = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, String(one));
  }
  return search.size > 0 ? `?${search}` : '';
}

/** What stands in an answer, which a proxy may have written. */
async function contentOf(response: Response): Promise<{ data?: unknown; error?: Told }> {
  try {
    return ((await response.json()) ?? {}) as { data?: unknown; error?: Told };
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** A function that asks the API of a daybook. */
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
