// Builds the program and runs it, for `npm start` and `npm run demo`. The first arguments are for node, the others for
// the program. npm sends a signal to the shell between npm and this script. The shell ends, but passes no signal on. So
// this script also stops the program when that shell ends.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const LOOK_MS = 250;
// The id of the shell is read before the build, because the shell may end during the build.
const parent = process.ppid;

const built = spawnSync(process.execPath, ['build.mjs'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
if (process.ppid !== parent) process.exit(1);

// The program runs in a process group of its own. So Ctrl+C reaches it only through this script. After a second signal,
// the program would end without finishing its work.
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
