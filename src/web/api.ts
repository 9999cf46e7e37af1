import { useCallback, useEffect, useState } from 'preact/hooks';
import { boot } from './boot.ts';

/** What the API says when it cannot do what was asked, in its own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;

  constructor(status: number, { code = '', message = '', fields = {} }: Partial<ApiError>) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

type Query = Record<string, string>;

const urlOf = (path: string, query: Query = {}): string => {
  const search = String(new URLSearchParams(query));
  return `/api/v1${path}${search && `?${search}`}`;
};

/** Whoever signs out ends the session under the feet of what is still asked for, which must not lead them elsewhere. */
let isLeaving = false;
addEventListener('beforeunload', () => {
  isLeaving = true;
});

async function call<Data>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<Data> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (boot.share) headers.Authorization = `Share ${boot.share.slug}`;
  const sent = { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null };
  const response = await fetch(url, sent).catch((error: Error) => {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, {
      code: 'offline',
      message: 'The server cannot be reached. Is it running, and are you online?',
    });
  });
  const text = await response.text();
  const answer = text ? JSON.parse(text) : {};
  // The session ended somewhere else; whoever signs in comes back to where they were.
  if (response.status === 401 && !boot.share && !isLeaving) {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  if (!response.ok) throw new ApiError(response.status, answer.error ?? {});
  return answer.data as Data;
}

export const get = <Data>(path: string, query?: Query, signal?: AbortSignal): Promise<Data> =>
  call<Data>('GET', urlOf(path, query), undefined, signal);

export const send = <Data = undefined>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Data> => call<Data>(method, urlOf(path), body);

export type Loaded<Data> = {
  data: Data | undefined;
  error: ApiError | undefined;
  /** What is shown is the answer to the question before, until the new one is there. */
  isStale: boolean;
  reload(): void;
};

/**
 * The answer to a question, asked again when the question changes and, if so wished, every so many seconds while somebody
 * looks. Meanwhile the answer before stays, so that nothing jumps. No path asks nothing.
 */
export function useData<Data>(path: string | undefined, query: Query = {}, every = 0): Loaded<Data> {
  const url = path === undefined ? undefined : urlOf(path, query);
  const [state, set] = useState<{ url?: string; data?: Data; error?: ApiError }>({});
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  useEffect(() => {
    if (url === undefined) return undefined;
    const abort = new AbortController();
    call<Data>('GET', url, undefined, abort.signal).then(
      (data) => set({ url, data }),
      (error: ApiError) => {
        if (error.name !== 'AbortError') set(({ data }) => ({ url, error, ...(data ? { data } : {}) }));
      },
    );
    return () => abort.abort();
  }, [url, turn]);
  useEffect(() => {
    if (every === 0) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, every * 1000);
    return () => clearInterval(timer);
  }, [every, reload]);
  return { data: state.data, error: state.error, isStale: state.url !== url, reload };
}
