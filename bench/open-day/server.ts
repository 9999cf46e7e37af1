import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENVIRONMENT, NODE } from '../shipped.ts';

export const program = join(import.meta.dirname, '../../dist/daybook.mjs');

const FLAGS = [
  '--port',
  '0',
  '--rate-limit',
  '0',
  '--flood',
  '0',
  '--trusted-proxies',
  '127.0.0.1',
  '--keep-backups',
  '0',
];

export type Server = { url: string; pid: number; end(): Promise<void> };

export async function start(db: string, more: readonly string[] = []): Promise<Server> {
  const [node, ...args] = [...NODE, program, 'serve', '--db', db, ...FLAGS, ...more];
  const server = spawn(node, args, { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  return {
    url: line.replace('listening on ', ''),
    pid: server.pid ?? 0,
    async end() {
      server.kill();
      await once(server, 'exit');
    },
  };
}

/** Returns the most memory that a process has used, in megabytes. Returns 0 if the process has ended. */
export function mostMemory(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const MS_PER_TICK = 10;

/** Returns the milliseconds of processor time of each thread of a process, except the first. */
function cpuOfThreads(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    if (thread === String(pid)) continue;
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    times.set(thread, MS_PER_TICK * (Number(fields[11]) + Number(fields[12])));
  }
  return times;
}

/** Measures how long work took, and the processor time of the thread that did most of it. */
export async function timed(pid: number, work: () => Promise<void>): Promise<{ wall: number; cpu: number }> {
  const before = cpuOfThreads(pid);
  const begin = performance.now();
  await work();
  const wall = performance.now() - begin;
  const more = [...cpuOfThreads(pid)].map(([thread, time]) => time - (before.get(thread) ?? 0));
  return { wall, cpu: Math.max(0, ...more) };
}
