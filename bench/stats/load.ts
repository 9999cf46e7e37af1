// Measures how many hits a second are stored and acknowledged, first without queries. Then one client requests reports
// over the last 12 months without a pause. Usage: `node bench/stats/load.ts`, or `--load` of main.ts. Needs Debian's
// `wrk`.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { daybook, type Server } from './daybook.ts';
import { prepare } from './prepare.ts';
import { QUESTIONS } from './questions.ts';
import { median, ms, show } from './table.ts';

const CONNECTIONS = 256;
const SECONDS = 15;
const WARM_UP_SECONDS = 3;
const SCRIPT = join(import.meta.dirname, '../messages.lua');

async function wrk(url: string, seconds: number): Promise<{ rate: number; p99: string }> {
  const args = ['-c', '1', 'wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-s', SCRIPT, url];
  const { stdout } = await promisify(execFile)('taskset', args);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const of = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? '';
  return { rate: Number(of(/Requests\/sec:\s+([\d.]+)/)), p99: of(/99%\s+(\S+)/) };
}

/** Puts one query after another until `work` is done. Returns how many milliseconds each took. */
async function askDuring(work: Promise<unknown>, { ask }: Server): Promise<number[]> {
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  const times: number[] = [];
  const ofYear = QUESTIONS.filter(({ days }) => days === undefined);
  for (let i = 0; !isDone; i = (i + 1) % ofYear.length) {
    const question = ofYear[i];
    const start = performance.now();
    if (question) await ask(question, '12m');
    times.push(performance.now() - start);
  }
  return times;
}

/** `product` already has a year of hits. */
export async function load(product: ReturnType<typeof daybook>, isMarkdown: boolean): Promise<void> {
  const flags = ['--flood', '0', '--trusted-proxies', '127.0.0.1'];
  const server = await product.serve(flags, ['taskset', '-c', '0']);
  try {
    await wrk(server.url, WARM_UP_SECONDS);
    const quiet = { ...(await wrk(server.url, SECONDS)), memory: server.memory(), times: [] };
    const work = wrk(server.url, SECONDS);
    const [hits, times] = await Promise.all([work, askDuring(work, server)]);
    const busy = { ...hits, memory: server.memory(), times };
    const row = (what: string, { rate, p99, memory, times }: typeof busy): string[] => {
      const reports = times.length > 0 ? [(times.length / SECONDS).toFixed(1), ms(median(times))] : ['', ''];
      return [what, Math.round(rate).toLocaleString('en'), p99, ...reports, memory.toFixed(0)];
    };
    const head = [`${CONNECTIONS} connections`, 'hits/s', 'p99', 'reports/s', 'ms in the median', 'MB RSS'];
    show(head, [row('nobody asks', quiet), row('one client asks', busy)], isMarkdown);
  } finally {
    await server.close();
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { hits: { type: 'string', default: '1000000' }, markdown: { type: 'boolean', default: false } },
  });
  const folder = mkdtempSync(join(tmpdir(), 'daybook-bench-'));
  try {
    const product = daybook(folder);
    await prepare(folder, Number(values.hits), product, []);
    await load(product, values.markdown);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
