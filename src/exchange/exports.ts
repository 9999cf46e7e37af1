// Exports for the API. Each export runs in a process of its own, which is the command `daybook export`. So its bytes are
// those of the command, and reading millions of hits takes neither memory nor time of the server.
//
// Invariant: an account has one export at a time, and no process outlives its request. The command writes only as fast
// as the client reads.
//
// Example: `open` starts the process, waits for its first bytes, and gives a stream. If the client leaves, the process
// ends. api/exports.ts answers with the stream, and compose.ts calls `makeExports` (test/api/exports.test.ts).

import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type ProgramPlace, startProgram } from '../embedded/program.ts';
import { coded } from '../lang/coded.ts';
import { Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

type ExportOrder = { accountId: number; domain: string; format: string; range: string | undefined };

export type Exports = {
  /** Throws 429 if the account has an export already, and 503 if the server has too many. */
  assertRoom(accountId: number): void;
  /** Starts an export. Rejects if it fails before its first byte. */
  open(order: ExportOrder, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Ends all processes. Called when the server stops. */
  close(): Promise<void>;
};

const RETRY_SECONDS = 10;
const MOST_AT_ONCE = 4;

export function makeExports(place: ProgramPlace, log: Log): Exports {
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
      const export_ = start(place, order, log);
      running.set(accountId, export_);
      signal.addEventListener('abort', export_.stop);
      const release = (): void => {
        signal.removeEventListener('abort', export_.stop);
        export_.stop();
        if (running.get(accountId) === export_) running.delete(accountId);
      };
      const pieces = export_.pieces[Symbol.asyncIterator]();
      let first: IteratorResult<Uint8Array>;
      try {
        first = await pieces.next();
      } catch (error) {
        release();
        throw new Problem('unavailable', { cause: error });
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

/** Nothing is read ahead, so a client that reads slowly makes the process wait. */
function makeStream(
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
  release: () => void,
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
        release();
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}

type Running = { pieces: AsyncIterable<Uint8Array>; ended: Promise<unknown>; stop: () => void };

function start(place: ProgramPlace, { domain, format, range }: Omit<ExportOrder, 'accountId'>, log: Log): Running {
  const days = range === undefined ? [] : ['--range', range];
  const child = startProgram(['export', domain, '--format', format, ...days], place);
  child.stdin.end();
  const ended = once(child, 'close');
  const said = text(child.stderr);
  /** An export that fails in the middle throws. So the client sees that its file is not complete. */
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const chunk of child.stdout) yield chunk as Uint8Array;
    const [code] = (await ended) as [number | null];
    if (code === 0) return;
    log('export failed', { code: code ?? 'killed', message: (await said).slice(0, 1_000) });
    throw new Error('the export failed');
  }
  return { pieces: pieces(), ended, stop: () => void child.kill('SIGKILL') };
}
