import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packedFromSource } from '../src/assets/dashboard.ts';
import { threadCode } from '../src/assets/thread.ts';

let folder = '';

/** Bundles the threads and the dashboard once for all test files, which takes a quarter of a second in each; preload.ts finds them. */
export async function globalSetup(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'daybook-bundles-'));
  writeFileSync(join(folder, 'THREAD_CODE'), JSON.stringify(await threadCode()));
  writeFileSync(join(folder, 'DASHBOARD'), JSON.stringify(await packedFromSource()));
  process.env.TEST_BUNDLES = folder;
}

export function globalTeardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
