// Runs tests against a cluster of two shards with two replicas each: those that are named, or all that ask an engine.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostsOf, startCluster } from './servers.ts';

/** The tests that hold for every engine, and those of this one. */
const TESTS = [
  ...['all-sites', 'answers', 'exclusions', 'hours', 'intervals', 'questions', 'row-figures', 'same-hours'],
  ...['suggestions'],
];
const FILES = [
  ...TESTS.map((name) => join(import.meta.dirname, `../stats/${name}.test.ts`)),
  ...['engine', 'nodes', 'source', 'away', 'collectors', 'deploy', 'move', 'kill'].map((name) =>
    join(import.meta.dirname, `${name}.test.ts`),
  ),
];

const folder = mkdtempSync(join(tmpdir(), 'daybook-cluster-'));
const servers = await startCluster(folder, 2, 2);
const named = process.argv.slice(2);
const files = named.length > 0 ? named : FILES;
const runner = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), ...files], {
  stdio: 'inherit',
  env: { ...process.env, TEST_CLUSTER: hostsOf(servers), TEST_CLUSTER_FOLDER: folder },
});
process.exitCode = await new Promise<number>((resolve) => runner.once('exit', (code) => resolve(code ?? 1)));
await Promise.all(servers.map(({ kill }) => kill()));
rmSync(folder, { recursive: true, force: true });
