// Measures what a hit and a query cost on this machine. From these costs, sizes.ts computes the servers of a cluster.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { clock } from '../../src/cli/command.ts';
import { connect } from '../../src/cluster/servers/connect.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { processorTime } from '../paced.ts';
import { linesOf } from '../stats/prepare.ts';
import { SITE, traffic, yearOf } from '../stats/traffic.ts';
import type { Costs } from './sizes.ts';
import type { Stage } from './stage.ts';

const PROGRAM = join(import.meta.dirname, '../../dist/daybook.mjs');
const HITS = 400_000;
const TIMES = 5;

/** The costs of taking hits. They are measured before there are sealed days. */
export type TakingCosts = Pick<Costs, 'collector' | 'clickhouse' | 'sent' | 'open'>;

/** Fills a year with sealed hits, and runs queries about all of it. */
export async function costsOf(stage: Stage, taking: TakingCosts): Promise<Costs> {
  const { db: path, engine, servers, primary, token, folder } = stage;
  const year = yearOf(HITS, Date.now());
  const lines = join(folder, 'year.ndjson');
  const file = openSync(lines, 'w');
  for (const hits of traffic(year)) writeSync(file, hits.map(linesOf).join(''));
  closeSync(file);
  if (statSync(lines).size === 0) throw new Error('no hits were made');
  const words = ['import', SITE, lines, '--format', 'ndjson', '--replace', '--engine', engine, '--db', path];
  execFileSync(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
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
  return { ...taking, sealed: bytes / hits, filtered: (Math.max(0, filtered - least) / hits) * 1e6, least };
}
