// Makes code with esbuild: the dashboard, the tracking script, the script of web vitals, verify.html, and the code of
// worker threads. build.mjs calls these functions when the program is built. If the program runs from source, it calls
// each function when it first needs the result.
//
// Invariant: the name of a dashboard file has a hash of its content. Therefore browsers may cache the file without
// limit. A browser loads the texts of only one language.
//
// Example: bundle() returns `style-….css` and the script that every page loads first. It also returns scripts that
// pages load later, such as the script of the settings. For each language, it returns two scripts with texts of the
// interface. The first one has the texts that a page needs at once. The second one has all other texts.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import { type TextFile, textsInFile } from '../lang/dashboard.ts';
import { LANGUAGES, type Language } from '../lang/languages.ts';
import { listVerifyTexts } from '../lang/verify.ts';
import { dark, light, sizes } from './palette.ts';
import { schema } from './schema.ts';

/**
 * The files of the dashboard. `files` has the content of each file by its name. `script` is the name of the script that
 * every page loads first. `texts` has the name of a script for each language, with the texts that a page needs at once.
 */
export type Bundle = {
  files: Map<string, Uint8Array>;
  script: string;
  texts: Record<Language, string>;
  /** The source files, as paths relative to the working folder. */
  sources: string[];
};

/** Options for code that runs in browsers. `target` has the oldest browsers that the dashboard supports. */
const FOR_BROWSERS = {
  target: ['chrome123', 'firefox120', 'safari17.5'],
  bundle: true,
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

export async function bundle(): Promise<Bundle> {
  const { build } = await import('esbuild');
  const dashboard = fileURLToPath(new URL('../dashboard/', import.meta.url));
  const first = LANGUAGES.map((language) => writeTexts('first', language));
  const texts = [...first, ...LANGUAGES.map((language) => writeTexts('later', language))];
  const { outputFiles, metafile } = await build({
    entryPoints: [
      `${dashboard}main.tsx`,
      `${dashboard}passkey.ts`,
      `${dashboard}copy-codes.ts`,
      `${dashboard}style.css`,
    ],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: 'assets',
    write: false,
    metafile: true,
    ...FOR_BROWSERS,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [findTexts(texts), readStyles(dashboard), shareWith(`${dashboard}main.tsx`)],
  });
  // `shareWith` makes other modules import main.tsx. So esbuild puts the code of main.tsx into a separate file, a
  // chunk. The entry file only imports this chunk. Pages load the chunk directly, which saves a request.
  const [entry = '', { imports = [] } = {}] =
    Object.entries(metafile.outputs).find(([name]) => basename(name).startsWith('main-')) ?? [];
  const [chunk, ...more] = imports.filter(({ kind }) => kind === 'import-statement');
  if (!chunk || more.length > 0) throw new Error('The dashboard must begin with one script.');
  const made = outputFiles.filter(({ path }) => basename(path) !== basename(entry));
  return {
    texts: Object.fromEntries(first.map(({ language, path }) => [language, path])) as Bundle['texts'],
    files: new Map([...made, ...texts].map(({ path, contents }) => [basename(path), contents])),
    script: basename(chunk.path),
    sources: Object.keys(metafile.inputs),
  };
}

/**
 * Bundles src/worker.ts, the code of a worker thread. `natives` are options of esbuild that say where the bundle finds
 * SQLite, which is a native library.
 */
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
    // A thread gets its code as a text, not as a file. Therefore `require` does not know where to look for packages.
    // The caller passes a path from which the search begins.
    banner: { js: "require = require('node:module').createRequire(require('node:worker_threads').workerData.from);" },
  });
  return outputFiles[0]?.text ?? '';
}

/** Makes the tracking script from src/tracker/day.ts. */
export async function bundleDay(): Promise<string> {
  const { transform } = await import('esbuild');
  const source = await readFile(new URL('../tracker/day.ts', import.meta.url), 'utf8');
  const { code } = await transform(source, { loader: 'ts', format: 'iife', target: 'es2020', minify: true });
  // esbuild puts the script into a function, which hides its names from other scripts. A block does this too, and is
  // shorter.
  return code.replace(/^\(\(\)=>(\{.*?);?\}\)\(\);\n$/s, '$1}');
}

