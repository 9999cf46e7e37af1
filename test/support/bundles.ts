import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedFromSource } from '../../src/embedded/dashboard.ts';
import { loadThreadCode } from '../../src/embedded/thread.ts';

/** At the low priority of a server's threads, those of a test would wait until the processes of all other tests have nothing to do. */
const UNHURRIED = "require('node:os').setPriority = () => {};\n";

/** Bundles the threads and the dashboard once for all tests, which takes a quarter of a second; preload.ts finds them. */
export async function bundleInto(folder: string): Promise<void> {
  writeFileSync(join(folder, 'THREAD_CODE'), JSON.stringify(UNHURRIED + (await loadThreadCode())));
  writeFileSync(join(folder, 'DASHBOARD'), JSON.stringify(await packedFromSource()));
}
