// Computes how many servers a number of hits a month needs. The computation starts from what a row and a query cost on
// this machine.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { clock } from '../../src/cli/command.ts';
import { connect } from '../../src/cluster/servers/connect.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { processorTime } from '../paced.ts';
import { SITE, traffic, yearOf } from '../stats/traffic.ts';
import type { Stage } from './stage.ts';

const PROGRAM = join(import.meta.dirname, '../../dist/daybook.mjs');
const HITS = 400_000;
const TIMES = 5;

/** The measured costs of one hit, on one replica. */
export type Costs = {
  /** The bytes of a sealed hit, with its share of the sums. */
  bytes: number;
  /** The processor time for taking a hit in a collector, in microseconds. `clickhouse` is the same in ClickHouse. */
  collector: number;
  clickhouse: number;
  /** The processor time of a query in seconds: `filtered` reads a million hits, and the next field reads none. */
  filtered: number;
  least: number;
};

/** Fills a year with sealed hits, and runs queries about all of it. */
export async function costsOf(stage: Stage, taking: Pick<Costs, 'collector' | 'clickhouse'>): Promise<Costs> {
  const { db: path, engine, servers, primary, token, folder } = stage;
  const year = yearOf(HITS, Date.now());
  const lines = join(folder, 'year.ndjson');
  const file = openSync(lines, 'w');
  for (const hits of traffic(year))
    writeSync(file, hits.map(({ engaged: _, ...hit }) => `${JSON.stringify(hit)}\n`).join(''));
  closeSync(file);
  if (statSync(lines).size === 0) throw new Error('no hits were made');
  const words = ['import', SITE, lines, '--format', 'ndjson', '--replace', '--engine', engine, '--db', path];
  execFileSync(process.execPath, [PROGRAM, ...words], { stdio: 'ignore' });
  const { db, close } = openStore(path);
  const { nodes } = await connect(engine, db, clock);
  const sum = async (sql: string) => (await nodes.ask<{ n: number }>(sql)).reduce((all, { n }) => all + Number(n), 0);
  const hits = await sum('SELECT sum(pageviews + events) AS n FROM visit');
  const bytes = await sum(
    "SELECT sum(bytes_on_disk) AS n FROM system.parts WHERE active AND table IN ('visit', 'tally') AND database = 'bench'",
  );
  close();
  const time = () => servers.reduce((all, { pid }) => all + processorTime(pid()), 0);
  const ask = async (question: string): Promise<number> => {
    const url = `${primary.url}/api/v1/sites/1/stats/${question}`;
    const once = async () => {
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
      if (answer.status !== 200) throw new Error(`${question}: ${answer.status}`);
    };
    await once();
    const before = time();
    for (let n = 0; n < TIMES; n++) await once();
    return (time() - before) / 1e6 / TIMES;
  };
  const filtered = await ask(`breakdown/pages?range=${year.from}~${year.to}&filters[country]=US`);
  const least = await ask('breakdown/pages?range=2001-01-01~2001-01-31&filters[country]=US');
  return { ...taking, bytes: bytes / hits, filtered: (Math.max(0, filtered - least) / hits) * 1e6, least };
}

/** The size of a machine in the table. */
const CORES = 16;
const DISK = 2e12;
const REPLICAS = 2;
/**
 * The busiest second has `PEAK` times the hits of an average second. Of a core, at most `BUSY` may be in use then.
 * `LARGEST` is the largest site's share of all hits.
 */
const PEAK = 3;
const BUSY = 0.5;
const LARGEST = 0.1;
const YEARS = 3;
const SECONDS_A_MONTH = 30 * 86_400;

/** Computes, for a number of hits a month: machines, bytes, and the time of the slowest queries. */
function sizesOf(costs: Costs, monthly: number) {
  const peak = (monthly / SECONDS_A_MONTH) * PEAK;
  const collectors = Math.max(1, Math.ceil((peak * costs.collector) / 1e6 / BUSY));
  const bytes = monthly * costs.bytes;
  const shards = Math.max(
    1,
    Math.ceil((bytes * 12 * YEARS) / DISK),
    Math.ceil((peak * costs.clickhouse) / 1e6 / (CORES * BUSY)),
  );
  const seconds = (hits: number) => costs.least + ((hits / 1e6) * costs.filtered) / shards / CORES;
  return {
    peak,
    collectors: collectors + 1,
    nodes: shards * REPLICAS,
    bytes,
    day: seconds((monthly * LARGEST) / 30),
    month: seconds(monthly * LARGEST),
  };
}

const row = (...cells: string[]): string => cells.map((cell) => cell.padStart(14)).join(' ');
const MONTHLY = [1e7, 1e8, 1e9, 1e10];

export function printSizes(costs: Costs): void {
  const { bytes, collector, clickhouse, filtered, least } = costs;
  console.log(
    `a sealed hit takes ${bytes.toFixed(1)} bytes on a replica; taking one ${collector.toFixed(0)} µs of a collector and ${clickhouse.toFixed(0)} of ClickHouse;`,
  );
  console.log(
    `a filtered question ${(least * 1000).toFixed(0)} ms of CPU, and ${(filtered * 1000).toFixed(0)} ms for each million hits`,
  );
  console.log(
    `servers of ${CORES} cores and ${DISK / 1e12} TB, ${REPLICAS} replicas of each shard, ${YEARS} years kept; the largest site has a tenth of the hits`,
  );
  console.log(
    row('hits a month', 'peak hits/s', 'collectors', 'servers', 'GB a month', 'day, filtered', 'month, filtered'),
  );
  for (const monthly of MONTHLY) {
    const { peak, collectors, nodes, bytes: all, day, month } = sizesOf(costs, monthly);
    const cells = [
      monthly.toLocaleString('en'),
      peak.toFixed(0),
      String(collectors),
      String(nodes),
      (all / 1e9).toFixed(1),
    ];
    console.log(row(...cells, `${day.toFixed(2)} s`, `${month.toFixed(2)} s`));
  }
}
