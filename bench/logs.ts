// How many lines of an access log a second are looked through: the built program on one core, beside `wc -l` of the same
// file as the measure of the machine. `npm run bench:logs` (needs taskset).
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** Numbers from 0 up to n, the same ones each time. */
function dice(): (n: number) => number {
  let state = 1;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Writes the log, and says how many of its lines are of crawlers. */
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

function timed(...command: [string, ...string[]]): [seconds: number, output: string] {
  const [first, ...rest] = command;
  const start = performance.now();
  const output = execFileSync('taskset', ['-c', '0', first, ...rest], { encoding: 'utf8' });
  return [(performance.now() - start) / 1000, output];
}

const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
try {
  const program = join(import.meta.dirname, '../dist/daybook.mjs');
  const log = join(folder, 'access.log');
  const crawls = makeLog(log);
  const size = statSync(log).size;
  console.log(`${LINES} lines, ${(size / 1e6).toFixed(0)} MB, ${crawls} of AI crawlers`);
  execFileSync('gzip', ['-k', '-1', log]);

  const show = (what: string, [seconds]: [number, string]): void =>
    console.log(`${what.padEnd(24)} ${(LINES / seconds / 1e6).toFixed(2).padStart(6)} million lines/s`);
  for (const [name, file, measure] of [
    ['plain', log, timed('wc', '-l', log)],
    ['gzip', `${log}.gz`, timed('sh', '-c', `zcat ${log}.gz | wc -l`)],
  ] as const) {
    const db = ['--db', join(folder, `${name}.db`)];
    execFileSync(process.execPath, [program, 'user', 'add', 'owner@example.com', ...db], { stdio: 'pipe' });
    execFileSync(process.execPath, [program, 'site', 'add', 'owner@example.com', 'example.com', ...db]);
    const counted = timed(process.execPath, '--max-semi-space-size=8', program, 'logs', 'example.com', file, ...db);
    const expected = `${LINES} lines read, ${crawls} requests of AI crawlers counted\n`;
    if (!counted[1].startsWith(expected)) throw new Error(counted[1]);
    show(`daybook logs, ${name}`, counted);
    show(name === 'plain' ? 'wc -l' : 'zcat | wc -l', measure);
    show(
      'daybook logs, again',
      timed(process.execPath, '--max-semi-space-size=8', program, 'logs', 'example.com', file, ...db),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
