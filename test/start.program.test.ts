import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { folder } from './support/helpers.ts';
import { until } from './support/program.ts';

const root = join(import.meta.dirname, '..');
const COPIED = [
  'package.json',
  'package-lock.json',
  'scripts/start.mjs',
  'build.mjs',
  'scripts/sbom.mjs',
  'scripts/verify-install.mjs',
  'LICENSE',
  'schema.sql',
  'scripts/node.sha256',
  'tsconfig.json',
];

/** The project in a folder of its own, because the start builds the program that other tests run at the moment. */
function copyProject(t: TestContext): string {
  const place = folder(t);
  for (const name of [...COPIED, 'src']) cpSync(join(root, name), join(place, name), { recursive: true });
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

test('asked to stop while it builds it starts no server', async (t) => {
  const cwd = copyProject(t);
  cpSync(join(root, 'dist'), join(cwd, 'dist'), { recursive: true });
  const slow = `import { existsSync } from 'node:fs';
    console.log('building');
    while (!existsSync('built')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);`;
  writeFileSync(join(cwd, 'build.mjs'), slow);
  const npm = spawn('npm', ['start', '--', '--port', '0'], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const lines: string[] = [];
  let isOver = false;
  createInterface(npm.stdout)
    .on('line', (line) => lines.push(line))
    .on('close', () => {
      isOver = true;
    });
  await until('it builds', () => lines.includes('building'));
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  writeFileSync(join(cwd, 'built'), '');
  const isListening = () => lines.some((line) => line.startsWith('listening on'));
  await until('all its processes are gone, or it listens', () => isOver || isListening());
  assert.equal(isListening(), false);
});
