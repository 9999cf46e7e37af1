// Measures how many lines of an access log are read in a second. The built program runs on one core. `wc -l` reads the
// same file, to show the speed of the machine. Build first. Needs taskset and bash. Other programs may use the machine
// too, so the processor time is shown beside the elapsed time.

import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NODE } from './shipped.ts';

const LINES = 2_000_000;
const PAGES = 5_000;
const DAYS = 7;

const PEOPLE = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];
const CRAWLERS = [
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
];

/** Makes a source of whole numbers from 0 up to n. The numbers are the same in each run. */
function dice(): (n: number) => number {
  let state = 1;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Writes the log. Returns how many of its lines are of crawlers. */
function makeLog(path: string): number {
  const roll = dice();
  const file = openSync(path, 'w');
  let crawls = 0;
  for (let i = 0; i < LINES; ) {
    let block = '';
    for (const end = Math.min(LINES, i + 10_000); i < end; i++) {
      const isCrawler = roll(50) === 0;
      if (isCrawler) crawls++;
      const agents = isCrawler ? CRAWLERS : PEOPLE;
      const second = new Date(Date.UTC(2026, 2, 2) + Math.floor((i / LINES) * DAYS * 86_400) * 1000).toISOString();
      const time = `${second.slice(8, 10)}/Mar/2026:${second.slice(11, 19)} +0000`;
      block += `192.0.2.${roll(255)} - - [${time}] "GET /articles/page-${roll(PAGES)} HTTP/1.1" 200 ${roll(90_000)} "https://example.com/" "${agents[roll(agents.length)]}"\n`;
    }
    writeSync(file, block);
  }
  closeSync(file);
  return crawls;
}

/** Runs a command. Returns the elapsed seconds, the seconds of processor time, and the output. */
function timed(...command: string[]): [passed: number, worked: number, output: string] {
  const args = ['-c', '0', 'bash', '-c', 'TIMEFORMAT="%R %U %S"; time "$@"', 'bash', ...command];
  const { stdout, stderr, status } = spawnSync('taskset', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const [passed = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return [passed, user + system, stdout];
}

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
try {
  const program = join(import.meta.dirname, '../dist/daybook.mjs');
  const log = join(folder, 'access.log');
  const crawls = makeLog(log);
  const size = statSync(log).size;
  console.log(`${LINES} lines, ${(size / 1e6).toFixed(0)} MB, ${crawls} of AI crawlers`);
  execFileSync('gzip', ['-k', '-1', log]);

  const rate = (seconds: number): string => (LINES / seconds / 1e6).toFixed(2).padStart(8);
  function show(what: string, [passed, worked]: ReturnType<typeof timed>): void {
    console.log(what.padEnd(24), rate(passed), rate(worked));
  }
  console.log('million lines a second'.padEnd(24), '  passed', '  worked');
  for (const file of [log, `${log}.gz`]) {
    const isPacked = file !== log;
    const db = ['--db', join(folder, isPacked ? 'packed.db' : 'plain.db')];
    execFileSync(process.execPath, [program, 'user', 'add', 'owner@example.com', ...db], { stdio: 'pipe' });
    execFileSync(process.execPath, [program, 'site', 'add', 'owner@example.com', 'example.com', ...db]);
    const daybook = () => timed(...NODE, program, 'logs', 'example.com', file, ...db);
    const counted = daybook();
    const expected = `${LINES} lines read, ${crawls} requests of AI crawlers counted\n`;
    if (!counted[2].startsWith(expected)) throw new Error(counted[2]);
    show(`daybook logs${isPacked ? ', gzip' : ''}`, counted);
    show('  the same again', daybook());
    show(
      isPacked ? '  zcat' : '  wc -l',
      isPacked ? timed('bash', '-c', `zcat ${file} | wc -l`) : timed('wc', '-l', file),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
