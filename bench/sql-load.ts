import { setInterval as every } from 'node:timers/promises';
import { BOUNDED } from '../test/sql/statements.ts';
import { ms } from './stats/table.ts';

const SECONDS = 60;
/** At each tick, this many hits are sent. */
const [TICK_MS, HITS_OF_TICK] = [10, 2];
/** A hit is sent at its time, whether or not those before it are answered. So a server that stands still is noticed. */
const CLIENTS = 2;

/** Measures how long hits take while two people ask statements that run for ever, or take much memory. */
export async function measureHits(
  url: string,
  statements: readonly string[],
  ask: (sql: string) => Promise<unknown>,
): Promise<string> {
  const end = performance.now() + SECONDS * 1000;
  const all = [...statements, ...BOUNDED];
  let [next, answered, refused] = [0, 0, 0];
  async function askAll(): Promise<void> {
    while (performance.now() < end) {
      const sql = all[next++ % all.length] as string;
      await ask(sql).then(
        () => answered++,
        () => refused++,
      );
    }
  }
  const clients = Array.from({ length: CLIENTS }, askAll);
  const hits: Promise<number>[] = [];
  for await (const _ of every(TICK_MS)) {
    for (let i = 0; i < HITS_OF_TICK; i++) hits.push(send(url, hits.length));
    if (performance.now() >= end) break;
  }
  await Promise.all(clients);
  const times = (await Promise.all(hits)).sort((one, other) => one - other);
  const read = (share: number): string => ms(times[Math.floor(times.length * share)] ?? 0);
  return `${times.length} hits beside ${answered} answered and ${refused} refused or stopped statements: p50 ${read(0.5)} ms, p99 ${read(0.99)} ms, the slowest ${ms(times.at(-1) ?? 0)} ms`;
}

async function send(url: string, number: number): Promise<number> {
  const begin = performance.now();
  const answer = await fetch(`${url}/day`, {
    method: 'POST',
    headers: {
      'Content-Type': 'text/plain',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
      'X-Forwarded-For': `81.2.${number % 200}.${(number % 250) + 1}`,
    },
    body: JSON.stringify({ site: 'example.com', url: `https://example.com/articles/${number % 5000}` }),
  });
  if (answer.status !== 202) throw new Error(`a hit was answered with ${answer.status}`);
  return performance.now() - begin;
}
