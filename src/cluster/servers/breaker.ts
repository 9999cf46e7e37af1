// A breaker finds out whether a server that does not answer is only slow, or hangs. While a statement runs, daybook
// sends the probe SELECT 1 to its server every 2 s. A statement may run long if each probe is answered within 1 s.
//
// If one probe is not answered and another server can do the work, the statement is aborted. If no other server can,
// the statement is aborted after three probes in a row without an answer. A busy server may need more than a second now
// and then.
//
// Example: a server hangs. A query is aborted after 3 s and sent to the other replica. An insert, which only this
// server can do, is aborted after 7 s.
//
// Invariant: a server that does not respond (it is `away`) gets only probes, and only one at a time. The server is used
// again after it has answered a probe, and the function `returned` has found that it still has its rows. `buildNodes`
// calls buildBreaker.
import { Refusal } from '../../lib/errors.ts';
import { Refused, type Send, SHORT_ANSWER } from './send.ts';

const SILENT_MS = 2_000;
const PROBE_MS = 1_000;
/**
 * A statement is aborted after 3 probes without an answer, not after one: a busy server may once be slow. If another
 * server can do the work, one probe without an answer is enough.
 */
const MOST_UNANSWERED = 3;

class Silent extends Error {}

export type Returning = {
  /**
   * Runs when a server responds again. Checks that the server still has its rows, because its disk may have been
   * replaced. If this fails, the server stays out of use.
   */
  returned: (url: string) => Promise<void>;
  /** Called when a server stops responding (`isAway` is true), and when it responds again. Both events are logged. */
  noted: (url: string, isAway: boolean) => void;
};

export type Breaking = ReturnType<typeof buildBreaker>;

export function buildBreaker(send: Send, { returned, noted }: Partial<Returning> = {}) {
  const probe = buildProber(send);
  /** The URLs of servers that do not respond, each with the timer of its next probe (the query SELECT 1). */
  const away = new Map<string, NodeJS.Timeout>();
  let isClosed = false;

  async function lookAgain(url: string): Promise<void> {
    if (await isBack(url)) return;
    if (!isClosed) away.set(url, setTimeout(() => void lookAgain(url), PROBE_MS).unref());
  }

  /**
   * Sends a probe (the query SELECT 1) to a server. If the server responds and the check `returned` succeeds, the
   * server is used again, and the result is true.
   */
  const isBack = shareByUrl(async (url) => {
    if (!(await probe(url))) return false;
    try {
      if (away.has(url)) await returned?.(url);
    } catch {
      return false;
    }
    clearTimeout(away.get(url));
    if (away.delete(url)) noted?.(url, false);
    return true;
  });

  /** Notes that a server does not respond. Until `returned` has succeeded, the server gets only probes. */
  function leave(url: string): void {
    if (away.has(url) || isClosed) return;
    away.set(url, setTimeout(() => void lookAgain(url), PROBE_MS).unref());
    noted?.(url, true);
  }

  /**
   * Runs a statement, `work`, on a server. Meanwhile a probe (SELECT 1) is sent to this server every 2 s. If `most`
   * probes in a row get no answer, the statement is aborted. If the statement fails, the server counts as away, unless
   * ClickHouse refused the statement or the caller aborted it.
   */
  async function guard<Result>(
    url: string,
    work: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
    most = MOST_UNANSWERED,
  ): Promise<Result> {
    const silence = new AbortController();
    let unanswered = 0;
    const timer = setInterval(async () => {
      unanswered = (await probe(url)) ? 0 : unanswered + 1;
      if (unanswered >= most) silence.abort(new Silent(`${url} is silent`));
    }, SILENT_MS).unref();
    try {
      return await work(AbortSignal.any([silence.signal, signal]));
    } catch (error) {
      if (error instanceof Refused || signal.aborted) throw error;
      leave(url);
      throw error instanceof Silent || error instanceof Refusal
        ? error
        : new Error(`${url} does not answer`, { cause: error });
    } finally {
      clearInterval(timer);
    }
  }

  return {
    guard,
    probe,
    isBack,
    leave,
    isAway: ({ url }: { url: string }): boolean => away.has(url),
    close(): void {
      isClosed = true;
      for (const timer of away.values()) clearTimeout(timer);
    },
  };
}

/** Builds a function that checks with SELECT 1 whether a server responds within 1 s. */
const buildProber = (send: Send) =>
  shareByUrl((url) =>
    send(url, 'SELECT 1', { signal: AbortSignal.timeout(PROBE_MS), longest: SHORT_ANSWER }).then(
      () => true,
      (error) => error instanceof Refused,
    ),
  );

/**
 * Builds a function that runs only one check of a server at a time. All callers that ask meanwhile get the result of
 * that check.
 */
function shareByUrl(check: (url: string) => Promise<boolean>) {
  const running = new Map<string, Promise<boolean>>();
  return function share(url: string): Promise<boolean> {
    const own = running.get(url) ?? check(url).finally(() => running.delete(url));
    running.set(url, own);
    return own;
  };
}
