import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/**
 * The build puts the tracking script here. Otherwise, the program would need more than one file. If the program runs
 * from source, esbuild makes the script at the first use.
 */
declare const DAY_SCRIPT: string | undefined;
/** The build puts the script of web vitals here. */
declare const VITALS_SCRIPT: string | undefined;

export type Script = { text: string; brotli: Buffer; gzip: Buffer; etag: string };

let only: Promise<Script> | undefined;

export function loadScript(): Promise<Script> {
  only ??= makeScript();
  return only;
}

let vitals: Promise<Script> | undefined;

/** Loads the script of web vitals when a browser first requests it, because few sites use it. */
export function loadVitalsScript(): Promise<Script> {
  vitals ??= makeVitalsScript();
  return vitals;
}

async function makeVitalsScript(): Promise<Script> {
  const isBuilt = typeof VITALS_SCRIPT === 'string';
  const text = isBuilt ? VITALS_SCRIPT : await (await import('./bundle.ts')).bundleVitals();
  return packScript(text, constants.BROTLI_MAX_QUALITY);
}

async function readText(): Promise<string> {
  if (typeof DAY_SCRIPT === 'string') return DAY_SCRIPT;
  return (await import('./bundle.ts')).bundleDay();
}

const makeScript = async (): Promise<Script> => packScript(await readText(), constants.BROTLI_MAX_QUALITY);

/** Compresses the text of a script or of verify.html. `quality` is the quality of brotli, from 0 to 11. */
export function packScript(text: string, quality: number): Script {
  // An ETag without W/ stands for exact bytes. This ETag stands for the plain text and its two compressed forms, so it
  // needs W/.
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`;
  return {
    text,
    brotli: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    gzip: gzipSync(text, { level: 9 }),
    etag,
  };
}
