// Compares the fetched packages with the checksums in the repository: node.sha256 and package-lock.json. npm runs this
// script after each `npm ci`.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const digestOf = (algorithm, path, encoding) => createHash(algorithm).update(readFileSync(path)).digest(encoding);

const packagesIn = (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages;

export const sha256Of = (path) => digestOf('sha256', path, 'hex');

/** The SHA-256 of each binary of node. The key is its path inside the package. */
const sums = new Map(
  readFileSync(join(import.meta.dirname, 'node.sha256'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('  ').reverse()),
);

/** Says what is wrong with a binary of node. Undefined if its checksum is the one in node.sha256. */
export function faultOfNode(name, binary, file) {
  const expected = sums.get(`node_modules/${name}/${binary}`);
  if (!expected) return `node.sha256 has no sum of ${name}`;
  return sha256Of(file) === expected ? undefined : `${file} is not the node whose SHA-256 stands in node.sha256`;
}

/** Says what is wrong with the archive of a package. Undefined if its checksum is the one in package-lock.json. */
export function faultOfArchive(name, version, file) {
  const { version: known, integrity } = packagesIn(root)[`node_modules/${name}`] ?? {};
  if (known !== version || !integrity) return `package-lock.json has no sum of ${name}@${version}`;
  return `sha512-${digestOf('sha512', file, 'base64')}` === integrity
    ? undefined
    : `${name}@${version} is not the package whose SHA-512 stands in package-lock.json`;
}

/**
 * Says what is wrong with node after `npm ci`. If the package of node does not fit the machine, npm leaves it out
 * without a message.
 */
export function faultOfInstallation(folder, { platform, arch, omit = '' }) {
  for (const path of sums.keys()) {
    const [, name, ...binary] = path.split('/');
    const { os, cpu } = packagesIn(folder)[`node_modules/${name}`] ?? {};
    const file = join(folder, path);
    if (existsSync(file)) {
      const fault = faultOfNode(name, binary.join('/'), file);
      if (fault) return `${fault}. Do not run it: delete node_modules and try again`;
    } else if (os === platform && cpu === arch && !omit.includes('optional')) {
      return `${name} was not installed: the registry did not give it, or not the one that package-lock.json names. Try again`;
    }
  }
  return undefined;
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const { platform, arch, env } = process;
  const fault = faultOfInstallation(root, { platform, arch, omit: env.npm_config_omit });
  if (fault) {
    console.error(fault);
    process.exit(1);
  }
}
