import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RELEASED } from '../../src/store/file/migrations.ts';
import { openStore } from '../../src/store/file/open-file.ts';
import { append, BROWSER, TODAY } from '../collect/stage.ts';
import { crowd, foldOnce, TINY } from '../ledger/stage.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { DAYBOOK, PROGRAM, type Program, program } from '../support/program.ts';
import { date } from './days.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const VERSION = RELEASED.length + 2;
const FILE = 'daybook.db';

/** All that somebody writes who adds a dimension: its row, where it is found in a request, and its column. */
const CHANGES: [file: string, before: string, after: string][] = [
  [
    'src/stats/dimensions.ts',
    '  os: { ...ATTRIBUTE',
    `  theme: { ...ATTRIBUTE, breakdown: 'themes', panel: 'devices', tab: 'Theme', name: 'Theme', emptyValue: 'Unknown', since: ${VERSION} },
  os: { ...ATTRIBUTE`,
  ],
  ['src/collect/outcome.ts', '    os: agent.os,\n', "    theme: 'Dark',\n    os: agent.os,\n"],
  ['schema.sql', '  os INTEGER NOT NULL,\n', '  theme INTEGER NOT NULL DEFAULT 0,\n  os INTEGER NOT NULL,\n'],
  [
    'src/store/file/migrations.ts',
    'RELEASED: readonly Migration[] = [];',
    "RELEASED: readonly Migration[] = ['ALTER TABLE hit ADD COLUMN theme INTEGER NOT NULL DEFAULT 0'];",
  ],
  ['src/lang/de.ts', "    'Operating system': '", "    Theme: 'Design',\n    'Operating system': '"],
  ['src/lang/fr.ts', "    'Operating system': ", "    Theme: 'Thème',\n    'Operating system': "],
  ['src/lang/es.ts', "    'Operating system': '", "    Theme: 'Tema',\n    'Operating system': '"],
];

/** A copy of the project with such a dimension, built. */
function copyWithTheme(t: TestContext): string {
  const copy = folder(t);
  for (const name of [
    'src',
    'schema.sql',
    'build.mjs',
    'scripts/sbom.mjs',
    'scripts/verify-install.mjs',
    'scripts/node.sha256',
    'package.json',
    'package-lock.json',
    'LICENSE',
    'tsconfig.json',
    'tsconfig.server.json',
  ]) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const [file, before, after] of CHANGES) {
    const text = readFileSync(join(copy, file), 'utf8');
    assert.ok(text.includes(before), `${file} has ${before}`);
    writeFileSync(join(copy, file), text.replace(before, after));
  }
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  for (const side of ['tsconfig.server.json', 'src/dashboard'])
    execFileSync(process.execPath, [tsc, '-p', side], { cwd: copy });
  execFileSync(process.execPath, ['build.mjs'], { cwd: copy });
  return copy;
}

const line = (day: number, more: object = {}): string =>
  `${JSON.stringify({ at: `${date(day)}T10:00:00Z`, url: 'https://example.com/a', visitor: 'ann', ...more })}\n`;

const importLines = ({ print }: Program, lines: string): Promise<string> =>
  print(['import', 'example.com', '-', '--format', 'ndjson', '--db', FILE], { input: lines });

test('a new dimension is found wherever there are dimensions, and days from before have it empty', async (t) => {
  const before = program(t);
  const place = join(before.folder, FILE);
  const token = await furnish(place);
  await importLines(before, line(TODAY - 3) + line(TODAY - 3, { visitor: 'bob' }));
  const own = openStore(place);
  await append(own.db, crowd(8, { day: TODAY }));
  assert.ok(foldOnce(own.db, { siteId: 1, day: TODAY }, TINY), 'the running day has shards');
  own.close();

  const copy = copyWithTheme(t);
  const file = join(copy, 'dist/daybook.mjs');
  const command = [process.execPath, ...DAYBOOK.map((word) => (word === PROGRAM ? file : word))];
  const daybook = program(t, { command });
  copyFileSync(place, join(daybook.folder, FILE));
  assert.match(await importLines(daybook, line(TODAY - 2, { theme: 'Light' })), /1 hit/);

  const { url, stop } = await daybook.serve(['--db', FILE, '--keep-backups', '0']);
  const ask = async (path: string) => {
    const answer = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(answer.status, 200, path);
    return (await answer.json()) as Record<string, { rows: object[]; visitors: number }>;
  };
  const body = JSON.stringify({ site: 'example.com', url: 'https://example.com/' });
  assert.equal((await fetch(`${url}/day`, { method: 'POST', headers: BROWSER, body })).status, 202);

  const report = async (path: string) => (await ask(`/sites/example.com/stats/${path}`)).data;
  assert.deepEqual((await report('breakdown/themes?range=7d'))?.rows, [
    { value: '', visitors: 10 },
    { value: 'Dark', visitors: 1 },
    { value: 'Light', visitors: 1 },
  ]);
  for (const [theme, visitors] of Object.entries({ Light: 1, Dark: 1, '': 10, Sepia: 0 })) {
    assert.equal((await report(`overview?range=7d&filters[theme]=${theme}`))?.visitors, visitors, theme);
  }
  assert.match(JSON.stringify(await ask('/openapi.json')), /"filters\[theme\]".*"themes"/);
  assert.equal(await stop(), 0);

  const { DEVICES } = await import(pathToFileURL(join(copy, 'src/dashboard/report/model/tables.ts')).href);
  assert.ok(
    DEVICES.tables.some(({ id, label }: { id: string; label: string }) => id === 'themes' && label === 'Theme'),
  );
  const { NAMED_DIMENSIONS } = await import(pathToFileURL(join(copy, 'src/dashboard/core/named-dimensions.ts')).href);
  assert.equal(NAMED_DIMENSIONS.theme.name, 'Theme');

  const out = (format: string) => daybook.print(['export', 'example.com', '--format', format, '--db', FILE]);
  assert.match(await out('ndjson'), /"theme":"Light"/);
  assert.match(await out('csv'), /^at,.*\btheme\b/);
  assert.match(await daybook.print(['check', '--db', FILE]), / 0 differ$/);
});
