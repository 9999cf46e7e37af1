/** The build puts the code of threads here. From source, esbuild makes it at the first use. */
declare const THREAD_CODE: string | undefined;

let only: Promise<string> | undefined;

/**
 * Gives the code of a thread: a bundle of src/worker.ts alone. A thread with the whole program would take 20 MB more,
 * and one from source files several times as long to start.
 */
export function loadThreadCode(): Promise<string> {
  only ??= makeThreadCode();
  return only;
}

async function makeThreadCode(): Promise<string> {
  if (typeof THREAD_CODE === 'string') return THREAD_CODE;
  const { bundleThread } = await import('./bundle.ts');
  return bundleThread({ external: ['better-sqlite3'] });
}
