import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from 'node:zlib';
import type { Bytes } from '../lib/http/answer.ts';
import { once } from '../lib/once.ts';
import type { Bundle } from './bundle.ts';

type Packed = { scripts: string[]; texts: Bundle['texts']; files: Record<string, { brotli: string; gzip: string }> };

/** Put in by build.mjs, in base64, so that the program is one file; run from source, esbuild makes it on first use. */
declare const DASHBOARD: Packed | undefined;

/** `plain` is for programs that unpack nothing. */
export type Asset = { type: string; brotli: Bytes; gzip: Bytes; plain(): Bytes };

/** What browsers load: files by name, each with a hash in it, those that the page loads first, and the script of passkeys. */
export type Dashboard = {
  assets: ReadonlyMap<string, Asset>;
  scripts: readonly string[];
  texts: Bundle['texts'];
  style: string;
  passkey: string;
};

const TYPES: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

const findType = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

/** With little effort, as nothing is sent far. */
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

async function made(): Promise<Dashboard> {
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

/** Made once, on first use. */
export function dashboard(): Promise<Dashboard> {
  only ??= made();
  return only;
}
