import type { Thread } from '../threads/thread.ts';

/** The code of a thread, put in by build.mjs: a bundle of src/worker.ts alone, because all of the program takes 20 MB more. */
declare const THREAD_CODE: string | undefined;

export const THREAD: Thread =
  typeof THREAD_CODE === 'string' ? { code: THREAD_CODE } : { file: new URL('../worker.ts', import.meta.url) };
