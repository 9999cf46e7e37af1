// Runs tests against a cluster of two shards with two replicas each: those that are named, or all that ask an engine.
// With PART=0/4 only every fourth file of the other folders runs. With OWN_PART=0/2 only every second file of this folder runs.
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takePart } from '../support/part.ts';
import { hostsOf, startCluster } from './servers.ts';

/** The tests of the API and of other folders that ask an engine, whichever that is, and those of this folder. */
const TESTS = {
  api: [
    ...[
      'all-sites',
      'arrivals',
      'blocks',
      'crawls',
      'deletions',
      'effects',
      'event-streams',
      'exclusions',
      'funnels',
      'goals',
      'hits',
      'live',
      'matrix',
    ],
    ...[
      'outages',
      'page-parameters',
      'private-paths',
      'renaming',
      'shares',
      'site-paths',
      'sites',
      'stats',
      'suggestions',
      'zones',
    ],
  ],
  cli: ['export', 'import-counts', 'verify'],
  collect: ['blocks', 'excluded', 'revenue', 'strangers', 'usage', 'vitals'],
  exchange: ['day-sums', 'parquet/duckdb'],
  jobs: ['parquet', 'receipts'],
  mcp: ['*'],
  receipts: ['check-chain', 'engines', 'random'],
  stats: [
    ...[
      'all-sites',
      'answers',
      'as-of',
      'exclusions',
      'explain-answers',
      'hostnames',
      'properties',
      'revenue',
      'scroll',
      'hours',
      'intervals',
      'journeys',
      'questions',
      'refusals',
      'row-figures',
      'row-refusals',
    ],
    ...['same-hours', 'suggestions', 'table', 'table-reports'],
  ],
  cluster: ['**/*'],
};
const PATTERNS = Object.entries(TESTS).flatMap(([place, names]) =>
  names.map((name) => `${place}/${name}{,.long}.test.ts`),
);
const [own = [], others = []] = [true, false].map((isOwn) =>
  globSync(PATTERNS, { cwd: join(import.meta.dirname, '..') })
    .sort()
    .filter((name) => name.startsWith('cluster/') === isOwn),
);
const FILES = [...takePart(others), ...takePart(own, process.env.OWN_PART)].map((name) =>
  join(import.meta.dirname, '..', name),
);

const folder = mkdtempSync(join(tmpdir(), 'daybook-cluster-'));
const servers = await startCluster(folder, 2, 2);
const named = process.argv.slice(2);
const files = named.length > 0 ? named : FILES;
const runner = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), ...files], {
  stdio: 'inherit',
  env: { ...process.env, PART: '0/1', TEST_CLUSTER: hostsOf(servers), TEST_CLUSTER_FOLDER: folder },
});
process.exitCode = await new Promise<number>((resolve) => runner.once('exit', (code) => resolve(code ?? 1)));
await Promise.all(servers.map(({ kill }) => kill()));
rmSync(folder, { recursive: true, force: true });
