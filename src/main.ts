// The program begins here: it connects the process with the command line and hands over to `run`.
//
// Signals and crashes end in one way. The first SIGTERM or SIGINT asks the command to stop, and after 8 s the process
// exits by itself. A second signal exits at once. An uncaught error is logged as a line of JSON, and the process then
// has 2 s to stop.

import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Io } from './cli/command.ts';
import { run } from './cli/run.ts';
import { holdTick } from './lib/ticks.ts';

/** The longest stop. Supervisors kill a program 10 s after SIGTERM. */
const LONGEST_STOP_MS = 8_000;
const LONGEST_CRASH_MS = 2_000;

const explain = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * Writes warnings of node as JSON, like all other lines of the log. Warnings about experimental parts of node are
 * left out, because the operator cannot act on them.
 */
process.removeAllListeners('warning').on('warning', ({ name, message }) => {
  if (name === 'ExperimentalWarning') return;
  explain(JSON.stringify({ time: new Date().toISOString(), event: 'warning', name, message }));
});

const io: Io = {
  environment: process.env,
  print: (line) => process.stdout.write(`${line}\n`),
  explain,
  readInput: () => text(process.stdin),
  async readLine() {
    for await (const line of createInterface(process.stdin)) return line;
    return '';
  },
  onStop(stop) {
    let asked = false;
    const ask = (exitCode: number, longest: number) => {
      if (asked) process.exit(exitCode || 1);
      asked = true;
      process.exitCode = exitCode;
      setTimeout(() => process.exit(1), longest).unref();
      stop();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ask(0, LONGEST_STOP_MS));
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error) => {
        explain(JSON.stringify({ time: new Date().toISOString(), event, error: String(error?.stack ?? error) }));
        ask(1, LONGEST_CRASH_MS);
      });
    }
  },
};

// Files have personal data, so only their owner may read them.
process.umask(0o077);
// A closed pipe on stdout or stderr must not end the server.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
holdTick();
// The promise is not awaited, because the executable is CommonJS without top-level await (torture/binary.test.ts).
void run(process.argv.slice(2), io).then((exitCode) => {
  // A server that was asked to stop has set its exit code already.
  if (exitCode !== 0) process.exitCode = exitCode;
});
