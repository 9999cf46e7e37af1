// Sends hits at an even rate from a thread of its own, until it is told to stop; then it tells how long each took (load.ts).
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { Times } from './load.ts';

const CONNECTIONS = 64;
const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** In the first seconds of a server node compiles what it runs, and whoever sends thousands of hits a second waits for that. */
const STARTING_MS = 3_000;

/** Sends so many hits a second, of visitors by all addresses. */
function load(url: string, rate: number): () => Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const times: Times = { starting: [], later: [] };
  let sent = 0;
  let open = 0;
  const begin = performance.now();

  function send(): void {
    const n = sent++;
    const start = performance.now();
    const took = start - begin < STARTING_MS ? times.starting : times.later;
    const address = `${20 + (n % 200)}.${(n >> 8) % 250}.${(n >> 3) % 250}.${n % 250}`;
    const headers = { 'User-Agent': AGENT, 'Accept-Language': 'de', 'X-Forwarded-For': address };
    open++;
    const asking = request(`${url}/day`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => {
        open--;
        took.push(answer.statusCode === 202 ? performance.now() - start : Number.POSITIVE_INFINITY);
      });
    });
    asking.on('error', () => {
      open--;
      took.push(Number.POSITIVE_INFINITY);
    });
    asking.end(JSON.stringify({ site: 'example.com', url: `https://example.com/page/${n % 3_000}` }));
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - begin) / 1000) * rate;
    while (sent < due) send();
  }, 2);

  return async () => {
    clearInterval(timer);
    while (open > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    agent.destroy();
    for (const took of Object.values(times)) took.sort((a, b) => a - b);
    return times;
  };
}

const { url, rate } = workerData as { url: string; rate: number };
const stop = load(url, rate);
parentPort?.once('message', async () => parentPort?.postMessage(await stop()));
