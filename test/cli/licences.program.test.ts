import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { program } from '../support/program.ts';

const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
};

test('the program brings the licences of all that is in it', async (t) => {
  const text = await program(t).print(['licences']);
  assert.ok(text.startsWith('MIT License'));
  for (const [name, version] of Object.entries(dependencies)) assert.ok(text.includes(`\n${name} ${version} `), name);
  // yauzl needs it.
  assert.match(text, /\npend \d/);
});
