// Bundles code with esbuild: the dashboard for browsers, and the code of worker threads. build.mjs calls these
// functions for the program. If the program runs from source, the first use calls them.
//
// Invariant: the name of a dashboard file has a hash of its content, so browsers may cache the file without limit. A
// browser loads the messages of only one language.
//
// Example: bundle() gives `main-3F2A….js`, chunks for pages that are loaded later, `style-….css`, and for each language
// one script with texts.

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { dashboardTexts } from '../lang/dashboard.ts';
import { LANGUAGES, type Language } from '../lang/languages.ts';
import { schema } from './schema.ts';

/**
 * `files` has the content of each file by its name. `scripts` are the names of the scripts that the page loads first.
 * The first of them imports the others.
 */
export type Bundle = {
  files: Map<string, Uint8Array>;
  scripts: string[];
  texts: Record<Language, string>;
  /** The source files, as paths relative to the working folder. */
  sources: string[];
};

export async function bundle(): Promise<Bundle> {
  const { build } = await import('esbuild');
  const dashboard = fileURLToPath(new URL('../dashboard/', import.meta.url));
  const { outputFiles, metafile } = await build({
    entryPoints: [`${dashboard}main.tsx`, `${dashboard}passkey.ts`, `${dashboard}style.css`],
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
    plugins: [texts, shareWith(`${dashboard}main.tsx`)],
  });
  const [main = '', { imports = [] } = {}] =
    Object.entries(metafile.outputs).find(([name]) => basename(name).startsWith('main-')) ?? [];
  const ahead = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path);
  const findTextsFile = (language: Language): string => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === `texts:${language}`);
    return basename(found?.[0] ?? '');
  };
  return {
    texts: Object.fromEntries(LANGUAGES.map((language) => [language, findTextsFile(language)])) as Bundle['texts'],
    files: new Map(outputFiles.map(({ path, contents }) => [basename(path), contents])),
    scripts: [main, ...ahead].map((path) => basename(path)),
    sources: Object.keys(metafile.inputs),
  };
}

/** Bundles the code of a worker thread. `natives` says where the bundle finds SQLite, which is a native library. */
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
    // The code of a thread is a text without a file. So it cannot find packages by itself, and the caller passes a
    // path.
    banner: { js: "require = require('node:module').createRequire(require('node:worker_threads').workerData.from);" },
  });
  return outputFiles[0]?.text ?? '';
}

export const FOR_NODE = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

export const SQL = { SCHEMA_SQL: JSON.stringify(schema) };

/** Makes one module for each language, with the messages of the dashboard. So a browser loads only one language. */
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
 * Lets every module that is loaded later import the main module, which is already loaded. So esbuild puts the shared
 * code of these modules into one file. Without this there were 29 files, most of them below 1 kB.
 */
const shareWith = (main: string): Plugin => ({
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
