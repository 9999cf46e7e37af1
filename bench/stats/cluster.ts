import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CLUSTER, hostsOf, type Server, startCluster } from '../../test/cluster/servers.ts';
import { processorTime } from '../paced.ts';
import { clickhouse } from './clickhouse.ts';
import { disagreements, engineParty, type Party, productParty, times } from './compare.ts';
import { daybook } from './daybook.ts';
import { prepare } from './prepare.ts';
import { nameOf, QUESTIONS } from './questions.ts';
import { ms, show } from './table.ts';

const NAME = 'on two shards';
const SHARDS = 2;
const WARM_UPS = 1;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

async function ask(servers: readonly Server[], sql: string): Promise<number> {
  const answers = await Promise.all(
    servers.map(({ http }) => fetch(`http://127.0.0.1:${http}/`, { method: 'POST', body: sql })),
  );
  return sum(await Promise.all(answers.map(async (answer) => Number(await answer.text()))));
}

/**
 * Puts the same queries to three parties: daybook with a file, daybook with a cluster, and ClickHouse with SQL of its
 * own.
 */
export async function cluster(folder: string, hits: number, runs: number, isMarkdown: boolean): Promise<void> {
  const at = join(folder, 'cluster');
  mkdirSync(at, { recursive: true });
  const servers = await startCluster(at, SHARDS, 1);
  const [product, alone] = [daybook(folder), await clickhouse(join(folder, 'clickhouse'))];
  const over = daybook(at, `clickhouse://${hostsOf(servers)}/bench?cluster=${CLUSTER}`);
  const closing: (() => unknown)[] = [() => alone.close()];
  try {
    const { year, visits, seconds } = await prepare(folder, hits, product, [alone], { [NAME]: over });
    console.log(`${year.hits.toLocaleString('en')} hits in ${visits.toLocaleString('en')} visits\n`);
    const [own, there] = [await product.serve(), await over.serve()];
    closing.push(() => Promise.all([own.close(), there.close()]));
    const ofServers = () => sum(servers.map(({ pid }) => processorTime(pid())));
    const parties: Party[] = [
      productParty(own),
      productParty({ ask: there.ask, cpu: () => there.cpu() + ofServers() }, NAME),
      engineParty(alone),
    ];
    const apart = await disagreements(parties, year);
    if (apart.length > 0) throw new Error(`The answers differ:\n${apart.join('\n')}`);
    const taken = await times(parties, year, runs, WARM_UPS);
    const rows = taken.map((answers, i): string[] => [
      nameOf(QUESTIONS[i] as (typeof QUESTIONS)[number]),
      ...answers.map(({ time }) => ms(time)),
      ...answers.map(({ cpu }) => cpu.toFixed(0)),
    ]);
    const names = parties.map(({ name }) => name);
    show(['ms in the median', ...names, ...names.map((name) => `CPU ${name}`)], rows, isMarkdown);
    const totals = names.map((_, i) => sum(taken.map((answers) => answers[i]?.cpu ?? 0)) / taken.length);
    console.log(
      `CPU of a question in the mean: ${names.map((name, i) => `${name} ${ms(totals[i] ?? 0)} ms`).join(', ')}`,
    );
    const bytes = await ask(servers, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'bench'");
    console.log(
      `${NAME}: ${(bytes / year.hits).toFixed(1)} bytes a hit on the disks, taken in ${(seconds[NAME] ?? 0).toFixed(1)} s; ${(product.bytes() / year.hits).toFixed(1)} in the file, in ${(seconds.daybook ?? 0).toFixed(1)} s`,
    );
  } finally {
    for (const close of closing.reverse()) await close();
    await Promise.all(servers.map(({ kill }) => kill()));
  }
}
