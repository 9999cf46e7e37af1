// Runs exports for the API. Each export runs in its own process, which is the command `daybook export`. For this
// reason, the API and the command give equal bytes. The server itself spends no memory and no time on reading hits.
//
// Invariant: an account has at most one export at a time, and no process outlives its request. The command writes only
// as fast as the client reads. The server runs at most 4 exports at a time. An export ends after an hour at the latest.
// Otherwise, slow clients could block the exports of other accounts forever.
//
// Example: `open` starts the process, waits for its first bytes, and returns a stream. If the client disconnects, the
// process ends. api/exports.ts responds with the stream, and compose.ts calls `makeExports` (test/api/exports.test.ts).

import { type ProgramPlace, startProgram } from '../embedded/program.ts';
import { coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { HOUR } from '../lib/time.ts';
import { makeSiteGone } from './site-gone.ts';

type ExportOrder = {
  accountId: number;
  siteId: number;
  domain: string;
  format: string;
  range: string | undefined;
};

export type Exports = {
  /** Throws 429 if the account is already running an export, and 503 if the server is running too many exports. */
  assertRoom(accountId: number): void;
  /**
   * Starts an export. Rejects if the export fails before its first byte. The process finds the site by its domain. If
   * the site was renamed or deleted before the process looks for it, rejects with 404.
   */
  open(order: ExportOrder, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Ends all processes. Called when the server stops. */
  close(): Promise<void>;
};

const RETRY_SECONDS = 10;
const MOST_AT_ONCE = 4;
/**
 * The longest time for an export. Without this limit, a client that reads a few bytes a minute would take the place of
 * another export forever.
 */
const LONGEST_SECONDS = HOUR;

/** Makes the exports of a server. `longest` is the limit in seconds, and tests pass a shorter one. */
export function makeExports(place: ProgramPlace, log: Log, longest = LONGEST_SECONDS): Exports {
  const running = new Map<number, Running>();

  function assertRoom(accountId: number): void {
    const headers = { 'Retry-After': String(RETRY_SECONDS) };
    if (running.has(accountId)) throw new Problem('rate_limited', { message: coded('export_runs'), headers });
    if (running.size >= MOST_AT_ONCE) throw new Problem('unavailable', { headers });
  }

  return {
    assertRoom,
    async open({ accountId, ...order }, signal) {
      assertRoom(accountId);
      const { stop, ended, ...export_ } = start(place, order, log);
      running.set(accountId, { stop, ended });
      signal.addEventListener('abort', stop);
      const timer = setTimeout(() => {
        log('export stopped', { domain: order.domain, seconds: longest });
        stop();
      }, longest * 1_000).unref();
      const freed = ended.then(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        running.delete(accountId);
      });
      const release = (): Promise<void> => {
        stop();
        return freed;
      };
      const pieces = export_.pieces[Symbol.asyncIterator]();
      let first: IteratorResult<Uint8Array>;
      try {
        first = await pieces.next();
      } catch (error) {
        await release();
        throw error instanceof Problem ? error : new Problem('unavailable', { cause: error });
      }
      return makeStream(first, pieces, release);
    },
    async close() {
      const all = [...running.values()];
      for (const { stop } of all) stop();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

/**
 * Makes the stream of a response. The stream never reads ahead, so a client that reads slowly makes the process wait.
 */
function makeStream(
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
  release: () => Promise<void>,
): ReadableStream<Uint8Array> {
  let waiting: IteratorResult<Uint8Array> | undefined = first;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = waiting ?? (await pieces.next());
          waiting = undefined;
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        await release();
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}

type Running = { ended: Promise<unknown>; stop: () => void };

type Started = Running & { pieces: AsyncIterable<Uint8Array> };

function start(place: ProgramPlace, order: Omit<ExportOrder, 'accountId'>, log: Log): Started {
  const { siteId, domain, format, range } = order;
  const days = range === undefined ? [] : ['--range', range];
  const words = ['export', domain, '--format', format, '--site-id', String(siteId), ...days];
  const { give, stdout, said, ended, stop } = startProgram(words, place);
  give('');
  /**
   * Yields the output of the process. If an export fails in the middle, the generator throws. The client then sees that
   * the response broke off, and that the file is not complete.
   */
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const chunk of stdout) yield chunk as Uint8Array;
    const [code, message] = await Promise.all([ended, said]);
    if (code === 0) return;
    const gone = makeSiteGone(domain);
    if (message.includes(gone.message)) throw gone;
    log('export failed', { code, message: message.slice(0, 1_000) });
    throw new Error('the export failed');
  }
  return {
    pieces: pieces(),
    ended,
    stop() {
      stop();
      // Nobody reads the rest of the output. Without this line, the rest would stay in memory.
      stdout.destroy();
    },
  };
}
