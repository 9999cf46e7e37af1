import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

type Version = { version: string; faultsOf(tag?: string): string[] };

const at = (path: string): string => join(import.meta.dirname, '..', path);
const { version, faultsOf }: Version = await import(at('release/version.mjs'));
const workflow = readFileSync(at('.github/workflows/release.yml'), 'utf8');
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
  const known = [...readFileSync(at('binary.mjs'), 'utf8').matchAll(/^ {2}'([\w-]+)': \{ node:/gm)];
  assert.deepEqual(targets.sort(), known.map(([, name]) => name).sort());
});
