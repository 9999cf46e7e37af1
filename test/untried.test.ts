import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
