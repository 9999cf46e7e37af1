import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files by name, and the scripts that the page loads first: the first of them imports the others, which can be preloaded. */
export type Bundle = {
  files: Map<string, Uint8Array>;
  scripts: string[];
  /** What they are made of, as paths from the working folder. */
  sources: string[];
};

/** Bundles src/web for browsers, with a hash in each file's name. Used by the build and by runs from source. */
export async function bundle(): Promise<Bundle> {
  const { build } = await import('esbuild');
  const web = fileURLToPath(new URL('../web/', import.meta.url));
  const { outputFiles, metafile } = await build({
    entryPoints: [`${web}main.tsx`, `${web}style.css`],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: 'assets',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const [main = '', { imports = [] } = {}] =
    Object.entries(metafile.outputs).find(([name]) => basename(name).startsWith('main-')) ?? [];
  const ahead = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  return {
    files: new Map(outputFiles.map(({ path, contents }) => [basename(path), contents])),
    scripts: [main, ...ahead].map((path) => basename(path)),
    sources: Object.keys(metafile.inputs),
  };
}
