// Bundles the server into one file. The two native packages stay outside: a .node file cannot be bundled.
import { chmodSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/daybook.mjs',
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  external: ['better-sqlite3', '@node-rs/argon2'],
  define: {
    SCHEMA_SQL: JSON.stringify(readFileSync('schema.sql', 'utf8')),
    VERSION: JSON.stringify(version),
  },
  banner: {
    // On a machine with much memory V8 would let 100 MB of garbage lie about before it looks for it.
    // nodemailer is CommonJS and asks for node's own modules by require().
    js: "#!/usr/bin/env -S node --max-semi-space-size=8\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  legalComments: 'none',
  logLevel: 'warning',
});
chmodSync('dist/daybook.mjs', 0o755);
