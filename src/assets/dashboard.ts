import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

type Packed = { scripts: string[]; files: Record<string, { brotli: string; gzip: string }> };

/** Put in by build.mjs, in base64, so that the program is one file; run from source, esbuild makes it on first use. */
declare const DASHBOARD: Packed | undefined;

export type Asset = { type: string; brotli: Buffer; gzip: Buffer };

/** What browsers load: files by name, each with a hash in it, and those that the page loads first. */
export type Dashboard = { assets: ReadonlyMap<string, Asset>; scripts: readonly string[]; style: string };

const TYPES: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };

const typeOf = (name: string): string => TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

type Found = { scripts: string[]; files: [name: string, packed: Omit<Asset, 'type'>][] };

function unpacked({ scripts, files }: Packed): Found {
  const bytes = (text: string) => Buffer.from(text, 'base64');
  return {
    scripts,
    files: Object.entries(files).map(([name, { brotli, gzip }]) => [
      name,
      { brotli: bytes(brotli), gzip: bytes(gzip) },
    ]),
  };
}

async function fromSource(): Promise<Found> {
  const { bundle } = await import('./bundle.ts');
  const { scripts, files } = await bundle();
  const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  return {
    scripts,
    files: [...files].map(([name, bytes]) => [
      name,
      { brotli: brotliCompressSync(bytes, quick), gzip: gzipSync(bytes, { level: 1 }) },
    ]),
  };
}

async function made(): Promise<Dashboard> {
  const { scripts, files } = typeof DASHBOARD === 'object' ? unpacked(DASHBOARD) : await fromSource();
  const assets = new Map(files.map(([name, packed]) => [name, { type: typeOf(name), ...packed }]));
  return { assets, scripts, style: [...assets.keys()].find((name) => name.startsWith('style-')) ?? '' };
}

let only: Promise<Dashboard> | undefined;

/** Made once, on first use. */
export function dashboard(): Promise<Dashboard> {
  only ??= made();
  return only;
}
