// The dashboard calls the API through this file. `get` and `send` make one request, and `useData` loads data for a
// component. Each failure is an `ApiError` with a sentence for people, except an aborted request.
//
// For some changes, the user must have typed the password in the last 10 minutes. If not, the API answers
// `reauthentication_required`. Then the page asks for the password, and sends the request again. If the session has
// ended (status 401), the browser opens the sign-in page, which leads back afterwards.
//
// Example: `useData<Overview>('/sites/example.com/stats/overview', { range: '7d' })` returns the data, the error and
// `isStale`. `useData` sends the request again when the page refreshes its data (refresh.ts).

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TextCode } from '../../lang/coded.ts';
import { findAnswer, forgetAnswers, isFromPage, keepAnswer } from './answers.ts';
import { boot } from './boot.ts';
import { useNow } from './clock.ts';
import { join } from './refresh.ts';
import { said } from './server-text.ts';
import { loadAllTexts, t } from './texts.ts';

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
    // If fields are wrong, the API's own message has their technical names. So a general sentence replaces this
    // message, and the sentences about the fields come after the general sentence.
    const own = faults.length === 0 ? said(message_code ?? { code, values: {} }, message) : said(INVALID, message);
    super([own, ...faults.map(([, sentence]) => sentence)].join(' '));
    this.status = status;
    this.code = code;
    this.fields = Object.fromEntries(faults);
    this.fieldCodes = field_codes;
  }

  /**
   * True if no answer of the API arrived. Then all requests of the page fail in this way. So the page says this in one
   * place, and not in each panel.
   */
  get isUnreachable(): boolean {
    return this.status === 0 || this.code === 'not_json';
  }

  /** True if a later try may succeed. The server may be starting, busy, or unreachable for a moment. */
  get isPassing(): boolean {
    return this.isUnreachable || this.status === 429 || this.status >= 500;
  }
}

/** The parameters of a URL. A list becomes one parameter for each of its values. */
export type Query = Record<string, string | readonly string[]>;

export const get = <Data>(path: string, query?: Query): Promise<Data> => call<Data>('GET', urlOf(path, query));

/** Sends a query that is too long for a URL, as the body of a POST. The request changes no data. */
export const ask = <Data>(path: string, body: object, signal?: AbortSignal): Promise<Data> =>
  call<Data>('POST', urlOf(path), body, signal);

/** Sends a change. A change may make any answer in memory wrong, so all answers are forgotten. */
export const send = <Data = undefined>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Data> => call<Data>(method, urlOf(path), body).finally(forgetAnswers);

/** Sends a part of a file that the user imports (settings/upload.ts). */
export const sendBytes = <Data>(path: string, query: Query, bytes: Blob): Promise<Data> =>
  call<Data>('POST', urlOf(path, query), bytes);

export const urlOf = (path: string, query: Query = {}): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const search = String(new URLSearchParams(pairs));
  return `/api/v1${path}${search && `?${search}`}`;
};

/**
 * True once the browser leaves the page, for example because the user signs out. An open request may then get status
 * 401. The sign-in page must not open then, because the browser is on its way to another page.
 */
let isLeaving = false;
addEventListener('beforeunload', () => {
  isLeaving = true;
});

/**
 * Opens the dialog that asks for the password, and returns whether the password was right. The dialog component
 * (ui/confirm-identity.tsx) sets this function.
 */
let askForPassword = async (): Promise<boolean> => false;
export const onReauthentication = (ask: () => Promise<boolean>): void => {
  askForPassword = ask;
};

/**
 * Sends a request. If the API requires the password again, the page asks for the password, and sends the request once
 * more.
 */
async function call<Data>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<Data> {
  try {
    return await callOnce(method, url, body, signal);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'reauthentication_required' && (await askForPassword())))
      throw error;
    return await callOnce(method, url, body, signal);
  }
}

/**
 * Returns the headers of a request. `type` is the media type of the answer that is wanted. On a shared page, the share
 * link gives the right to read the site.
 */
export const headersFor = (type: string): Record<string, string> => ({
  Accept: type,
  ...(boot.share && { Authorization: `Share ${boot.share.slug}` }),
});

const UNREACHABLE = 'Cannot reach the server. Check that it is running and that you are online.';

/**
 * Makes the error for an answer that is not JSON, such as a proxy's HTML page. The page does not show the content of
 * this answer.
 */
export const notJson = (status: number): ApiError =>
  new ApiError(status, {
    code: 'not_json',
    message: t('The server did not answer correctly (status {status}). It may be restarting.', { status }),
  });

async function callOnce<Data>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<Data> {
  return readAnswer<Data>(await fetchAnswer(method, url, body, signal));
}

/** Sends a request. Throws an AbortError if the request was aborted, and an ApiError if no answer arrives. */
export function fetchAnswer(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = headersFor('application/json');
  const isBytes = body instanceof Blob;
  if (body !== undefined) headers['Content-Type'] = isBytes ? 'application/octet-stream' : 'application/json';
  const sent = body === undefined ? null : isBytes ? body : JSON.stringify(body);
  return fetch(url, { method, headers, body: sent, signal: signal ?? null }).catch(throwLost);
}

/** Returns the data of an answer. Throws an ApiError if the request failed. */
export async function readAnswer<Data>(response: Response): Promise<Data> {
  const text = await response.text().catch(throwLost);
  // The session has ended. After signing in, the user returns to this page.
  if (response.status === 401 && !boot.share && !isLeaving) {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  const answer = answerIn(text);
  if (!answer) throw notJson(response.status);
  if (!response.ok) {
    await loadAllTexts();
    throw new ApiError(response.status, answer.error ?? {});
  }
  return answer.data as Data;
}

function throwLost(error: Error): never {
  if (error.name === 'AbortError') throw error;
  throw new ApiError(0, { code: 'offline', message: t(UNREACHABLE) });
}

function answerIn(text: string): { data?: unknown; error?: Answered } | undefined {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return undefined;
  }
}

