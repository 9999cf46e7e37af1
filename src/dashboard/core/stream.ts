// Follows a report by an event stream, so that a hit appears at once and without requests.
//
// If the stream fails, the report is requested regularly until the stream works again. A stream may fail because the
// server has too many streams, or because a proxy holds back its bytes. The server ends a stream from time to time.
// Then the stream is opened again, and no request is needed.
//
// Invariant: a hidden page has no open stream, because browsers open only six connections to a server with HTTP/1.1.
//
// Example: `useData<Live>(path, filters, 5, followStream)` requests nothing while its stream works. If the stream
// fails, the report is requested at once and then every 5 s.

import { readEvents } from '../../lib/event-reader.ts';
import { type Follow, headersFor, repeat } from './api.ts';
import { RETRY_SECONDS } from './refresh.ts';

/**
 * How long the first event of a stream may take. After this time, the stream counts as failed, because a proxy may hold
 * back its bytes.
 */
const LATE_MS = 10_000;

/** The server ends streams from time to time. After this wait, the stream is opened again. */
const AGAIN_SECONDS = 1;

export const followStream: Follow = (url, seconds, { show, ask }) => {
  let open: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopAsking: (() => void) | undefined;
  let tries = 0;

  function work(): void {
    stopAsking?.();
    [stopAsking, tries] = [undefined, 0];
  }

  function askInstead(): void {
    if (stopAsking) return;
    ask();
    stopAsking = repeat(ask, seconds);
  }

  /** Reads one stream to its end. Returns the number of seconds until the stream is opened again. */
  async function read(own: AbortController): Promise<number> {
    let hasWorked = false;
    const late = setTimeout(() => own.abort(), LATE_MS);
    try {
      for await (const text of await openEvents(url, own.signal)) {
        clearTimeout(late);
        if (open !== own) return 0;
        hasWorked = true;
        work();
        show(JSON.parse(text).data);
      }
    } catch {
      // No action is needed: if no event came, the report is requested below. Then the stream is opened again.
    }
    clearTimeout(late);
    own.abort();
    if (hasWorked) return AGAIN_SECONDS;
    if (open === own) askInstead();
    return RETRY_SECONDS[Math.min(tries++, RETRY_SECONDS.length - 1)] ?? 0;
  }

  async function begin(): Promise<void> {
    const own = new AbortController();
    open = own;
    const wait = await read(own);
    if (open === own) timer = setTimeout(begin, wait * 1_000);
  }

  function end(): void {
    clearTimeout(timer);
    open?.abort();
    open = undefined;
  }

  function look(): void {
    end();
    if (!document.hidden) void begin();
  }

  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    document.removeEventListener('visibilitychange', look);
    end();
    stopAsking?.();
  };
};

async function openEvents(url: string, signal: AbortSignal): Promise<AsyncGenerator<string, void>> {
  const { ok, headers, body } = await fetch(url, { headers: headersFor('text/event-stream'), signal });
  if (!ok || !body || !headers.get('Content-Type')?.startsWith('text/event-stream')) throw new Error('no stream');
  return readEvents(body);
}
