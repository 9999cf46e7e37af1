import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AUDITED } from '../../src/cli/audit.ts';
import { commands } from '../../src/cli/commands.ts';
import { folder } from '../support/helpers.ts';
import { commandLine } from './here.ts';

const ANN = 'ann@example.com';

test('log: commands that change something are listed with their words, without flags', async (t) => {
  const { run } = commandLine(t);
  await run(['user', 'add', ANN]);
  await run(['site', 'add', ANN, 'example.com']);
  await run(['site', 'change', 'example.com', '--keep-days', '90']);
  await run(['site', 'list']);
  assert.equal((await run(['site', 'change', 'other.example', '--keep-days', '90'])).code, 1);
  const { stdout } = await run(['log', '--json']);
  const entries = JSON.parse(stdout).map(({ way, site, what }: Record<string, string>) => [way, site, what]);
  assert.deepEqual(entries, [
    ['command', 'example.com', 'site change example.com'],
    ['command', '-', `site add ${ANN} example.com`],
    ['command', '-', `user add ${ANN}`],
  ]);
});

test('log: a command that only looks adds nothing, and a file is named without its folder', async (t) => {
  const { run } = commandLine(t);
  const file = join(folder(t), 'hits.ndjson');
  writeFileSync(file, '{"at":"2026-01-05T10:00:00Z","url":"https://example.com/","visitor":"a"}\n');
  await run(['user', 'add', ANN]);
  await run(['site', 'add', ANN, 'example.com']);
  for (const words of [['--dry-run'], []]) {
    assert.equal((await run(['import', 'example.com', file, '--format', 'ndjson', ...words])).code, 0);
  }
  for (const words of [[], ['7']]) assert.equal((await run(['plan', 'usage', ANN, ...words])).code, 0);
  const entries = JSON.parse((await run(['log', '--json', '--limit', '3'])).stdout);
  assert.deepEqual(
    entries.map(({ what }: { what: string }) => what),
    [`plan usage ${ANN} 7`, 'import example.com hits.ndjson', `site add ${ANN} example.com`],
  );
});

test('log: what was deleted is listed too, and --limit gives only the latest', async (t) => {
  const { run } = commandLine(t);
  await run(['user', 'add', ANN]);
  await run(['user', 'remove', ANN, '--force']);
  const { stdout } = await run(['log', '--json', '--limit', '1']);
  assert.deepEqual(
    JSON.parse(stdout).map(({ what }: { what: string }) => what),
    [`user remove ${ANN}`],
  );
  assert.match((await run(['log', '--limit', '0'])).stderr, /--limit: /);
});

/** These commands change no user, plan, site or figure, and nothing of the cluster. */
const LOOKING = [
  ...['serve', 'collect', 'demo', 'doctor', 'health', 'backup', 'seal', 'check', 'prove-forgetting', 'licences'],
  ...['completion', 'log', 'user list', 'token list', 'site list', 'outages', 'notes', 'channels', 'import list'],
  ...['suggestions', 'exclusions', 'mail preview', 'export', 'query', 'sql', 'explain', 'changes', 'verify'],
  ...['receipts export', 'collectors', 'cluster'],
];
/** `restore` leaves the file equal to its backup. `logs` counts crawlers again and again, as a server does. */
const UNAUDITED = ['restore', 'logs'];

test('log: each command is audited, or changes nothing', () => {
  const known = [...AUDITED, ...LOOKING, ...UNAUDITED];
  assert.deepEqual(known.toSorted(), commands.map(({ name }) => name).toSorted());
});

test('log: deleting the searches of a site is listed', async (t) => {
  const { run } = commandLine(t);
  await run(['user', 'add', ANN]);
  await run(['site', 'add', ANN, 'example.com']);
  assert.equal((await run(['import', 'remove-searches', 'example.com'])).code, 0);
  const [entry] = JSON.parse((await run(['log', '--json', '--limit', '1'])).stdout);
  assert.deepEqual([entry.site, entry.what], ['example.com', 'import remove-searches example.com']);
});
