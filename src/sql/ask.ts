// Answers SQL statements for the API. Each statement runs in a process of its own, which is the command `daybook sql`.
//
// A running call of SQLite cannot be interrupted. Only a process can be ended at any time, so a statement needs a
// process. This process has a low priority, and only one runs at a time. Hits and reports therefore do not wait for
// statements.
//
// Invariant: no process outlives its request. The process is ended if the client disconnects, or if the server stops.
//
// Example: the process of a statement that never ends is ended after 10 s, and the response says so. Meanwhile, one
// other statement waits. A third statement gets 503. compose.ts calls `makeAskSql` if the server was started with
// --sql.

import { buffer } from 'node:stream/consumers';
import { startProgram } from '../embedded/program.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem, USAGE } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { findMemory } from '../lib/memory.ts';

type SqlQuestion = { sql: string; site?: string | undefined; range?: string | undefined };

export type AskSql = {
  /** Returns the response as JSON, exactly as the command has written it (run.ts). */
  ask(question: SqlQuestion, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the process of the statement that is running. The server calls this function when it stops. */
  close(): Promise<void>;
};

type AskOptions = {
  path: string;
  engine: string | undefined;
  log: Log;
  /** How long a statement may take. Tests set more than `SECONDS`, because they also run on busy machines. */
  seconds?: number;
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

export function makeAskSql(options: AskOptions): AskSql {
  let last: Promise<unknown> = Promise.resolve();
  /** The signals of all requests that run or wait. */
  const waiting = new Set<AbortSignal>();
  let running: Running | undefined;
  let isClosed = false;

  async function runNext(question: SqlQuestion, signal: AbortSignal): Promise<Uint8Array> {
    if (isClosed || signal.aborted) throw new Problem('unavailable');
    running = start(options, question);
    const stop = running.stop;
    signal.addEventListener('abort', stop);
    try {
      return await running.answer;
    } finally {
      signal.removeEventListener('abort', stop);
      running = undefined;
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
      running?.stop();
      await last;
    },
  };
}

type Running = { answer: Promise<Uint8Array>; stop: () => void };

const findMegabytes = (): number =>
  Math.min(MOST_MEGABYTES, Math.floor((findMemory() * SHARE_OF_MEMORY) / 1024 / 1024));

/** Starts the command. The statement is passed by standard input, so no list of processes shows it. */
function start({ path, engine, log, seconds = SECONDS }: AskOptions, { sql, site, range }: SqlQuestion): Running {
  const limits = ['--rows', String(ROWS), '--seconds', String(seconds), '--memory', String(findMegabytes())];
  const chosen = [...(site === undefined ? [] : ['--site', site]), ...(range === undefined ? [] : ['--range', range])];
  const words = ['sql', '--format', 'json', ...limits, ...chosen];
  const { give, stdout, said, ended, stop } = startProgram(words, { path, engine });
  give(sql);
  const timer = setTimeout(stop, seconds * 1000 + START_MS);
  const answer = Promise.all([buffer(stdout), said, ended])
    .then(([rows, stderr, code]) => readAnswer(rows, stderr, code, log))
    .finally(() => clearTimeout(timer));
  return { answer, stop };
}

/** The line that the watchdog of the command prints before it ends the process (threads/watchdog.ts). */
const STOPPED = /^daybook: (the statement took [^\n]*)$/m;
const REFUSED = /^daybook: ([^\n]*)$/m;

function readAnswer(stdout: Uint8Array, stderr: string, code: number | string, log: Log): Uint8Array {
  if (code === 0) return stdout;
  const [, reason] = (code === USAGE ? REFUSED : STOPPED).exec(stderr) ?? [];
  if (reason !== undefined) throw invalid({ sql: coded('other_text', { text: `${reason}.` }) });
  log('statement failed', { code, message: stderr.slice(0, 1_000) });
  throw new Problem('unavailable');
}
