// Runs the tests but those that have commands of their own, because they take long (`npm run test:long`), or start the built program
// (`npm run test:program`), browsers (`npm run test:browser`) or a cluster (test/cluster/main.ts); or those of the files that are named:
// `npm test -- test/api/hits.test.ts`.
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';
import { bundleInto } from './support/bundles.ts';
import { takePart } from './support/part.ts';

/** More than there are cores, because many tests wait for a program, a mail or a disk. */
const PROCESSES = 7;
const TIMEOUT_MS = 900_000;
/**
 * Files that have a process of their own. Those of integrations put their own timers and fetch in place of Node's. The other one searches all
 * memory of its process, which takes three times as long beside other tests.
 */
const ALONE = /^integrations\/|\/open-day-cache\.long\.test\.ts$/;
/**
 * Folders that several processes share. Nearly all that a test of a browser waits for is a Chromium, of which each process has its
 * own. Tests of a cluster wait for servers, and start some of their own, so more processes than these would have no memory.
 */
const SHARED_OUT: Record<string, number> = { browser: PROCESSES, cluster: 3 };
/** These have commands of their own: they take long, need more than npm brings, or start the program, which takes a third of a second. */
const APART = /^(node_modules|cluster|browser)$|\.(long|program)\.test\.ts$/;

/**
 * Folders whose tests have a process of their own, those that take longest first, so that they are not the last to end. All other
 * folders share one, because a start costs half a second and forgets what was compiled.
 */
const OWN = [
  'api',
  'cli',
  'jobs',
  'ledger',
  'store',
  'forms',
  'stats',
  'exchange',
  'collect',
  'http',
  'lib',
  'mail',
  'auth',
];
const OTHERS = 'others';

/** The file that runs a test. */
function groupOf(file: string, index: number): string {
  const parts = relative(import.meta.dirname, file).split(sep);
  const [folder = ''] = parts;
  if (ALONE.test(parts.join('/'))) return parts.join('-');
  const shares = SHARED_OUT[folder];
  if (shares) return `${folder}-${index % shares}.test.ts`;
  return `${OWN.includes(folder) ? folder : OTHERS}.test.${file.split('.').at(-1)}`;
}

function turnOf(group: string): number {
  const place = [OTHERS, ...OWN].findIndex((folder) => group.startsWith(`${folder}.`));
  return place < 0 ? OWN.length : place;
}

/** Writes a file for each group that imports its files. */
function entriesIn(folder: string, files: readonly string[]): string[] {
  const groups = [...Map.groupBy(files, groupOf)].sort(([one], [other]) => turnOf(one) - turnOf(other));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return groups.map(([name, group]) => {
    const entry = join(folder, name);
    writeFileSync(entry, group.map((file) => `import '${pathToFileURL(file)}';\n`).join(''));
    return entry;
  });
}

/** Files by their patterns, which must be those of some. */
function named(pattern: string): string[] {
  const found = globSync(resolve(pattern));
  if (found.length === 0) throw new Error(`${pattern}: there is no such file of tests`);
  return found;
}
const patterns = process.argv.slice(2);
const here = { cwd: import.meta.dirname, exclude: (name: string) => APART.test(name) };
const files =
  patterns.length > 0
    ? patterns.flatMap(named)
    : globSync('**/*.test.{ts,tsx}', here).map((name) => join(import.meta.dirname, name));
const folder = mkdtempSync(join(tmpdir(), 'daybook-tests-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await bundleInto(folder);
process.env.TEST_BUNDLES = folder;
const tests = run({
  files: entriesIn(folder, takePart(files.sort())),
  concurrency: PROCESSES,
  timeout: TIMEOUT_MS,
  execArgv: ['--import', pathToFileURL(join(import.meta.dirname, 'support/preload.ts')).href],
});
tests.on('test:fail', () => {
  process.exitCode = 1;
});
tests.compose(spec()).pipe(process.stdout);
