// Measures what receipts cost: `npm run bench:receipts`. `-- 100000` takes another number of hits a day. First the
// digests of two days are computed and signed. Then an export is checked against them. Other programs may use the
// machine too, so the processor time is shown.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, today } from './open-day/prepare.ts';

const DAYS = 2;
const HITS = Number(process.argv[2] ?? 500_000);
const DAY_SECONDS = 86_400;
/** More seconds of processor time for a million hits would be too many. */
const BOUND = 10;

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
const db = join(folder, 'daybook.db');
const program = join(import.meta.dirname, '../dist/daybook.mjs');

/** Runs a command, and returns the seconds of processor time that it took. The last line of `times` has them. */
function daybook(...args: string[]): number {
  const command = ['-c', '"$@" && times', 'bash', process.execPath, program, ...args];
  const said = execFileSync('bash', command, { encoding: 'utf8', env: { ...process.env, DAYBOOK_DB: db } });
  const ofChildren = said.trimEnd().split('\n').at(-1) ?? '';
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
}

const show = (what: string, seconds: number): void =>
  console.log(`${what}: ${((seconds * 1e6) / (DAYS * HITS)).toFixed(1)} s of processor time for a million hits`);

try {
  daybook('user', 'add', 'owner@example.com');
  daybook('site', 'add', 'owner@example.com', 'example.com');
  const days = Array.from({ length: DAYS }, (_, i) => ({
    ...{ day: today() - DAYS - 1 + i, seconds: DAY_SECONDS },
    ...{ hits: HITS, visitors: Math.round(HITS / 3) },
  }));
  prepare(db, days);
  daybook('seal');
  console.log(`${DAYS} days of ${HITS.toLocaleString('en')} hits each; the bound is ${BOUND} s`);
  const [receipts, hits] = [join(folder, 'receipts.json'), join(folder, 'hits.ndjson')];
  show('receipts', daybook('receipts', 'export', 'example.com', '--out', receipts));
  daybook('export', 'example.com', '--format', 'ndjson', '--out', hits);
  show('verify', daybook('verify', receipts, '--export', hits));
} finally {
  rmSync(folder, { recursive: true });
}
