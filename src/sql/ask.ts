// Answers SQL statements for the API. The statements run in a process of their own, which is the command `daybook sql`.
//
// Node cannot interrupt a running call of SQLite. Only a process can be ended at any time, so statements need a
// process. This process has a low priority, and runs one statement at a time. Hits and reports therefore do not wait
// for statements. After a statement, the process is kept for a minute, until it is half an hour old. The next statement
// then need not wait for a start.
//
// Invariant: no statement outlives its request. The process is ended if the client disconnects, or if the server stops.
//
// Example: the process of a statement that never ends is ended after 10 s, and the response says so. Meanwhile, one
// other statement waits. A third statement gets 503. compose.ts calls `makeAskSql` if the server was started with
// --sql.

import { createInterface } from 'node:readline';
import { startProgram } from '../embedded/program.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { findMemory } from '../lib/memory.ts';
import { makePrintable } from '../lib/printable.ts';

type SqlQuestion = { sql: string; site?: string | undefined; range?: string | undefined };

export type AskSql = {
  /** Returns the response as JSON, exactly as the command has written it (cli/sql.ts). */
  ask(question: SqlQuestion, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the process, and the statement that is running. The server calls this function when it stops. */
  close(): Promise<void>;
};

type AskOptions = {
  path: string;
  engine: string | undefined;
  log: Log;
  /** How long a statement may take. Tests set more than `SECONDS`, because they also run on busy machines. */
  seconds?: number;
  /** How old a process may become. */
  oldestMs?: number;
};

const ROWS = 10_000;
/**
 * How long a statement may take. The server closes a connection without any byte after 30 s (src/http/server.ts). In
 * this time, a statement may wait for one other statement, and then run. Each of the two has a third of the 30 s. The
 * rest is for starting processes.
 */
const SECONDS = 10;
const MOST_MEGABYTES = 512;
/** The share of the machine's memory that a statement may take. */
const SHARE_OF_MEMORY = 1 / 4;
const MOST_WAITING = 1;
/**
 * How long the process may take to start. The limit SECONDS counts only after the start, which may take long on a busy
 * machine. If the client disconnects meanwhile, the process is ended too.
 */
const START_MS = 60_000;
/** How long a process is kept without a statement. */
const KEPT_MS = 60_000;
/**
 * How old a process may become, even if it gets a statement each minute. It has the visitor codes of open days in
 * memory, and keeps them after the end of these days. docs/privacy.md says for how long they may be in memory.
 */
const OLDEST_MS = 30 * 60_000;

export function makeAskSql(options: AskOptions): AskSql {
  let last: Promise<unknown> = Promise.resolve();
  /** The signals of all requests that run or wait. */
  const waiting = new Set<AbortSignal>();
  let kept: Kept | undefined;
  let isClosed = false;

  function end(): void {
    kept?.stop();
    kept = undefined;
  }

  function startKept(): Kept {
    const own = start(options, () => {
      if (kept === own) end();
    });
    return own;
  }

  async function runNext(question: SqlQuestion, signal: AbortSignal): Promise<Uint8Array> {
    if (isClosed || signal.aborted) throw new Problem('unavailable');
    kept ??= startKept();
    const { ask, stop } = kept;
    signal.addEventListener('abort', stop);
    try {
      return await ask(question);
    } finally {
      signal.removeEventListener('abort', stop);
      if (signal.aborted || isClosed) end();
    }
  }

  return {
    async ask(question, signal) {
      if (waiting.size > MOST_WAITING)
        throw new Problem('unavailable', { headers: { 'Retry-After': String(SECONDS) } });
      waiting.add(signal);
      // If the client of a waiting statement disconnects, its place in the queue is free immediately. Another statement
      // may then wait.
      const release = () => void waiting.delete(signal);
      signal.addEventListener('abort', release);
      const before = last;
      const answer = before.then(() => runNext(question, signal));
      last = answer.catch(() => {});
      try {
        return await answer;
      } finally {
        signal.removeEventListener('abort', release);
        release();
      }
    },
    async close() {
      isClosed = true;
      end();
      await last;
    },
  };
}

type Kept = { ask(question: SqlQuestion): Promise<Uint8Array>; stop: () => void };

const findMegabytes = (): number =>
  Math.min(MOST_MEGABYTES, Math.floor((findMemory() * SHARE_OF_MEMORY) / 1024 / 1024));

/**
 * Starts the command. Statements are passed by standard input, so no list of processes shows them. `over` is called
 * when the process should not be used again.
 */
function start({ path, engine, log, seconds = SECONDS, oldestMs = OLDEST_MS }: AskOptions, over: () => void): Kept {
  const limits = ['--rows', String(ROWS), '--seconds', String(seconds), '--memory', String(findMegabytes())];
  const { send, stdout, said, ended, stop } = startProgram(['sql', '--lines', ...limits], { path, engine });
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  const readLine = async (): Promise<string | undefined> => (await lines.next()).value as string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOld = false;
  const aging = setTimeout(() => {
    isOld = true;
  }, oldestMs).unref();
  void ended.then(() => {
    clearTimeout(aging);
    over();
  });
  return {
    stop,
    async ask(question) {
      clearTimeout(timer);
      timer = setTimeout(stop, seconds * 1000 + START_MS);
      // `makePrintable` escapes separators such as U+2028, which would end the line in the middle of a text.
      send(`${makePrintable(JSON.stringify(question))}\n`);
      const [answer, next] = [await readLine(), await readLine()];
      clearTimeout(timer);
      if (next === 'keep' && !isOld) timer = setTimeout(over, KEPT_MS).unref();
      else over();
      return readAnswer(answer, next === undefined ? { stderr: await said, code: await ended } : undefined, log);
    },
  };
}

/** The line that the watchdog of the command prints before it ends the process (threads/watchdog.ts). */
const STOPPED = /^daybook: (the statement took [^\n]*)$/m;
const REFUSED = /^\{"refused":/;

type Ended = { stderr: string; code: number | string };

/** Reads the answer of the process. Without an answer, the process has ended. */
function readAnswer(answer: string | undefined, ended: Ended | undefined, log: Log): Uint8Array {
  const [, stopped] = STOPPED.exec(ended?.stderr ?? '') ?? [];
  const reason: string | undefined = REFUSED.test(answer ?? '') ? JSON.parse(answer ?? '').refused : stopped;
  if (reason !== undefined) throw invalid({ sql: coded('other_text', { text: `${reason}.` }) });
  if (!ended) return Buffer.from(answer ?? '');
  log('statement failed', { code: ended.code, message: ended.stderr.slice(0, 1_000) });
  throw new Problem('unavailable');
}
