import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { CRAWLERS } from '../../src/classify/crawlers.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { DAYBOOK, type Program, until } from '../support/program.ts';
import { replaceIn } from '../support/web-servers.ts';

export type Counts = Record<string, number>;

/** What a file holds of crawlers: requests by day, crawler and page. */
export function crawledIn(path: string, domain = 'example.com'): Counts {
  const { db, close } = openStore(path, { create: false });
  const rows = db.all<{ day: number; crawler: string; page: string; requests: number }>(
    `SELECT c.day, c.crawler, t.text AS page, c.requests
     FROM crawl_day c JOIN site s ON s.id = c.site_id JOIN term t ON t.site_id = c.site_id AND t.id = c.page
     WHERE s.domain = ? ORDER BY c.day, c.crawler, t.text`,
    domain,
  );
  close();
  const dayOf = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
  return Object.fromEntries(
    rows.map(({ day, crawler, page, requests }) => [`${dayOf(day)} ${crawler} ${page}`, requests]),
  );
}

/** The same without days, for requests that are made now: midnight may come in between. */
export function crawledNow(path: string): Counts {
  const counts: Counts = {};
  for (const [key, requests] of Object.entries(crawledIn(path))) {
    const rest = key.slice(key.indexOf(' ') + 1);
    counts[rest] = (counts[rest] ?? 0) + requests;
  }
  return counts;
}

export const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** What the browsers of people say, among them some that say more than they must. */
export const PEOPLE = [
  CHROME,
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 380.0.0.28.104 (iPhone15,2; iOS 18_5; de_DE; de; scale=3.00; 1179x2556; 730000000)',
];

/** An agent for each crawler there is, with nothing else in it that would give it away. */
export const CRAWLER_AGENTS = CRAWLERS.map(({ id, token }) => ({
  id,
  agent: `${CHROME} ${token}${token.endsWith('/') ? '1.0' : ''}`,
}));

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Asks a server of this machine for a path, exactly as it is written, and gives the status. */
export async function visit(port: number, path: string, agent: string, host = `example.com:${port}`): Promise<number> {
  const asking = request({ port, path, host: '127.0.0.1', headers: { host, 'user-agent': agent }, agent: false }).end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  await text(answer);
  return answer.statusCode ?? 0;
}

/** A file of integrations/, with what depends on the machine put in: each of these must be in it. */
export function integration(name: string, changes: Record<string, string>): string {
  return replaceIn(readFileSync(new URL(`../../integrations/${name}`, import.meta.url), 'utf8'), changes);
}

export type Running = { stop(signal?: NodeJS.Signals): Promise<{ code: number | null; output: string }> };

/** A program that runs until it is stopped. */
export function start(t: TestContext, [command, ...args]: [string, ...string[]], cwd: string, env = {}): Running {
  const child: ChildProcess = spawn(command, args, { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env } });
  const ended = once(child, 'close');
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  t.after(() => {
    child.kill('SIGKILL');
    return ended;
  });
  return {
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      const [code] = await ended;
      return { code, output };
    },
  };
}

/** daybook itself, for as long as a test wants it. */
export const startDaybook = (t: TestContext, { folder }: Program, ...args: string[]): Running =>
  start(t, [process.execPath, ...DAYBOOK, ...args], folder);

export const untilListening = (port: number): Promise<void> =>
  until(`port ${port} answers`, async () => {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>((done) =>
      socket.on('connect', () => done(true)).on('error', () => done(false)),
    );
    socket.destroy();
    return isOpen;
  });
