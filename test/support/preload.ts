import hooks from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { enableCompileCache, syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';

// Node runs TypeScript by itself, and with its cache a test begins in 0.2 s; through tsx, which JSX needs, in 0.5 s. Commands that the program
// starts use the cache too.
enableCompileCache();
if (process.argv[1]?.endsWith('.tsx')) (await import('tsx/esm/api')).register();

// Node follows each promise to know the test of an error that nothing caught. That is up to a quarter of the CPU time of tests that ask an
// app. Without it such an error fails the whole file, and is printed here.
for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection']) process.on(event, console.error);
const { createHook } = hooks;
Object.assign(hooks, { createHook: () => ({ enable() {}, disable() {} }) });
await import('node:test');
Object.assign(hooks, { createHook });

// A command that lowers its priority would lower that of all tests after it in this process, which would then end long after the others.
os.setPriority = () => {};
syncBuiltinESMExports();

// What the build puts in, as bundles.ts has made it from source; a test that runs without it makes its own.
const bundles = process.env.TEST_BUNDLES;
for (const name of bundles === undefined ? [] : ['THREAD_CODE', 'DASHBOARD']) {
  const get = (): unknown => JSON.parse(readFileSync(join(bundles ?? '', name), 'utf8'));
  Object.defineProperty(globalThis, name, { get });
}
