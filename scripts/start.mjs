// Builds the program and runs it with the arguments given, of which the first are those of node: `npm start` and `npm run demo`.
// npm passes a signal on to the shell between it and this script, which ends and tells nobody. So the end of that shell is a signal too.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const LOOK_MS = 250;
// Read first: that shell may end while the program is built.
const parent = process.ppid;

const built = spawnSync(process.execPath, ['build.mjs'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
if (process.ppid !== parent) process.exit(1);

// In a group of its own, so that Ctrl+C reaches it once, by way of this script. Asked twice it would not end what it has begun.
const isWindows = process.platform === 'win32';
const program = spawn(process.execPath, process.argv.slice(2), {
  cwd: root,
  stdio: 'inherit',
  detached: !isWindows,
});
let isStopping = false;
const stop = (signal) => {
  if (!isStopping && !isWindows) program.kill(signal);
  isStopping = true;
};
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => stop(signal));
setInterval(() => process.ppid !== parent && stop('SIGTERM'), LOOK_MS).unref();
program.on('close', (code) => {
  process.exitCode = code ?? 1;
});
