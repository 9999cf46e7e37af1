// Measures what open live views cost: `npm run bench:streams`. The built server gets 500 hits a second for 50 sites. Beside
// that, nobody looks, or 1,000 people look by a stream of events, or 1,000 people look by a request every 5 s. The bench
// prints the processor time and the memory of the server, and how long hits and live views waited. `-- --viewers 100
// --rate 50 --seconds 10` makes a smaller run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { FLAGS, PROGRAM, start } from './loaded.ts';
import { paced, processorTime } from './paced.ts';

const SITES = Array.from({ length: 50 }, (_, i) => `site${i}.example.com`);
const { values } = parseArgs({
  options: {
    viewers: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '40' },
  },
});
const [VIEWERS, RATE, SECONDS] = [Number(values.viewers), Number(values.rate), Number(values.seconds)];
const WARM_UP_SECONDS = 10;
const POLL_SECONDS = 5;
const ROUNDS = 2;

type Seen = { answers: number; failures: number; waits: number[] };
type Look = (url: string, tokens: readonly string[], seen: Seen) => () => void;

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const db = join(folder, 'daybook.db');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [PROGRAM, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' }).trim();

const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Asks for the live report of one of the sites. Each viewer has a connection, as browsers have. */
function ask(agent: Agent, url: string, n: number, tokens: readonly string[], accept: string): ClientRequest {
  const site = SITES[n % SITES.length];
  const headers = { authorization: `Bearer ${tokens[n % tokens.length]}`, accept };
  return request(`${url}/api/v1/sites/${site}/stats/live`, { agent, headers });
}

const fail = (seen: Seen) => () => {
  seen.failures++;
};

const nobody: Look = () => () => {};

const streams: Look = (url, tokens, seen) => {
  const agent = new Agent({ keepAlive: true });
  let isOver = false;
  for (let n = 0; n < VIEWERS; n++) {
    ask(agent, url, n, tokens, 'text/event-stream')
      .on('error', () => isOver || fail(seen)())
      .on('response', (incoming) => {
        if (incoming.statusCode !== 200) fail(seen)();
        incoming
          .on('error', () => {})
          .on('data', (bytes: Buffer) => {
            if (bytes.includes('event: live')) seen.answers++;
          });
      })
      .end();
  }
  return () => {
    isOver = true;
    agent.destroy();
  };
};

const polls: Look = (url, tokens, seen) => {
  const agent = new Agent({ keepAlive: true });
  const timers: NodeJS.Timeout[] = [];
  let isOver = false;
  function poll(n: number): void {
    const began = performance.now();
    ask(agent, url, n, tokens, 'application/json')
      .on('error', () => isOver || fail(seen)())
      .on('response', (incoming) => {
        if (incoming.statusCode !== 200) fail(seen)();
        incoming.resume().on('end', () => {
          seen.answers++;
          seen.waits.push(performance.now() - began);
        });
      })
      .end();
  }
  for (let n = 0; n < VIEWERS; n++) {
    // The first requests are spread, so that not all viewers ask in the same moment.
    const first = setTimeout(
      () => {
        poll(n);
        timers.push(setInterval(poll, POLL_SECONDS * 1_000, n));
      },
      (n / VIEWERS) * POLL_SECONDS * 1_000,
    );
    timers.push(first);
  }
  return () => {
    isOver = true;
    for (const timer of timers) clearTimeout(timer);
    agent.destroy();
  };
};

const row = (...cells: (string | number)[]): string => cells.map((cell) => String(cell).padStart(12)).join(' ');

// A user can have 25 tokens, and a token 20 streams.
const OWNERS = ['ann@example.com', 'ben@example.com'];
for (const owner of OWNERS) daybook('user', 'add', owner);
const tokens = SITES.map((site, i) => {
  const owner = OWNERS[i % OWNERS.length] ?? '';
  daybook('site', 'add', owner, site);
  return daybook('token', 'add', owner, '--name', site, '--abilities', 'read');
});
const server = await start([PROGRAM, 'serve', '--db', db, '--rate-limit', '0', ...FLAGS]);
try {
  await paced(server.url, server.pid, RATE, WARM_UP_SECONDS, SITES);
  console.log(row('', 'CPU %', 'RSS MB', 'answers/s', 'failures', 'hit p99 ms', 'poll p99 ms'));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, look] of Object.entries({ nobody, streams, polls })) {
      const seen: Seen = { answers: 0, failures: 0, waits: [] };
      const stop = look(server.url, tokens, seen);
      await pause(POLL_SECONDS * 1_000);
      const [began, before, answersBefore] = [performance.now(), processorTime(server.pid), seen.answers];
      const { p99 } = await paced(server.url, server.pid, RATE, SECONDS, SITES);
      const seconds = (performance.now() - began) / 1_000;
      const cpu = ((processorTime(server.pid) - before) / 1e6 / seconds) * 100;
      const waits = seen.waits.sort((one, other) => one - other);
      const slowest = waits[Math.floor((waits.length - 1) * 0.99)]?.toFixed(0) ?? '';
      const answers = ((seen.answers - answersBefore) / seconds).toFixed(0);
      console.log(
        row(name, cpu.toFixed(0), memoryOf(server.pid).toFixed(0), answers, seen.failures, p99.toFixed(1), slowest),
      );
      stop();
      await pause(2_000);
    }
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
