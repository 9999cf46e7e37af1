// The program begins here. This file connects the process with the command line, and `run` carries out the command.
//
// A long command, such as `serve`, calls `onStop`. After the first SIGTERM or SIGINT, such a command finishes its work
// and stops. If its process still runs 8 s later, it exits with code 1. A second signal ends the process immediately.
// An uncaught error of such a command is logged as a line of JSON. Then the process has 2 s to stop. All other commands
// end at the first signal.

import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Io } from './cli/command.ts';
import { run } from './cli/run.ts';
import { holdTick } from './lib/ticks.ts';

/** How long a stop may take. Supervisors such as Docker kill a program 10 s after SIGTERM. */
const LONGEST_STOP_MS = 8_000;
const LONGEST_CRASH_MS = 2_000;

const explain = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * Writes warnings of Node as lines of JSON, like all other lines of the log. Warnings about experimental parts of Node
 * are left out, because an operator can do nothing about them.
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
  readLines: () => createInterface(process.stdin),
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

// New files, such as the database and backups, contain personal data. Therefore only the user of this process may read
// them.
process.umask(0o077);
// A closed pipe on stdout or stderr, such as the pipe to `head`, causes an error. Without these handlers, the error
// would end the server.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode) return;
  explain(`daybook: the output: ${message}`);
  process.exitCode = 1;
});
process.stderr.on('error', () => {});
holdTick();
// There is no await here, because the executable is a CommonJS module, which has no top-level await
// (torture/binary.test.ts).
void run(process.argv.slice(2), io).then((exitCode) => {
  // Code 0 must not replace the exit code that a crash has already set.
  if (exitCode !== 0) process.exitCode = exitCode;
});