/** Bundles src/tracker/vitals.ts with its library, as one script for browsers. */
export async function bundleVitals(): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../tracker/vitals.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'es2020',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  return (outputFiles[0]?.text ?? '').trimEnd();
}

/**
 * Makes verify.html from src/verify: one file with its script, style and texts in all languages. The policy in its head
 * allows only this script and style, and no requests to other servers. The policy also works when somebody opens a copy
 * of the file.
 */
export async function bundleVerify(): Promise<string> {
  const { build, transform } = await import('esbuild');
  const folder = fileURLToPath(new URL('../verify/', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [`${folder}main.ts`],
    define: { VERIFY_TEXTS: JSON.stringify(listVerifyTexts()) },
    bundle: true,
    format: 'iife',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
  });
  const script = (outputFiles[0]?.text ?? '').trimEnd();
  const variables = (colours: typeof light): string =>
    Object.entries(colours)
      .map(([name, value]) => `--${name}: ${value}`)
      .join('; ');
  const own = await readFile(`${folder}page.css`, 'utf8');
  const css = `:root { color-scheme: light dark; ${sizes} ${variables(light)} }
@media (prefers-color-scheme: dark) { :root { ${variables(dark)} } }
${own}`;
  const style = (await transform(css, { loader: 'css', minify: true })).code.trimEnd();
  const policy = `default-src 'none'; script-src '${hashSource(script)}'; style-src '${hashSource(style)}'; connect-src 'self'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>daybook</title><style>${style}</style></head><body><noscript>This page checks receipts with JavaScript.</noscript><script>${script}</script></body></html>\n`;
}

const hashSource = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

export const FOR_NODE = {
  bundle: true,
  platform: 'node',
  target: 'node22',
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

export const SQL = { SCHEMA_SQL: JSON.stringify(schema) };

type TextsFile = { file: TextFile; language: Language; path: string; contents: Uint8Array };

/** Writes a file with texts of one language, because a browser needs only one language. */
function writeTexts(file: TextFile, language: Language): TextsFile {
  const contents = Buffer.from(`export const texts=${JSON.stringify(textsInFile(file, language))};`);
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
  return { file, language, path: `${language}-${hash}.js`, contents };
}

/**
 * Lets the code of the dashboard import `texts:first/de`, the German texts that a page needs at once. The plugin
 * replaces this name by the name of their file. esbuild does not bundle this file. So a browser loads only the texts
 * of its language.
 */
const findTexts = (files: readonly TextsFile[]): Plugin => ({
  name: 'texts',
  setup({ onResolve }) {
    onResolve({ filter: /^texts:/ }, ({ path }) => {
      const found = files.find(({ file, language }) => path === `texts:${file}/${language}`);
      return found && { path: `./${found.path}`, external: true };
    });
  },
});

/**
 * Lets a module that is loaded later import a style sheet as a text, such as `style:later.css`. Without this plugin,
 * esbuild would put the style sheet into a file that no page loads.
 */
const readStyles = (dashboard: string): Plugin => ({
  name: 'styles',
  setup({ onResolve, onLoad, esbuild }) {
    onResolve({ filter: /^style:/ }, ({ path }) => ({ path: path.slice('style:'.length), namespace: 'style' }));
    onLoad({ filter: /./, namespace: 'style' }, async ({ path }) => {
      const entryPoints = [join(dashboard, path)];
      const { outputFiles } = await esbuild.build({ ...FOR_BROWSERS, entryPoints, write: false });
      return { contents: `export const css = ${JSON.stringify(outputFiles[0]?.text.trim())};` };
    });
  },
});

/**
 * Makes every module that the dashboard loads later import the main module, which is already loaded. Because of this,
 * esbuild puts the code that they share into the file of the main module. Without this plugin, there were 29 files,
 * most of them below 1 kB.
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
