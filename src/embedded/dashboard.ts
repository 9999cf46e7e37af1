// The files of the dashboard, which the build has put into the program: scripts, styles and texts by name.
//
// Invariant: each file is stored in brotli and gzip, therefore no request compresses anything. The names have hashes of
// the contents.
//
// Example: `assets.get('style-3F2A….css')` returns the type, the two compressed forms, and plain() for a client that
// accepts no compression. src/forms/application.ts serves these files.

import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';
import type { Bytes } from '../lib/http/answer.ts';
import { once } from '../lib/once.ts';
import type { Bundle } from './bundle.ts';

type Packed = { script: string; texts: Bundle['texts']; files: Record<string, { brotli: string; gzip: string }> };

/**
 * The build puts the files here in base64. Otherwise, the program would need more than one file. If the program runs
 * from source, esbuild makes the files at the first use.
 */
declare const DASHBOARD: Packed | undefined;

/** A file of the dashboard. `plain` returns its content for clients that accept no compression. */
export type Asset = { type: string; brotli: Bytes; gzip: Bytes; plain(): Bytes };

/**
 * `assets` has the files of the dashboard by name. `script` is the name of the script that every page loads first.
 * `texts` has the name of a script for each language, with the texts that a page needs at once. The last three fields
 * are names of files too.
 */
export type Dashboard = {
  assets: ReadonlyMap<string, Asset>;
  script: string;
  texts: Bundle['texts'];
  style: string;
  passkey: string;
  copyCodes: string;
};

export function loadDashboard(): Promise<Dashboard> {
  only ??= makeDashboard();
  return only;
}

const TYPES: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

const findType = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

/**
 * Makes the files of the dashboard if the program runs from source. Compression is quick but weak here, because only a
 * browser on this machine loads the files.
 */
export async function packedFromSource(): Promise<Packed> {
  const { bundle } = await import('./bundle.ts');
  const { script, texts, files } = await bundle();
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const packed = [...files].map(([name, bytes]) => [
    name,
    {
      brotli: brotliCompressSync(bytes, quick).toString('base64'),
      gzip: gzipSync(bytes, { level: 1 }).toString('base64'),
    },
  ]);
  return { script, texts, files: Object.fromEntries(packed) };
}

async function makeDashboard(): Promise<Dashboard> {
  const { script, texts, files } = typeof DASHBOARD === 'object' ? DASHBOARD : await packedFromSource();
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const assets = new Map(
    Object.entries(files).map(([name, { brotli, gzip }]) => [
      name,
      {
        type: findType(name),
        brotli: bytes(brotli),
        gzip: bytes(gzip),
        plain: once(() => new Uint8Array(brotliDecompressSync(bytes(brotli)))),
      },
    ]),
  );
  const named = (start: string): string => [...assets.keys()].find((name) => name.startsWith(start)) ?? '';
  return {
    assets,
    script,
    texts,
    style: named('style-'),
    passkey: named('passkey-'),
    copyCodes: named('copy-codes-'),
  };
}

let only: Promise<Dashboard> | undefined;
