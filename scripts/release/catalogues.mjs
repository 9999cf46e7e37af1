// Writes deploy/catalogues from release/catalogues: `npm run catalogues`. Each `@name@` there is one of the names
// below, so that all catalogues have one version, one image, one port and one folder of data. Example: `image: @image@`
// becomes `image: ghcr.io/example/daybook:0.1.0`. Held by test/catalogues.test.ts.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PRODUCT, ROOT } from './product.mjs';

const { repository, image, version, digest, sha256, ...names } = PRODUCT;
const [, host, owner, project] = /^https:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(repository);
const raw = `https://raw.githubusercontent.com/${owner}/${project}/main`;

/** What stands between two `@` in a template. */
export const NAMES = {
  ...names,
  version,
  repository,
  raw,
  icon: `${raw}/deploy/icon.svg`,
  flake: `${host.replace('.com', '')}:${owner}/${project}`,
  id: `${host.split('.').reverse().join('.')}.${owner}.${project}`,
  imageName: image,
  digest,
  image: `${image}:${version}${digest && `@${digest}`}`,
  'sha256-linux-x64': sha256['linux-x64'],
  'sha256-linux-arm64': sha256['linux-arm64'],
};

const fill = (text) => text.replaceAll(/@([a-zA-Z0-9-]+)@/g, (all, name) => `${NAMES[name] ?? all}`);

/** Makes every file of deploy/catalogues, by its path in there. */
export function makeCatalogues() {
  const from = join(ROOT, 'release/catalogues');
  const paths = readdirSync(from, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => statSync(join(from, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, fill(readFileSync(join(from, path), 'utf8'))]));
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const to = join(ROOT, 'deploy/catalogues');
  rmSync(to, { recursive: true, force: true });
  for (const [path, text] of Object.entries(makeCatalogues())) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), text);
  }
}
