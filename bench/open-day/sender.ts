// Sends hits at an even rate until it is stopped, in a thread of its own. Then it reports how long each hit took
// (load.ts). The sender uses bare sockets. For thousands of hits a second, a client of node:http would use as much of a
// core as the server.
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Times } from './load.ts';

const CONNECTIONS = 64;
const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/**
 * In the first seconds of a server, node compiles the code. Hits of this time take longer, so they are listed
 * separately.
 */
const STARTING_MS = 3_000;

const STATUS = 'HTTP/1.1 202 ';
const END = '\r\n\r\n';

/** Makes the hit with a number. The hits have different IP addresses, so they are of many visitors. */
function hitOf(host: string, n: number): string {
  const body = JSON.stringify({ site: 'example.com', url: `https://example.com/page/${n % 3_000}` });
  const address = `${20 + (n % 200)}.${(n >> 8) % 250}.${(n >> 3) % 250}.${n % 250}`;
  const head = ['POST /day HTTP/1.1', `Host: ${host}`, `User-Agent: ${AGENT}`, 'Accept-Language: de'];
  return [...head, `X-Forwarded-For: ${address}`, `Content-Length: ${body.length}`, '', body].join('\r\n');
}

type Hit = { text: string; answered(isTaken: boolean): void };

/**
 * Makes a connection that sends one hit at a time. `isFree` is called when it can send the next hit. An answer has no
 * body.
 */
function connection({ hostname, port }: URL, isFree: () => void) {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let hit: Hit | undefined;
  let answer = '';
  function answered(isTaken: boolean): void {
    const own = hit;
    hit = undefined;
    own?.answered(isTaken);
  }
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
    if (!answer.endsWith(END)) return;
    answered(answer.startsWith(STATUS));
    answer = '';
    isFree();
  });
  socket.on('close', () => answered(false));
  socket.on('error', ({ message }) => console.log(`a connection failed: ${message}`));
  return {
    send(next: Hit): void {
      hit = next;
      socket.write(next.text);
    },
    end: () => socket.destroy(),
  };
}

/**
 * Sends this number of hits a second. The time of a hit begins when the hit is due, even if no connection is free then.
 */
function load(url: URL, rate: number): () => Promise<Times> {
  const times: Times = { starting: [], later: [] };
  const waiting: Hit[] = [];
  const connections = Array.from({ length: CONNECTIONS }, () => {
    const own = connection(url, () => {
      const next = waiting.shift();
      if (next) own.send(next);
      else free.push(own);
    });
    return own;
  });
  /** Connections take turns, because the server closes one that is idle for seconds. */
  const free = [...connections];
  let [sent, open] = [0, 0];
  const begin = performance.now();

  function send(): void {
    const start = performance.now();
    const took = start - begin < STARTING_MS ? times.starting : times.later;
    open++;
    waiting.push({
      text: hitOf(url.host, sent++),
      answered(isTaken) {
        open--;
        took.push(isTaken ? performance.now() - start : Number.POSITIVE_INFINITY);
      },
    });
    const next = free.shift();
    if (next) next.send(waiting.shift() as Hit);
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - begin) / 1000) * rate;
    while (sent < due) send();
  }, 2);

  return async () => {
    clearInterval(timer);
    while (open > 0) await pause(10);
    for (const { end } of connections) end();
    for (const took of Object.values(times)) took.sort((a, b) => a - b);
    return times;
  };
}

const { url, rate } = workerData as { url: string; rate: number };
const stop = load(new URL(url), rate);
parentPort?.once('message', async () => parentPort?.postMessage(await stop()));
