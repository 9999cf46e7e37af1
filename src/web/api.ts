import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TextCode } from '../lang/coded.ts';
import { boot } from './boot.ts';
import { join } from './refresh.ts';
import { said } from './said.ts';
import { t } from './texts.ts';

const INVALID: TextCode = { code: 'invalid_request', values: {} };

type Answered = {
  code?: string;
  message?: string;
  message_code?: TextCode;
  fields?: Record<string, string>;
  field_codes?: Record<string, TextCode>;
};

/** An error as the API answers it, in the language of the page; status 0 means that no answer came. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong by the name of the field that it is about, as a sentence and as data. */
  readonly fields: Record<string, string>;
  readonly fieldCodes: Record<string, TextCode>;

  constructor(status: number, { code = '', message = '', message_code, fields = {}, field_codes = {} }: Answered) {
    const faults = Object.entries(fields).map(([name, english]) => [name, said(field_codes[name], english)] as const);
    // The names of fields are those of the API, and nothing for people.
    const own = faults.length === 0 ? said(message_code ?? { code, values: {} }, message) : said(INVALID, message);
    super([own, ...faults.map(([, sentence]) => sentence)].join(' '));
    this.status = status;
    this.code = code;
    this.fields = Object.fromEntries(faults);
    this.fieldCodes = field_codes;
  }

  /** The same request may well be answered later: the server is not there, starting again or busy. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500 || this.code === 'not_json';
  }
}

/** Parameters by their names; of a list each value is one. */
export type Query = Record<string, string | readonly string[]>;

const urlOf = (path: string, query: Query = {}): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  const search = String(new URLSearchParams(pairs));
  return `/api/v1${path}${search && `?${search}`}`;
};

/** Signing out ends the session while requests are under way; a 401 for one of those must not redirect. */
let isLeaving = false;
addEventListener('beforeunload', () => {
  isLeaving = true;
});

/** What asks somebody who they are, and says whether they have shown it; the dialog of the page, once it is there. */
let askForProof = async (): Promise<boolean> => false;
export const setProof = (ask: () => Promise<boolean>): void => {
  askForProof = ask;
};

/** Goes on with what was asked once somebody has shown who they are. */
async function call<Data>(method: string, url: string, body?: unknown, signal?: AbortSignal): Promise<Data> {
  try {
    return await callOnce(method, url, body, signal);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'proof_required' && (await askForProof()))) throw error;
    return await callOnce(method, url, body, signal);
  }
}

const UNREACHABLE = 'The server cannot be reached. Is it running, and are you online?';

/** What a proxy or a portal says in place of the server is no JSON, and nothing for people. */
const notJson = (status: number): ApiError =>
  new ApiError(status, {
    code: 'not_json',
    message: t('Something else answered in place of the server ({status}). It may be starting again.', { status }),
  });

/** Whatever goes wrong is an ApiError, but for an AbortError. */
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
  // The session was ended elsewhere; signing in leads back to this page.
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

export const get = <Data>(path: string, query?: Query, signal?: AbortSignal): Promise<Data> =>
  call<Data>('GET', urlOf(path, query), undefined, signal);

export const send = <Data = undefined>(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Data> => call<Data>(method, urlOf(path), body);

/** Shows who somebody is, by their password or a code. */
export const prove = (body: { password: string } | { code: string }): Promise<unknown> =>
  callOnce('POST', '/prove', body);

export type Loaded<Data> = {
  data: Data | undefined;
  error: ApiError | undefined;
  /** The data is the answer to the previous request, because the new one is still under way. */
  isStale: boolean;
  reload(): void;
};

/**
 * The answer to a GET request, which is sent again when path or query change. Without `pollSeconds` it is refreshed with
 * everything else on the page; with them by itself, and with 0 never. Until the new answer is there the previous one stays, so
 * that the page does not jump, and it stays as well where the same question is not answered again. Where another is not answered
 * there is only its error: test/browser/failed-parts.test.ts. Without a path nothing is requested.
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
          // The answer to another question would be taken for one to this.
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
