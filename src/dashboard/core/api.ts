// The dashboard calls the API through this file: `get` and `send` make one request, and `useData` loads data for a component.
// Every failure is an `ApiError` with a sentence for people, except an aborted request. A change may need a recent password.
// In that case, the API answers `proof_required`, and the page asks for the password and sends the request again. After an answer with
// status 401, the browser opens the sign-in page. After signing in, the browser comes back.
//
// Example: `useData<Overview>('/sites/example.com/stats/overview', { range: '7d' })` gives the data, the error and `isStale`.
// The hook sends the request again at each refresh of the page (refresh.ts).

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TextCode } from '../../lang/coded.ts';
import { boot } from './boot.ts';
import { join } from './refresh.ts';
import { said } from './server-text.ts';
import { t } from './texts.ts';

const INVALID: TextCode = { code: 'invalid_request', values: {} };

type Answered = {
  code?: string;
  message?: string;
  message_code?: TextCode;
  fields?: Record<string, string>;
  field_codes?: Record<string, TextCode>;
};

/** The error of a failed request, with a message in the language of the page. Status 0 means that no answer arrived. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong with each field of the request. `fields` has sentences, and `fieldCodes` has codes with values. */
  readonly fields: Record<string, string>;
  readonly fieldCodes: Record<string, TextCode>;

  constructor(status: number, { code = '', message = '', message_code, fields = {}, field_codes = {} }: Answered) {
    const faults = Object.entries(fields).map(([name, english]) => [name, said(field_codes[name], english)] as const);
    // The API's own message uses the technical names of fields. Sentences about the fields replace this message.
    const own = faults.length === 0 ? said(message_code ?? { code, values: {} }, message) : said(INVALID, message);
    super([own, ...faults.map(([, sentence]) => sentence)].join(' '));
    this.status = status;
    this.code = code;
    this.fields = Object.fromEntries(faults);
    this.fieldCodes = field_codes;
  }

  /** True if a later try may succeed. The server may be starting or busy, or cannot be reached now. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500 || this.code === 'not_json';
  }
}

/** The parameters of a URL. A list becomes one parameter for each of its values. */
export type Query = Record<string, string | readonly string[]>;

export const get = <Data>(path: string, query?: Query, signal?: AbortSignal): Promise<Data> =>
  call<Data>('GET', urlOf(path, query), undefined, signal);

export const send = <Data = undefined>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Data> => call<Data>(method, urlOf(path), body);

const urlOf = (path: string, query: Query = {}): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const search = String(new URLSearchParams(pairs));
  return `/api/v1${path}${search && `?${search}`}`;
};

/**
 * True once the browser leaves the page. A request that is still under way may then get status 401, because the user
 * has just signed out. Such an answer must not redirect.
 */
let isLeaving = false;
addEventListener('beforeunload', () => {
  isLeaving = true;
});

/**
 * Opens the dialog that asks for the password, and returns whether the password was right. The dialog component
 * (parts/proof.tsx) sets this function.
 */
let askForProof = async (): Promise<boolean> => false;
export const setProof = (ask: () => Promise<boolean>): void => {
  askForProof = ask;
};

/** Sends a request. If the API wants a recent password, the page asks for it and sends the request again. */
async function call<Data>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<Data> {
  try {
    return await callOnce(method, url, body, signal);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'proof_required' && (await askForProof()))) throw error;
    return await callOnce(method, url, body, signal);
  }
}

const UNREACHABLE = 'Cannot reach the server. Check that it is running and that you are online.';

/**
 * Makes the error for an answer that is not JSON. A proxy may have sent it, for example as an HTML page. The text of
 * this page is not shown to people.
 */
const notJson = (status: number): ApiError =>
  new ApiError(status, {
    code: 'not_json',
    message: t('The server did not answer correctly (status {status}). It may be restarting.', { status }),
  });

/** Throws an AbortError if the request was aborted, and an ApiError if anything else fails. */
async function callOnce<Data>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<Data> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (boot.share) headers.Authorization = `Share ${boot.share.slug}`;
  const request = { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null };
  const lost = (error: Error): never => {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, { code: 'offline', message: t(UNREACHABLE) });
  };
  const response = await fetch(url, request).catch(lost);
  const text = await response.text().catch(lost);
  // The session has ended. The browser opens the sign-in page, which leads back to this page.
  if (response.status === 401 && !boot.share && !isLeaving) {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  const answer = answerIn(text);
  if (!answer) throw notJson(response.status);
  if (!response.ok) throw new ApiError(response.status, answer.error ?? {});
  return answer.data as Data;
}

function answerIn(text: string): { data?: unknown; error?: Answered } | undefined {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return undefined;
  }
}

/** Confirms who the user is, by the password or by a code of two-factor authentication. */
export const prove = (body: { password: string } | { code: string }): Promise<unknown> =>
  callOnce('POST', '/prove', body);

export type Loaded<Data> = {
  data: Data | undefined;
  error: ApiError | undefined;
  /** True while a new URL is being requested. Until the new answer is there, `data` belongs to the previous URL. */
  isStale: boolean;
  reload(): void;
};

/**
 * Loads the answer to a GET request, and loads it again when path or query change. Without a path nothing is requested.
 *
 * Without `pollSeconds`, the data is refreshed together with the rest of the page. Otherwise it is refreshed on its own, every
 * `pollSeconds` seconds. With 0 it is never refreshed.
 *
 * Old data is shown until the new answer is there, so the page does not jump. If a refresh fails but may succeed later, the old
 * data stays. If the request for a new URL fails, only its error is shown (test/browser/failed-parts.test.ts).
 */
export function useData<Data>(path: string | undefined, query: Query = {}, pollSeconds?: number): Loaded<Data> {
  const url = path === undefined ? undefined : urlOf(path, query);
  const [state, set] = useState<{ url?: string; data?: Data; error?: ApiError }>({});
  const [turn, setTurn] = useState(0);
  const shown = useRef<{ url: string; at: number }>(undefined);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  useEffect(() => {
    if (url === undefined) return undefined;
    const abort = new AbortController();
    const isGone = () => abort.signal.aborted;
    async function ask(address: string): Promise<() => void> {
      const at = Date.now();
      try {
        const data = await call<Data>('GET', address, undefined, abort.signal);
        return () => {
          if (isGone()) return;
          shown.current = { url: address, at };
          joined.worked();
          set({ url: address, data });
        };
      } catch (failure) {
        const error = failure as ApiError;
        if (isGone()) return () => {};
        if (error.isPassing && shown.current?.url === address) {
          joined.failed(shown.current.at);
          throw error;
        }
        return () => {
          if (isGone()) return;
          if (error.isPassing) joined.failed(undefined);
          else joined.worked();
          // The old data answers another URL. Below this URL's error it would look like the right answer, so it is removed.
          set((last) => ({ url: address, error, ...(last.url === address && last.data ? { data: last.data } : {}) }));
        };
      }
    }
    const joined = join(() => ask(url), pollSeconds === undefined);
    const askAlone = () => {
      ask(url).then(
        (show) => show(),
        () => {},
      );
    };
    askAlone();
    const timer = pollSeconds ? setInterval(() => document.hidden || askAlone(), pollSeconds * 1000) : undefined;
    return () => {
      clearInterval(timer);
      joined.leave();
      abort.abort();
    };
  }, [url, turn, pollSeconds]);
  return { data: state.data, error: state.error, isStale: state.url !== url, reload };
}
