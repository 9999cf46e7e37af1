import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** What each floor may import besides itself, node and packages. The files of OPEN are open to all. */
const MAY_IMPORT: Record<string, string[]> = {
  lib: [],
  metrics: ['lib', 'store'],
  threads: ['lib', 'ledger', 'stats', 'store'],
  store: ['lib'],
  classify: ['lib', 'store'],
  collect: ['lib', 'store', 'classify', 'ledger', 'metrics'],
  logs: ['lib', 'store', 'classify', 'collect', 'ledger'],
  auth: ['lib', 'store'],
  ledger: ['lib', 'store', 'metrics', 'stats', 'collect'],
  stats: ['lib', 'store', 'ledger', 'threads'],
  exchange: ['lib', 'store', 'classify', 'collect', 'ledger', 'logs', 'cli'],
  mail: ['lib', 'store', 'auth', 'stats'],
  pages: ['lib', 'store', 'auth', 'classify', 'collect', 'mail', 'stats'],
  doctor: ['lib', 'store', 'classify', 'ledger', 'mail'],
  demo: ['lib', 'store', 'classify', 'collect', 'exchange'],
  api: ['lib', 'store', 'auth', 'mail', 'classify', 'collect', 'ledger', 'stats', 'doctor'],
};
const OPEN = ['config.ts'];

const source = new URL('../src/', import.meta.url);
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** What a file imports from other files of ours, as paths below src. */
function importsOf(file: string): string[] {
  const text = readFileSync(new URL(file, source), 'utf8');
  return [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) =>
    new URL(path ?? '', new URL(file, source)).pathname.slice(source.pathname.length),
  );
}

const floorOf = (file: string): string => file.split('/').slice(0, -1)[0] ?? '';

test('a floor imports only what its row allows', () => {
  assert.ok(files.length > 40);
  for (const file of files.filter((name) => floorOf(name) in MAY_IMPORT)) {
    const allowed = [floorOf(file), ...(MAY_IMPORT[floorOf(file)] ?? [])];
    for (const path of importsOf(file)) {
      assert.ok(
        OPEN.includes(path) || floorOf(path) === 'assets' || allowed.includes(floorOf(path)),
        `${file} must not import ${path}`,
      );
    }
  }
});

test('no noun of the API imports another', () => {
  const nouns = files.filter((file) =>
    /^api\/(account|sites|goals|funnels|notes|embeds|team|tokens|sessions|server)\.ts$/.test(file),
  );
  assert.equal(nouns.length, 10);
  for (const file of nouns)
    assert.deepEqual(
      importsOf(file).filter((path) => nouns.includes(path)),
      [],
      file,
    );
});

test('SQL is prepared, the clock is read and the environment is looked at only where that belongs', () => {
  const places: [RegExp, RegExp][] = [
    [/\.prepare\(|\bfrom 'better-sqlite3'/, /^store\//],
    [/process\.env/, /^main\.ts$/],
    [/process\.exit/, /^main\.ts$/],
    [/Date\.now\(\)|new Date\(\)|performance\.now\(\)/, /^(main\.ts|cli\/|web\/)/],
    [/Math\.random\(|\brandomBytes\b/, /^(assets\/native\.ts|cli\/)/],
  ];
  for (const file of files) {
    const text = readFileSync(new URL(file, source), 'utf8').replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, '');
    for (const [what, where] of places) assert.ok(where.test(file) || !what.test(text), `${file} has ${what}`);
  }
});
