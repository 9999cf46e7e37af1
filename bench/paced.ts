// Sends hits at an even rate over a few connections, and measures how much processor time the server uses for them.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export const TICKS_A_SECOND = 100;
const CONNECTIONS = 32;

/** Returns the processor time of a process in microseconds, with its threads and the kernel's work for it. */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND) * 1e6;
}

function send(agent: Agent, url: string, n: number, site: string): Promise<number> {
  const start = performance.now();
  const headers = {
    'content-type': 'text/plain',
    'accept-language': 'en',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'x-forwarded-for': `10.${(n >> 12) & 255}.${(n >> 4) & 255}.${n & 255}`,
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/day`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 202) resolve(performance.now() - start);
        else reject(new Error(`answered with ${answer.statusCode}`));
      });
    });
    sent.on('error', reject).end(JSON.stringify({ site, url: `https://${site}/page${n % 500}` }));
  });
}

export type Paced = { micros: number; p50: number; p99: number; worst: number };

/** Sends this number of hits a second, for some seconds, to each of the sites in turn. */
export async function paced(
  url: string,
  pid: number,
  rate: number,
  seconds: number,
  sites: readonly string[] = ['example.com'],
): Promise<Paced> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const answers: Promise<number>[] = [];
  const before = processorTime(pid);
  const start = performance.now();
  while (answers.length < rate * seconds) {
    const due = Math.min(((performance.now() - start) / 1000) * rate, rate * seconds);
    while (answers.length < due)
      answers.push(send(agent, url, answers.length, sites[answers.length % sites.length] ?? ''));
    await pause(1);
  }
  const times = (await Promise.all(answers)).sort((a, b) => a - b);
  agent.destroy();
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
  return { micros: (processorTime(pid) - before) / times.length, p50: at(0.5), p99: at(0.99), worst: at(1) };
}
