// Measures what the hand-written reader of plain messages (src/lib/http/simple-post.ts) saves: processor time for a
// hit, and hits a second. Two built servers on one core take turns. One gets plain messages. The other gets the same
// messages in a form that node's http must read. `npm run bench:readers`. The processor time is right on a busy machine
// too, but hits a second are not.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FLAGS, load, PROGRAM, type Server, start } from './loaded.ts';
import { processorTime } from './paced.ts';

const SECONDS = 3;
const ROUNDS = 15;
const CONNECTIONS = [64, 256];

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));

async function serve(name: string): Promise<Server> {
  const db = join(folder, `${name}.db`);
  const daybook = (...args: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...args, '--db', db], { stdio: 'pipe' });
  daybook('user', 'add', 'owner@example.com');
  daybook('site', 'add', 'owner@example.com', 'example.com');
  return await start([PROGRAM, 'serve', '--db', db, ...FLAGS]);
}

function measure({ url, pid }: Server, connections: number, isPlain: boolean): { rate: number; micros: number } {
  const before = processorTime(pid);
  const { hits, rate } = load(url, connections, SECONDS, { isPlain });
  return { rate, micros: (processorTime(pid) - before) / hits };
}

const middle = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const row = (...cells: (string | number)[]): string => cells.map((cell) => String(cell).padStart(12)).join(' ');

const servers: Server[] = [];
try {
  const plain = await serve('plain');
  servers.push(plain);
  const node = await serve('node');
  servers.push(node);
  const inTurn = (connections: number, turn: number) => {
    const measures = [() => measure(plain, connections, true), () => measure(node, connections, false)];
    const [one, other] =
      turn % 2 === 0
        ? measures.map((run) => run())
        : measures
            .reverse()
            .map((run) => run())
            .reverse();
    return { one, other };
  };
  inTurn(64, 0);
  console.log(row('connections', 'µs a hit', "by node's", 'of node', 'hits/s', "by node's", 'of node'));
  for (const connections of CONNECTIONS) {
    const rounds = Array.from({ length: ROUNDS }, (_, turn) => inTurn(connections, turn));
    const cells = (['micros', 'rate'] as const).flatMap((figure) => [
      middle(rounds.map(({ one }) => one?.[figure] ?? 0)).toFixed(0),
      middle(rounds.map(({ other }) => other?.[figure] ?? 0)).toFixed(0),
      middle(rounds.map(({ one, other }) => (one?.[figure] ?? 0) / (other?.[figure] ?? 1))).toFixed(2),
    ]);
    console.log(row(connections, ...cells));
  }
} finally {
  for (const { stop } of servers) await stop();
  rmSync(folder, { recursive: true, force: true });
}
