// Runs all tests, or those of the files that are named: `npm test -- test/api/hits.test.ts`.
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { pathToFileURL } from 'node:url';

/** More than there are cores, because many tests wait for a browser, a mail or a disk. */
const PROCESSES = 4;
const TIMEOUT_MS = 900_000;
/** Files of these folders put their own timers and fetch in place of Node's, so each has a process of its own. */
const ALONE = ['integrations'];

/** One process runs all files of a folder, because a start costs a quarter of a second and forgets what was compiled. */
function groupOf(file: string): string {
  const [folder = '', ...rest] = relative(import.meta.dirname, file).split(sep);
  if (ALONE.includes(folder)) return [folder, ...rest].join('-');
  return `${rest.length === 0 ? 'test' : folder}.test.${file.split('.').at(-1)}`;
}

const named = process.argv.slice(2).map((file) => resolve(file));
const files = named.length > 0 ? named : globSync(join(import.meta.dirname, '**/*.test.{ts,tsx}')).sort();
const folder = mkdtempSync(join(tmpdir(), 'daybook-tests-'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
const groups = Map.groupBy(files, groupOf);
const bytesOf = (group: readonly string[]): number => group.reduce((sum, file) => sum + statSync(file).size, 0);
/** The largest first, so that none is left alone at the end. */
const entries = [...groups]
  .sort(([, one], [, other]) => bytesOf(other) - bytesOf(one))
  .map(([name, group]) => {
    const entry = join(folder, name);
    writeFileSync(entry, group.map((file) => `import '${pathToFileURL(file)}';\n`).join(''));
    return entry;
  });

const tests = run({
  files: entries,
  concurrency: PROCESSES,
  timeout: TIMEOUT_MS,
  execArgv: ['--import', pathToFileURL(join(import.meta.dirname, 'preload.ts')).href],
  globalSetupPath: join(import.meta.dirname, 'setup.ts'),
});
tests.on('test:fail', () => {
  process.exitCode = 1;
});
tests.on('end', () => rmSync(folder, { recursive: true, force: true }));
tests.compose(spec()).pipe(process.stdout);
