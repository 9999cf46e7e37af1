// Puts the same queries to daybook, ClickHouse and DuckDB, about the same year. All answers must be equal. Run `npm
// install` in bench/, then `npm run bench` in the folder above.
//
// --hits N, --runs N and --markdown change the size and the output. --load measures hits during queries. --growth
// 1,10,30 measures only daybook, with these millions of hits. --cluster also measures daybook with a cluster of two
// shards, after `npm ci --prefix test/cluster`. --folder F keeps the filled files in F, and uses them again.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { clickhouse } from './clickhouse.ts';
import { cluster } from './cluster.ts';
import { disagreements, engineParty, productParty, times } from './compare.ts';
import { daybook, type Server } from './daybook.ts';
import { duckdb } from './duckdb.ts';
import { growth } from './growth.ts';
import { load } from './load.ts';
import { prepare } from './prepare.ts';
import { nameOf, QUESTIONS } from './questions.ts';
import { ms, show } from './table.ts';

const { values } = parseArgs({
  options: {
    hits: { type: 'string', default: '10000000' },
    runs: { type: 'string', default: '9' },
    folder: { type: 'string' },
    growth: { type: 'string' },
    load: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});
const WARM_UPS = 2;
/** After this time without work, the server has freed the memory of its start. */
const REST_MS = 120_000;
/** A server that works uses more processor time during this rest. */
const IDLE_MICROS = 1e6;
const runs = Number(values.runs);
const print = (head: readonly string[], rows: readonly (readonly string[])[]): void =>
  show(head, rows, values.markdown);

/** Waits until the server has done the work of its start, such as a backup and a restore test, and has rested. */
async function rest({ cpu }: Server): Promise<void> {
  let before: number;
  do {
    before = cpu();
    await setTimeout(REST_MS);
  } while (cpu() - before > IDLE_MICROS);
}

async function compare(folder: string): Promise<void> {
  const product = daybook(folder);
  const engines = [await clickhouse(join(folder, 'clickhouse')), await duckdb(join(folder, 'year.duckdb'))];
  const { year, visits, seconds } = await prepare(folder, Number(values.hits), product, engines);
  const about = engines.map(({ name, version }) => `${name} ${version}`);
  console.log(
    `${year.hits.toLocaleString('en')} hits in ${visits.toLocaleString('en')} visits, ${year.from} to ${year.to}`,
  );
  console.log(`node ${process.version}, ${about.join(', ')}, ${cpus().length} × ${cpus()[0]?.model}\n`);

  const server = await product.serve();
  try {
    await setTimeout(1000);
    const afterStart = server.memory();
    await rest(server);
    const atRest = server.memory();
    const parties = [productParty(server), ...engines.map(engineParty)];
    const apart = await disagreements(parties, year);
    if (apart.length > 0) throw new Error(`The answers differ:\n${apart.join('\n')}`);

    const medians = await times(parties, year, runs, WARM_UPS);
    const rows = medians.map((answers, i): string[] => {
      const taken = answers.map(({ time }) => time);
      const [ours = 0, ...theirs] = taken;
      const question = QUESTIONS[i];
      return [question ? nameOf(question) : '', ...taken.map(ms), ...theirs.map((time) => (ours / time).toFixed(2))];
    });
    const names = parties.map(({ name }) => name);
    print(['ms in the median', ...names, ...names.slice(1).map((name) => `of ${name}`)], rows);

    const sizes = [product.bytes(), ...(await Promise.all(engines.map(({ bytes }) => bytes())))];
    const loads = names.map((name, i) => {
      const rate = Math.round(year.hits / (seconds[name] ?? 0)).toLocaleString('en');
      const size = (sizes[i] ?? 0) / 1e6;
      return [name, (seconds[name] ?? 0).toFixed(1), rate, size.toFixed(1), ((size * 1e6) / year.hits).toFixed(1)];
    });
    print(['taking the year', 'seconds', 'hits/s', 'MB on disk', 'MB per million'], loads);
    console.log('daybook reads ndjson and cuts the visits; the others read tables in which they are cut.');
    const ours = medians.map(([own], i) => ({ time: own?.time ?? 0, isTable: QUESTIONS[i]?.report === 'table' }));
    const [tables, reports] = [true, false].map((wanted) =>
      ours.filter(({ isTable }) => isTable === wanted).map(({ time }) => time),
    ) as [number[], number[]];
    console.log(`fastest report: ${ms(Math.min(...reports))} ms, slowest report: ${ms(Math.max(...reports))} ms`);
    console.log(`slowest table: ${ms(Math.max(...tables))} ms`);
    console.log(`start: ${server.startSeconds.toFixed(2)} s`);
    const megabytes = [afterStart, atRest, server.memory()].map((memory) => `${memory.toFixed(0)} MB`);
    console.log(
      `memory: ${megabytes[0]} after the start, ${megabytes[1]} at rest, ${megabytes[2]} after the questions\n`,
    );
  } finally {
    await server.close();
    for (const engine of engines) engine.close();
  }
  if (values.load) await load(product, values.markdown);
}

if (values.growth) {
  await growth(values.growth.split(',').map(Number), runs, values.markdown);
} else {
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'daybook-bench-'));
  try {
    mkdirSync(folder, { recursive: true });
    if (values.cluster) await cluster(folder, Number(values.hits), runs, values.markdown);
    else await compare(folder);
  } finally {
    if (!values.folder) rmSync(folder, { recursive: true, force: true });
  }
}
