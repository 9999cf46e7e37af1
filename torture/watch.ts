import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Server } from '../test/support/program.ts';
import { type Client, clientOf, pageview, quantile, type Reply } from './clients.ts';

/** How many times as long anything may take on a machine that others use too. */
export const NOISE = 8;

/** Resident memory in MB. */
export const rss = ({ pid }: Server): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const told = (values: readonly number[]): string =>
  `${values.length}, p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms, most ${quantile(values, 1).toFixed(0)} ms`;

type Watching = { from?: string; everyMs: number; ask(client: Client): Promise<Reply> };

/** Somebody who asks for one thing after the other as long as it goes on; how long each took. */
async function watching({ port }: Server, { from, everyMs, ask }: Watching, isOver: () => boolean): Promise<number[]> {
  const client = clientOf(port, from);
  const took: number[] = [];
  while (!isOver()) {
    const { status, headers, text, ms } = await ask(client);
    assert.ok(status === 200 || status === 202, `${status} ${text}`);
    // Of a flood the answer does not tell; who floods counts what was stored.
    assert.equal(headers['daybook-dropped'], undefined);
    took.push(ms);
    await pause(everyMs);
  }
  client.close();
  return took;
}

/** At another address, who reads a page now and then, none of which may be dropped. */
export const honest = (server: Server, site: string, isOver: () => boolean): Promise<number[]> =>
  watching(server, { from: '127.0.0.2', everyMs: 100, ask: (client) => pageview(client, site, '/honest') }, isOver);

/** Who asks for a trifle again and again. */
export const impatient = (server: Server, isOver: () => boolean): Promise<number[]> =>
  watching(server, { everyMs: 1, ask: (client) => client.ask('GET', '/healthz') }, isOver);
