// Starts a server on one core. wrk (Debian's) on the other core sends messages as fast as the server takes them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENVIRONMENT, NODE } from './shipped.ts';

export const PROGRAM = join(import.meta.dirname, '../dist/daybook.mjs');
export const FLAGS = ['--port', '0', '--flood', '0', '--trusted-proxies', '127.0.0.1'];

/**
 * This header means the same as "keep-alive". But src/lib/http/simple-post.ts refuses it, so node's http reads the
 * connection.
 */
const NOT_PLAIN = 'keep-alive, keep-alive';

export type Server = { url: string; pid: number; stop(): Promise<void> };

/** Starts a server on the first core. */
export async function start(args: string[]): Promise<Server> {
  const child = spawn('taskset', ['-c', '0', ...NODE, ...args], {
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    url: line.replace('listening on ', ''),
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

type Load = { hits: number; rate: number; p50: string; p99: string };

/**
 * `isOwn` is true for daybook, and false for the bare server. `isPlain` chooses which of daybook's two readers gets the
 * messages.
 */
type How = { isOwn?: boolean; isPlain?: boolean };

/** Runs wrk on the second core. */
export function load(
  url: string,
  connections: number,
  seconds: number,
  { isOwn = true, isPlain = true }: How = {},
): Load {
  const script = join(import.meta.dirname, 'messages.lua');
  const args = [
    '-c',
    '1',
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '20s',
    '--latency',
    '-s',
    script,
    url,
  ];
  const env = isPlain ? process.env : { ...process.env, CONNECTION: NOT_PLAIN };
  const text = execFileSync('taskset', args, { encoding: 'utf8', env });
  if (/Non-2xx/.test(text)) throw new Error(text);
  // The bare server accepts connections too slowly for hundreds at once, so its socket errors are ignored.
  if (isOwn && /Socket errors/.test(text)) throw new Error(text);
  const of = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  return {
    hits: Number(of(/(\d+) requests in/)),
    rate: Number(of(/Requests\/sec:\s+([\d.]+)/)),
    p50: of(/50%\s+(\S+)/),
    p99: of(/99%\s+(\S+)/),
  };
}
