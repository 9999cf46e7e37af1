/** Put in by build.mjs; run from source, esbuild makes it on first use. */
declare const THREAD_CODE: string | undefined;

async function made(): Promise<string> {
  if (typeof THREAD_CODE === 'string') return THREAD_CODE;
  const { bundleThread } = await import('./bundle.ts');
  return bundleThread({ external: ['better-sqlite3'] });
}

let only: Promise<string> | undefined;

/**
 * The code of a thread, a bundle of src/worker.ts alone: all of the program takes 20 MB more, and file by file from source it
 * takes several times as long to begin.
 */
export function threadCode(): Promise<string> {
  only ??= made();
  return only;
}
