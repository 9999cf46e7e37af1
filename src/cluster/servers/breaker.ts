// A breaker tells a silent server from one that is only slow, and takes a silent one out of use.
//
// While a statement runs, its server is probed with SELECT 1 every 2 s. As long as probes are answered within 1 s, the statement
// goes on, however long it takes. An unanswered probe ends it if another server can take over. Without another server, three
// probes in a row must be unanswered. A busy machine may take longer than a second for one.
//
// Example: a server hangs. A query ends after 3 s and goes to the other replica. An insert that only this server can take
// ends after 7 s.
//
// Invariant: a server that is away gets nothing but a probe a second. Before the server is used again, it must answer a probe,
// and `returned` must succeed.
//
// Called by `buildNodes`.
import { Refused, type Send } from './send.ts';

const SILENT_MS = 2_000;
const PROBE_MS = 1_000;
/** Three unanswered probes in a row, which take 7 s, end a statement that no other server can do. */
const MOST_UNANSWERED = 3;

class Silent extends Error {}

export type Returning = {
  /** Called when a server answers again, before anything else is asked of it. The server stays away while this fails. */
  returned: (url: string) => Promise<void>;
  /** Called when a server stops answering, and when it answers again. */
  noted: (url: string, isAway: boolean) => void;
};

export type Breaking = ReturnType<typeof buildBreaker>;

/** Builds the breaker of all servers of a cluster. */
export function buildBreaker(send: Send, { returned, noted }: Partial<Returning> = {}) {
  const probe = buildProber(send);
  /** The servers that are away, each with the timer of its next probe. */
  const away = new Map<string, NodeJS.Timeout>();
  let isClosed = false;

  async function lookAgain(url: string): Promise<void> {
    if (await isBack(url)) return;
    if (!isClosed) away.set(url, setTimeout(() => void lookAgain(url), PROBE_MS).unref());
  }

  /** Whether a server that was away can be used again. */
  async function isBack(url: string): Promise<boolean> {
    if (!(await probe(url))) return false;
    try {
      if (away.has(url)) await returned?.(url);
    } catch {
      return false;
    }
    clearTimeout(away.get(url));
    if (away.delete(url)) noted?.(url, false);
    return true;
  }

  function leave(url: string): void {
    if (away.has(url) || isClosed) return;
    away.set(url, setTimeout(() => void lookAgain(url), PROBE_MS).unref());
    noted?.(url, true);
  }

  /** Runs a statement, and ends it when its server is silent or `signal` says so. */
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
      throw error instanceof Silent ? error : new Error(`${url} does not answer`, { cause: error });
    } finally {
      clearInterval(timer);
    }
  }

  return {
    guard,
    probe,
    isBack,
    isAway: ({ url }: { url: string }): boolean => away.has(url),
    close(): void {
      isClosed = true;
      for (const timer of away.values()) clearTimeout(timer);
    },
  };
}

/** Builds a function that asks a server whether it answers. A server gets one probe at a time. */
function buildProber(send: Send) {
  const probes = new Map<string, Promise<boolean>>();
  return function probe(url: string): Promise<boolean> {
    const running = probes.get(url);
    if (running) return running;
    const own = send(url, 'SELECT 1', { signal: AbortSignal.timeout(PROBE_MS) })
      .then(
        () => true,
        (error) => error instanceof Refused,
      )
      .finally(() => probes.delete(url));
    probes.set(url, own);
    return own;
  };
}
