import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { BROWSER } from '../test/collect/stage.ts';
import type { Server } from '../test/program.ts';
import { quantile } from './clients.ts';

/** How many times as long anything may take on a machine that others use too. */
export const NOISE = 8;

/** Resident memory in MB. */
export const rss = ({ pid }: Server): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

export const told = (values: readonly number[]): string =>
  `${values.length}, p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms, most ${quantile(values, 1).toFixed(0)} ms`;

/** Somebody at another address, who reads a page now and then; how long each hit took, none of which may be dropped. */
export async function honest({ port }: Server, site: string, isOver: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took: number[] = [];
  const body = JSON.stringify({ site, url: `https://${site}/honest` });
  while (!isOver()) {
    const start = performance.now();
    await new Promise<void>((resolve, reject) => {
      const to = { agent, host: '127.0.0.1', localAddress: '127.0.0.2', port, method: 'POST', path: '/day' };
      request({ ...to, headers: BROWSER }, (answer) => {
        if (answer.statusCode !== 202 || answer.headers['daybook-dropped'])
          reject(new Error(`${answer.statusCode} ${answer.headers['daybook-dropped']}`));
        answer.resume().on('end', resolve);
      })
        .on('error', reject)
        .end(body);
    });
    took.push(performance.now() - start);
    await pause(100);
  }
  agent.destroy();
  return took;
}
