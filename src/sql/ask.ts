// Answers statements for the API. Each statement runs in a process of its own, which is the command `daybook sql`.
//
// A call of SQLite cannot be interrupted, so it needs a process. Only a process can be ended at any time. It has a low
// priority, and only one runs at a time. So hits and reports do not wait for statements.
//
// Invariant: no process outlives its request. It is ended if the client leaves, or if the server stops.
//
// Example: a statement that never ends is stopped after 10 s, and the answer says so. Meanwhile one other statement
// waits. A third one gets 503. compose.ts calls makeAskSql if the server was started with --sql.

import { buffer } from 'node:stream/consumers';
import { startProgram } from '../embedded/program.ts';
import { coded } from '../lang/coded.ts';
import { invalid, Problem, USAGE } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { findMemory } from '../lib/memory.ts';

type SqlQuestion = { sql: string; site?: string | undefined; range?: string | undefined };

export type AskSql = {
  /** Gives the answer as JSON, as the command has written it (run.ts). */
  ask(question: SqlQuestion, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends the process of the present statement. Called when the server stops. */
  close(): Promise<void>;
};

type AskOptions = { path: string; engine: string | undefined; log: Log };

const ROWS = 10_000;
/**
 * The server closes a connection without any byte after 30 s (src/http/server.ts). A statement may wait for one other.
 * So each of the two has a third of this time, and the rest is for starting processes.
 */
const SECONDS = 10;
const MOST_MEGABYTES = 512;
/** The share of the machine's memory that a statement may take. */
const SHARE_OF_MEMORY = 1 / 4;
const MOST_WAITING = 1;
/**
 * The process ends itself after SECONDS, but only once it has started. On a busy machine this may take long. A client
 * that leaves meanwhile ends it too.
 */
const START_MS = 60_000;

export function makeAskSql(options: AskOptions): AskSql {
  let last: Promise<unknown> = Promise.resolve();
  /** The signals of the requests that are answered or wait. */
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
      // A client that leaves gives its place back at once, and not when its turn comes.
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

/** Starts the command. The statement goes to its standard input, so no list of processes shows it. */
function start({ path, engine, log }: AskOptions, { sql, site, range }: SqlQuestion): Running {
  const limits = ['--rows', String(ROWS), '--seconds', String(SECONDS), '--memory', String(findMegabytes())];
  const chosen = [...(site === undefined ? [] : ['--site', site]), ...(range === undefined ? [] : ['--range', range])];
  const words = ['sql', '--format', 'json', ...limits, ...chosen];
  const { give, stdout, said, ended, stop } = startProgram(words, { path, engine });
  give(sql);
  const timer = setTimeout(stop, SECONDS * 1000 + START_MS);
  const answer = Promise.all([buffer(stdout), said, ended])
    .then(([rows, stderr, code]) => readAnswer(rows, stderr, code, log))
    .finally(() => clearTimeout(timer));
  return { answer, stop };
}

/** The watchdog of the command writes this before it ends the process (threads/watchdog.ts). */
const STOPPED = /^daybook: (the statement took [^\n]*)$/m;
const REFUSED = /^daybook: ([^\n]*)$/m;

function readAnswer(stdout: Uint8Array, stderr: string, code: number | string, log: Log): Uint8Array {
  if (code === 0) return stdout;
  const [, reason] = (code === USAGE ? REFUSED : STOPPED).exec(stderr) ?? [];
  if (reason !== undefined) throw invalid({ sql: coded('other_text', { text: `${reason}.` }) });
  log('statement failed', { code, message: stderr.slice(0, 1_000) });
  throw new Problem('unavailable');
}
