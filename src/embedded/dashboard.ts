// The files of the dashboard, as the build has put them into the program: scripts, styles and texts by name.
//
// Invariant: each file is there in brotli and gzip, packed once, so no request packs anything. The names have hashes of
// the contents.
//
// Example: `assets.get('main-3F2A….js')` gives the type, both packed forms, and plain() for a client that unpacks
// nothing. src/forms/application.ts serves these files.

import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';
import type { Bytes } from '../lib/http/answer.ts';
import { once } from '../lib/once.ts';
import type { Bundle } from './bundle.ts';

type Packed = { scripts: string[]; texts: Bundle['texts']; files: Record<string, { brotli: string; gzip: string }> };

/**
 * The build puts the files here in base64, so that the program is one file. From source, esbuild makes them at the
 * first use.
 */
declare const DASHBOARD: Packed | undefined;

/** A file. `plain` is for clients that unpack nothing. */
export type Asset = { type: string; brotli: Bytes; gzip: Bytes; plain(): Bytes };

/**
 * The files of the dashboard by name, with the scripts that the page loads first, the style and the script of passkeys.
 */
export type Dashboard = {
  assets: ReadonlyMap<string, Asset>;
  scripts: readonly string[];
  texts: Bundle['texts'];
  style: string;
  passkey: string;
};

/** Gives the dashboard, which is made at the first call. */
export function loadDashboard(): Promise<Dashboard> {
  only ??= makeDashboard();
  return only;
}

const TYPES: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

const findType = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

/**
 * Bundles and packs the dashboard from source, quickly rather than tightly, because it is served to this machine only.
 */
export async function packedFromSource(): Promise<Packed> {
  const { bundle } = await import('./bundle.ts');
  const { scripts, texts, files } = await bundle();
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  const packed = [...files].map(([name, bytes]) => [
    name,
    {
      brotli: brotliCompressSync(bytes, quick).toString('base64'),
      gzip: gzipSync(bytes, { level: 1 }).toString('base64'),
    },
  ]);
  return { scripts, texts, files: Object.fromEntries(packed) };
}

async function makeDashboard(): Promise<Dashboard> {
  const { scripts, texts, files } = typeof DASHBOARD === 'object' ? DASHBOARD : await packedFromSource();
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
  return { assets, scripts, texts, style: named('style-'), passkey: named('passkey-') };
}

let only: Promise<Dashboard> | undefined;
