import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = new URL('../../integrations/wordpress/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

test('WordPress: each text of the plugin is translated, and no language has an old one', () => {
  const code = readdirSync(new URL('includes/', FOLDER)).map((name) => read(`includes/${name}`));
  const texts = code.flatMap((text) =>
    [...text.matchAll(/(?:__|esc_html__)\( '((?:[^'\\]|\\.)*)', 'daybook' \)/g)].map((found) => found[1] ?? ''),
  );
  const distinct = [...new Set(texts)].sort();
  assert.ok(distinct.length > 30);
  for (const name of readdirSync(new URL('languages/', FOLDER))) {
    const form = name.endsWith('.pot') ? /^msgid "(.+)"$/gm : /^\t\t'((?:[^'\\]|\\.)*)' => '.+',$/gm;
    const found = [...read(`languages/${name}`).matchAll(form)].map((line) => (line[1] ?? '').replaceAll('\\"', '"'));
    assert.deepEqual(found.sort(), distinct, name);
  }
});
