import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { folder, NOON } from './helpers.ts';

/** What npm run build makes; the same file that people run. */
export const PROGRAM = fileURLToPath(new URL('../../dist/daybook.mjs', import.meta.url));

/** A clock that is at a moment when the tests begin, and goes on from there whatever the one on the wall says. */
const clockFrom = (moment: number): string => `globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [Date.now()] : given));
  }
  static now() {
    return ${moment} + Number((process.hrtime.bigint() - ${process.hrtime.bigint()}n) / 1_000_000n);
  }
};`;

/** What node is told to run the program by such a clock, so that no test depends on the day on which it runs. */
export const daybookFrom = (moment: number): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(clockFrom(moment))}`,
  PROGRAM,
];
export const DAYBOOK = daybookFrom(NOON);

/** A file that a clock looks at is read so often. */
const LOOKS_MS = 20;

/** A clock that is as far from the monotonic one of the machine as a file says, so that a test can set it while programs run. */
const clockBy = (file: string): string => `const { readFileSync } = process.getBuiltinModule('node:fs');
let [lead, readAt] = [0, -Infinity];
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [Date.now()] : given));
  }
  static now() {
    const tick = Number(process.hrtime.bigint() / 1_000_000n);
    if (tick - readAt >= ${LOOKS_MS}) {
      readAt = tick;
      // The file goes a moment before the programs at the end of a test.
      try {
        lead = Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
      } catch {}
    }
    return tick + lead;
  }
};`;

/** What node is told to run the program by the clock that a file sets (test/cluster/clocks.ts). */
export const daybookBy = (file: string): string[] => [
  '--import',
  `data:text/javascript,${encodeURIComponent(clockBy(file))}`,
  PROGRAM,
];

/** The program is compiled once for all tests, which saves a fifth of each start. */
export const COMPILED: Environment =
  process.env.TEST_BUNDLES === undefined ? {} : { NODE_COMPILE_CACHE: join(process.env.TEST_BUNDLES, 'compiled') };

/** A quarter of this was too short for an emulated program on a busy machine. */
export const DEADLINE_MS = 60_000;

type Environment = Record<string, string>;
type Asking = { input?: string | Buffer; env?: Environment; deadlineMs?: number };
/** The demo is a server too. */
type Serving = { command?: 'serve' | 'demo' | 'collect'; env?: Environment; port?: number; deadlineMs?: number };
type Ended = { code: number | null; stdout: string; stderr: string };

export type Server = {
  url: string;
  port: number;
  pid: number;
  /** Lines so far. */
  stdout: string[];
  stderr: string[];
  kill(signal: NodeJS.Signals): void;
  /** The exit code when it has ended; null after a signal that it did not handle. */
  ended: Promise<number | null>;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
};

export type Program = {
  folder: string;
  /** Where the file is unless a flag says otherwise. */
  db: string;
  run(args: string[], asking?: Asking): Promise<Ended>;
  /** Runs a command that must succeed, and gives what it printed without the last line feed. */
  print(args: string[], asking?: Asking): Promise<string>;
  serve(flags?: string[], serving?: Serving): Promise<Server>;
};

/** Waits until something is so. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not so after ${deadlineMs} ms`);
    await pause(10);
  }
}

/** How the program is called, and as whom. */
type Call = { command?: string[]; uid?: number; gid?: number };

/** The built program in a folder of its own, with nothing in its environment but what a test puts there. */
export function program(t: TestContext, { command = [process.execPath, ...DAYBOOK], ...as }: Call = {}): Program {
  const [file = '', ...first] = command;
  const running = new Set<() => Promise<unknown>>();
  t.after(() => Promise.all([...running].map((end) => end())));
  const cwd = folder(t);

  function start(args: string[], env: Environment) {
    const child = spawn(file, [...first, ...args], { cwd, env: { ...COMPILED, ...env }, stdio: 'pipe', ...as });
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const end = () => {
      child.kill('SIGKILL');
      return ended;
    };
    running.add(end);
    void ended.then(() => running.delete(end));
    return { child, ended };
  }

  async function run(args: string[], { input = '', env = {}, deadlineMs = DEADLINE_MS }: Asking = {}): Promise<Ended> {
    const { child, ended } = start(args, env);
    const deadline = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
    // A command that reads nothing may be gone before its input is.
    child.stdin.on('error', () => {}).end(input);
    const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    clearTimeout(deadline);
    return { code, stdout, stderr };
  }

  async function print(args: string[], asking?: Asking): Promise<string> {
    const { code, stdout, stderr } = await run(args, asking);
    if (code !== 0) throw new Error(`daybook ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout.replace(/\n$/, '');
  }

  async function serve(
    flags: string[] = [],
    { command = 'serve', env = {}, port: wanted = 0, deadlineMs = DEADLINE_MS }: Serving = {},
  ): Promise<Server> {
    const { child, ended } = start([command, '--port', String(wanted), ...flags], env);
    const stdout: string[] = [];
    const stderr: string[] = [];
    createInterface(child.stdout).on('line', (line) => stdout.push(line));
    createInterface(child.stderr).on('line', (line) => stderr.push(line));
    const url = () => /^listening on (\S+)$/.exec(stdout.at(-1) ?? '')?.[1];
    const listens = () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${stderr.join('\n')}`);
      return url() !== undefined;
    };
    await until(`daybook ${command} ${flags.join(' ')} listens`, listens, deadlineMs);
    const kill = (signal: NodeJS.Signals) => {
      child.kill(signal);
    };
    const stop = () => {
      kill('SIGTERM');
      return Promise.race([
        ended,
        pause(DEADLINE_MS, undefined, { ref: false }).then(() => {
          throw new Error(`it still runs ${DEADLINE_MS} ms after SIGTERM`);
        }),
      ]);
    };
    const port = Number(new URL(url() ?? '').port);
    return { url: url() ?? '', port, pid: child.pid ?? 0, stdout, stderr, kill, ended, stop };
  }

  return { folder: cwd, db: join(cwd, 'daybook.db'), run, print, serve };
}
