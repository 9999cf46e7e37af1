import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Node runs TypeScript by itself, and with its cache a test begins in 0.2 s; through tsx, which JSX needs, in 0.5 s.
enableCompileCache();
if (process.argv[1]?.endsWith('.tsx')) (await import('tsx/esm/api')).register();

// What the build puts in, as bundles.ts has made it from source; a test that runs without it makes its own.
const bundles = process.env.TEST_BUNDLES;
for (const name of bundles === undefined ? [] : ['THREAD_CODE', 'DASHBOARD']) {
  const get = (): unknown => JSON.parse(readFileSync(join(bundles ?? '', name), 'utf8'));
  Object.defineProperty(globalThis, name, { get });
}
