import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

export const STRACE = '/usr/bin/strace';
export const NEEDS = !existsSync(STRACE) && 'it needs strace';

/** Which system calls fail, how, and from which one on. */
export type Fault = {
  calls: string;
  error: string;
  nth: number;
  /** Each one after it too. */
  forever: boolean;
  /** The files whose calls are counted. */
  paths: readonly string[];
};

const flagsOf = ({ calls, error, nth, forever, paths }: Fault, out: string): string[] => [
  '-f',
  '--seccomp-bpf',
  '-o',
  out,
  ...paths.flatMap((path) => ['-P', path]),
  '-e',
  `trace=${calls}`,
  '-e',
  `inject=${calls}:error=${error}:when=${nth}${forever ? '+' : ''}`,
];

/** How many calls were made to fail. */
const injectedIn = (out: string): number => readFileSync(out, 'utf8').split('(INJECTED)').length - 1;

/** Lets calls of a running process fail while some work is done; says how many did. */
export async function failing(pid: number, fault: Fault, out: string, work: () => Promise<void>): Promise<number> {
  const flags = flagsOf(fault, out).filter((flag) => flag !== '--seccomp-bpf');
  const strace = spawn(STRACE, [...flags, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(strace, 'exit');
  let said = '';
  strace.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
  });
  while (!said.includes('attached')) {
    if (strace.exitCode !== null) throw new Error(`strace: ${said}`);
    await pause(2);
  }
  try {
    await work();
  } finally {
    strace.kill('SIGINT');
    await ended;
  }
  return injectedIn(out);
}

/** Runs node with calls that fail. */
export async function runFailing(args: string[], fault: Fault, out: string) {
  const child = spawn(STRACE, ['-D', ...flagsOf(fault, out), process.execPath, ...args], { env: {}, stdio: 'pipe' });
  child.stdin.end();
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  return { code, stdout, stderr, injected: injectedIn(out) };
}
