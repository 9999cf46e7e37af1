/**
 * The build puts the code of threads here. If the program runs from source, esbuild makes the code at the first use.
 */
declare const THREAD_CODE: string | undefined;

let only: Promise<string> | undefined;

/**
 * Returns the code of worker threads as one text: src/worker.ts and what it imports. If a thread loaded the whole
 * program, it would take 20 MB more memory. If a thread loaded source files, its start would take several times as
 * long.
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
