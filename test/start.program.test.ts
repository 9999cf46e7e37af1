import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { folder } from './helpers.ts';
import { until } from './program.ts';

const root = join(import.meta.dirname, '..');
const COPIED = [
  'package.json',
  'package-lock.json',
  'start.mjs',
  'build.mjs',
  'parts.mjs',
  'verify.mjs',
  'LICENSE',
  'schema.sql',
  'node.sha256',
  'tsconfig.json',
];

/** The project in a folder of its own, because the start builds the program that other tests run at the moment. */
function copyProject(t: TestContext): string {
  const place = folder(t);
  for (const name of [...COPIED, 'migrations', 'src']) cpSync(join(root, name), join(place, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  return place;
}

async function assertEnds(t: TestContext, end: (npm: ChildProcess) => void): Promise<void> {
  const cwd = copyProject(t);
  const flags = ['--port', '0'];
  const npm = spawn('npm', ['start', '--', ...flags], { cwd, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  t.after(() => npm.kill('SIGKILL'));
  let url = '';
  createInterface(npm.stdout).on('line', (line) => {
    url ||= /^listening on (\S+)$/.exec(line)?.[1] ?? '';
  });
  await until('npm start listens', () => url !== '' || npm.exitCode !== null);
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
  end(npm);
  await until('the server is gone', async () => (await fetch(`${url}/healthz`).catch(() => undefined)) === undefined);
}

test('npm start ends with its server when it is asked to stop', (t) => assertEnds(t, (npm) => npm.kill('SIGTERM')));

test('so it does when all of its processes are interrupted, as by Ctrl+C', (t) =>
  assertEnds(t, ({ pid }) => process.kill(-(pid ?? assert.fail()), 'SIGINT')));
