/** The code of a thread, put in by build.mjs: a bundle of src/worker.ts alone, because all of the program takes 20 MB more. */
declare const THREAD_CODE: string | undefined;

/** What a thread is started with: code, or in source the file that has it. */
export type Thread = { code: string } | { file: URL };

export const THREAD: Thread =
  typeof THREAD_CODE === 'string' ? { code: THREAD_CODE } : { file: new URL('./worker.ts', import.meta.url) };
