// Starts a server on one core, and sends it messages as fast as it takes them from the other, by wrk (Debian's).
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ENVIRONMENT, NODE } from './shipped.ts';

export const PROGRAM = join(import.meta.dirname, '../dist/daybook.mjs');
export const FLAGS = ['--port', '0', '--flood', '0', '--trusted-proxies', '127.0.0.1'];

/** Says what "keep-alive" says, but is no plain message to src/lib/http/simple-post.ts: node's http gets the connection. */
const NOT_PLAIN = 'keep-alive, keep-alive';

export type Server = { url: string; pid: number; stop(): Promise<void> };

/** On the first core. */
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

/** Whether it is daybook, and by which of its two readers messages come. */
type How = { isOwn?: boolean; isPlain?: boolean };

/** wrk, on the second core. */
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
  // A bare server accepts hundreds of connections too slowly for some of them.
  if (isOwn && /Socket errors/.test(text)) throw new Error(text);
  const of = (pattern: RegExp) => pattern.exec(text)?.[1] ?? '';
  return {
    hits: Number(of(/(\d+) requests in/)),
    rate: Number(of(/Requests\/sec:\s+([\d.]+)/)),
    p50: of(/50%\s+(\S+)/),
    p99: of(/99%\s+(\S+)/),
  };
}