/**
 * Sends the password or a code of two-factor authentication. For the next 10 minutes, the user may then make sensitive
 * changes.
 */
export const reauthenticate = (body: { password: string } | { code: string }): Promise<unknown> =>
  callOnce('POST', '/prove', body);

/** Requests the data of a key. A key is a URL for GET, or a URL, a space and a body for POST. */
function load<Data>(key: string, signal: AbortSignal): Promise<Data> {
  const at = key.indexOf(' ');
  return at < 0
    ? call<Data>('GET', key, undefined, signal)
    : call<Data>('POST', key.slice(0, at), JSON.parse(key.slice(at)), signal);
}

export type Loaded<Data> = {
  data: Data | undefined;
  error: ApiError | undefined;
  /** True if `data` still answers an earlier path or earlier parameters, because the new answer has not arrived yet. */
  isStale: boolean;
  reload(): void;
};

/**
 * A function that keeps the data of a URL current, for example with a stream (stream.ts). It calls `show` with new
 * data. If the stream fails, it calls `ask` at once and then every `seconds` seconds. `ask` requests the data. The
 * returned function ends the stream and the requests.
 */
export type Follow = (url: string, seconds: number, to: { show(data: unknown): void; ask(): void }) => () => void;

/**
 * Requests data from the API, and requests it again when the path or the parameters (`query`) change. Without a path,
 * nothing is requested. With a `body`, the request is a POST.
 *
 * Without `pollSeconds`, the data is refreshed together with the rest of the page. With `pollSeconds`, the data has its
 * own timer and is refreshed every `pollSeconds` seconds, or never with 0. With `follow`, that function delivers the
 * data, for example from a stream.
 *
 * An answer in memory is shown at once, and then refreshed (answers.ts). Otherwise the earlier data stays until the new
 * answer arrives, so that the page does not jump. If a refresh fails but may succeed later, the old data stays. If the
 * request for a new path or new parameters fails, only the error is shown (test/browser/failed-parts.test.ts).
 */
export function useData<Data>(
  path: string | undefined,
  query: Query = {},
  pollSeconds?: number,
  follow?: Follow,
  body?: object,
): Loaded<Data> {
  // The URL and the body together are the key of an answer. No URL has a space, so a space separates them.
  const url = path === undefined ? undefined : urlOf(path, query) + (body ? ` ${JSON.stringify(body)}` : '');
  const [state, set] = useState<{ url?: string; data?: Data; error?: ApiError }>({});
  const [turn, setTurn] = useState(0);
  const now = useNow();
  const shown = useRef<{ url: string; at: number }>(undefined);
  const reload = useCallback(() => setTurn((count) => count + 1), []);
  useEffect(() => {
    if (url === undefined) return undefined;
    const abort = new AbortController();
    const isGone = () => abort.signal.aborted;
    function show(address: string, data: Data, at: number): void {
      if (isGone()) return;
      shown.current = { url: address, at };
      keepAnswer(address, { data, at });
      joined.worked();
      set({ url: address, data });
    }
    async function ask(address: string): Promise<() => void> {
      const at = now();
      try {
        const data = await load<Data>(address, abort.signal);
        return () => show(address, data, at);
      } catch (failure) {
        const error = failure as ApiError;
        if (isGone()) return () => {};
        if (error.isPassing && shown.current?.url === address) {
          joined.failed({ shownAt: shown.current.at });
          throw error;
        }
        return () => {
          if (isGone()) return;
          if (error.isPassing) joined.failed(error.isUnreachable ? { message: error.message } : {});
          else joined.worked();
          // If the old data answers another URL, it is removed. Otherwise people would take it for the right answer.
          set((last) => ({ url: address, error, ...(last.url === address && last.data ? { data: last.data } : {}) }));
        };
      }
    }
    const joined = join(() => ask(url), pollSeconds === undefined, now);
    const askAlone = () => {
      ask(url).then(
        (show) => show(),
        () => {},
      );
    };
    // If the component already shows data of this URL, somebody called `reload`, for example after a change. Then the
    // component needs a new answer, and not the one in memory.
    const kept = shown.current?.url === url ? undefined : findAnswer(url);
    if (kept) {
      shown.current = { url, at: kept.at };
      set({ url, data: kept.data as Data });
    }
    let stop: (() => void) | undefined;
    if (follow) stop = follow(url, pollSeconds ?? 0, { show: (data) => show(url, data as Data, now()), ask: askAlone });
    else {
      if (!kept) askAlone();
      else if (!isFromPage(kept, now())) joined.refreshSoon();
      stop = pollSeconds ? repeat(askAlone, pollSeconds) : undefined;
    }
    return () => {
      stop?.();
      joined.leave();
      abort.abort();
    };
  }, [url, turn, pollSeconds, follow, now]);
  const kept = url === undefined || state.url === url ? undefined : findAnswer(url);
  if (kept) return { data: kept.data as Data, error: undefined, isStale: false, reload };
  return { data: state.data, error: state.error, isStale: state.url !== url, reload };
}

/** Calls `ask` every `seconds` seconds while the page is visible. Returns the function that ends these calls. */
export function repeat(ask: () => void, seconds: number): () => void {
  const timer = setInterval(() => document.hidden || ask(), seconds * 1000);
  return () => clearInterval(timer);
}
