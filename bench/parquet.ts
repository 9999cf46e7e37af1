// Measures how fast hits are exported as Parquet files: `npm run bench:parquet`. `-- 50000` takes another number of hits
// a day. The time is that of the whole command, from its start to its end. Other programs may use the machine too, so the
// processor time is shown beside it. The same hits are exported as lines of ndjson, for comparison.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { prepare, today } from './open-day/prepare.ts';

const DAYS = 5;
const HITS = Number(process.argv[2] ?? 400_000);
const DAY_SECONDS = 86_400;
const BOUND = 500_000;

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const db = join(folder, 'daybook.db');
const program = join(import.meta.dirname, '../dist/daybook.mjs');
const daybook = (...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args, '--db', db], { encoding: 'utf8', stdio: 'pipe' });

/** Runs a command of the shell. The last line of `times` has the processor time of its children. */
async function time(...args: string[]): Promise<{ passed: number; worked: number }> {
  const begun = performance.now();
  const { stdout } = await promisify(execFile)('bash', [
    ...['-c', '"$@" && times', 'bash', process.execPath, program, ...args, '--db', db],
  ]);
  const passed = (performance.now() - begun) / 1000;
  const ofChildren = stdout.trimEnd().split('\n').at(-1) ?? '';
  const worked = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + Number(m) * 60 + Number(s),
    0,
  );
  return { passed, worked };
}

function show(what: string, { passed, worked }: { passed: number; worked: number }, bytes: number): void {
  const hits = DAYS * HITS;
  const rate = (seconds: number): string => Math.round(hits / seconds).toLocaleString('en');
  console.log(
    `${what}: ${rate(passed)} hits/s, ${rate(worked)} hits for each second of processor time, ${(bytes / hits).toFixed(1)} bytes a hit`,
  );
}

try {
  daybook('user', 'add', 'owner@example.com');
  daybook('site', 'add', 'owner@example.com', 'example.com');
  prepare(
    db,
    Array.from({ length: DAYS }, (_, i) => ({
      ...{ day: today() - DAYS - 1 + i, seconds: DAY_SECONDS },
      ...{ hits: HITS, visitors: Math.round(HITS / 3) },
    })),
  );
  daybook('seal');
  console.log(
    `${DAYS} days of ${HITS.toLocaleString('en')} hits each; exports should reach ${BOUND.toLocaleString('en')} hits/s`,
  );
  const to = join(folder, 'parquet');
  for (const run of ['parquet', 'parquet again']) {
    const took = await time('export', 'example.com', '--format', 'parquet', '--to', to);
    const files = readdirSync(join(to, 'example.com'), { withFileTypes: true });
    show(
      run,
      took,
      files.reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0),
    );
  }
  const lines = join(folder, 'hits.ndjson');
  show('ndjson', await time('export', 'example.com', '--format', 'ndjson', '--out', lines), statSync(lines).size);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
