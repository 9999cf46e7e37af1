import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';

const at = (path: string): string => join(import.meta.dirname, '..', path);
const text = readFileSync(at('release/UNTRIED.md'), 'utf8');
const rows = [...text.matchAll(/^\| (?!not tried)(.+) \| (.+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);

test('untried: the checklist of a release starts with the one list of what was not tried', () => {
  const [, first = ''] = /^1\. (.+)$/m.exec(readFileSync(at('release/README.md'), 'utf8')) ?? [];
  assert.match(first, /^Read \[UNTRIED\]\(UNTRIED\.md\)/);
});

test('untried: each row says what was done instead, and names only files that there are', () => {
  assert.ok(rows.length >= 15);
  for (const row of rows) {
    for (const cell of row) assert.ok(cell.trim().length > 6, row.join(' | '));
    for (const [, path = ''] of row.join(' ').matchAll(/`((?:deploy|\.github)\/[\w./-]+)`/g))
      assert.ok(existsSync(at(path)), path);
  }
});

/** What a document says of something that we could not run. */
const SAID = /\b(?:ha(?:s|ve) (?:not|never) (?:been )?(?:built|opened|run|tested|tried)|could not (?:run|try))\b/i;

test('untried: each document that names something as not run has a row in the list', () => {
  const files = globSync('{docs,integrations,deploy}/**/*.md', { cwd: at('.') }).filter(
    // These compare other products, and say where the list is.
    (path) => !/compare\.md|catalogues/.test(path),
  );
  const said = files.filter((path) => SAID.test(readFileSync(at(path), 'utf8').replaceAll(/\s+/g, ' ')));
  assert.ok(said.length > 5, said.join());
  for (const path of said) assert.ok(text.includes(`](../${path}`), path);
});

test('untried: each platform that has a file of ours is named, until somebody has run it there', () => {
  const platforms = [
    'Cloudflare',
    'Netlify',
    'Vercel',
    'Shopify',
    'Webflow',
    'Ghost',
    'Keycloak',
    'Authentik',
    'Authelia',
  ];
  const catalogues = globSync('deploy/catalogues/*/', { cwd: at('.') }).map((path) => basename(path));
  assert.ok(catalogues.length > 5);
  for (const name of [...platforms, ...catalogues]) assert.match(text, new RegExp(name, 'i'), name);
});
