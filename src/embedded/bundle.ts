import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { dashboardTexts } from '../lang/dashboard.ts';
import { LANGUAGES, type Language } from '../lang/languages.ts';
import { schema } from './schema.ts';

export const FOR_NODE = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

export const SQL = { SCHEMA_SQL: JSON.stringify(schema) };

/** The code of a thread. `natives` says where its native package is. */
export async function bundleThread(natives: BuildOptions): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    ...FOR_NODE,
    ...natives,
    entryPoints: [fileURLToPath(new URL('../worker.ts', import.meta.url))],
    format: 'cjs',
    write: false,
    minify: true,
    define: { ...SQL, 'import.meta.url': '""' },
    // The code has no file of its own, so that it is told where packages are.
    banner: { js: "require = require('node:module').createRequire(require('node:worker_threads').workerData.from);" },
  });
  return outputFiles[0]?.text ?? '';
}

/** Makes a module of the dashboard's messages in each language, so that a browser loads those of one. */
const texts: Plugin = {
  name: 'texts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^texts:/ }, ({ path }) => ({ path: path.slice('texts:'.length), namespace: 'texts' }));
    onLoad({ filter: /./, namespace: 'texts' }, ({ path }) => ({
      contents: `export const texts = ${JSON.stringify(dashboardTexts(path as Language))};`,
    }));
  },
};

/**
 * Lets every module that is loaded later import the first one, which is there by then. So all of them share the same modules with
 * it, and these become one file: without this there were 29 files, most of them below 1 kB.
 */
const sharedWith = (main: string): Plugin => ({
  name: 'shared',
  setup({ onResolve, onLoad }) {
    const later = new Set<string>();
    onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
      if (kind === 'dynamic-import') later.add(join(resolveDir, path));
      return undefined;
    });
    onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
      if (!later.has(path)) return undefined;
      const contents = `${await readFile(path, 'utf8')}\nimport ${JSON.stringify(main)};`;
      return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
});

/** Files by name, and the scripts that the page loads first: the first of them imports the others, which can be preloaded. */
export type Bundle = {
  files: Map<string, Uint8Array>;
  scripts: string[];
  /** The script with the messages of each language. */
  texts: Record<Language, string>;
  /** What they are made of, as paths from the working folder. */
  sources: string[];
};

/** Bundles src/web for browsers, with a hash in each file's name. Used by the build and by runs from source. */
export async function bundle(): Promise<Bundle> {
  const { build } = await import('esbuild');
  const web = fileURLToPath(new URL('../web/', import.meta.url));
  const { outputFiles, metafile } = await build({
    entryPoints: [`${web}main.tsx`, `${web}passkey.ts`, `${web}style.css`],
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
    plugins: [texts, sharedWith(`${web}main.tsx`)],
  });
  const [main = '', { imports = [] } = {}] =
    Object.entries(metafile.outputs).find(([name]) => basename(name).startsWith('main-')) ?? [];
  const ahead = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  const fileOf = (language: Language): string => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === `texts:${language}`);
    return basename(found?.[0] ?? '');
  };
  return {
    texts: Object.fromEntries(LANGUAGES.map((language) => [language, fileOf(language)])) as Bundle['texts'],
    files: new Map(outputFiles.map(({ path, contents }) => [basename(path), contents])),
    scripts: [main, ...ahead].map((path) => basename(path)),
    sources: Object.keys(metafile.inputs),
  };
}
