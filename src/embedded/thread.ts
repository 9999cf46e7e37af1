/**
 * The build puts the code of threads here. If the program runs from source, esbuild makes the code at the first use.
 */
declare const THREAD_CODE: string | undefined;

let only: Promise<string> | undefined;

/**
 * Returns the code of worker threads: src/worker.ts and what it imports, in one text. If a thread loaded the whole
 * program, it would take 20 MB more memory. If it loaded source files, it would take several times as long to start.
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
