/*
 * Tells a server that is silent from one that works. While a statement is under way and nothing has come for 2 s, the server is asked
 * SELECT 1, and again every 2 s: where that is answered the statement goes on, however long it takes. Where it is not answered within a
 * second, the statement ends with an error, if another server can do it. So a server that hangs, or a machine that is gone, costs a
 * question 3 s. Where no other can, three in a row must be unanswered: a machine that is busy may take longer than a second.
 *
 * From then on the server is away: others are asked, and it is only probed, once a second, until it answers. Before it is put into
 * service again `returned` may look at what it has.
 */
import { Refused, type Send } from './send.ts';

const SILENT_MS = 2_000;
const PROBE_MS = 1_000;
/** So many unanswered probes in a row end a statement that no other server can do, after 7 s. */
const MOST_UNANSWERED = 3;

class Silent extends Error {}

export type Returning = {
  /** Called when a server answers again, before it is asked anything else. While this fails, the server stays away. */
  returned: (url: string) => Promise<void>;
  /** Called when a server does not answer, and when it does again. */
  noted: (url: string, isAway: boolean) => void;
};

export type Breaking = ReturnType<typeof breaker>;

/** Asks servers whether they answer. One probe at a time goes to each. */
function prober(send: Send) {
  const probes = new Map<string, Promise<boolean>>();
  return function probe(url: string): Promise<boolean> {
    const running = probes.get(url);
    if (running) return running;
    const own = send(url, 'SELECT 1', { gone: AbortSignal.timeout(PROBE_MS) })
      .then(
        () => true,
        (error) => error instanceof Refused,
      )
      .finally(() => probes.delete(url));
    probes.set(url, own);
    return own;
  };
}

export function breaker(send: Send, { returned, noted }: Partial<Returning> = {}) {
  const probe = prober(send);
  /** The servers that are away, and what looks whether they are back. */
  const away = new Map<string, NodeJS.Timeout>();
  let isClosed = false;

  async function lookAgain(url: string): Promise<void> {
    if (await isBack(url)) return;
    if (!isClosed) away.set(url, setTimeout(() => void lookAgain(url), PROBE_MS).unref());
  }

  /** Whether a server that was away is in service again. */
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

  /** Does something that asks a server, and ends it when the server is silent, or when `gone` says so. */
  async function guard<Result>(
    url: string,
    work: (gone: AbortSignal) => Promise<Result>,
    gone: AbortSignal,
    most = MOST_UNANSWERED,
  ): Promise<Result> {
    const silence = new AbortController();
    let unanswered = 0;
    const timer = setInterval(async () => {
      unanswered = (await probe(url)) ? 0 : unanswered + 1;
      if (unanswered >= most) silence.abort(new Silent(`${url} is silent`));
    }, SILENT_MS).unref();
    try {
      return await work(AbortSignal.any([silence.signal, gone]));
    } catch (error) {
      if (error instanceof Refused || gone.aborted) throw error;
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
