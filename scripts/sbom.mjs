// Writes the list of parts of an executable (a software bill of materials, CycloneDX 1.6). Also writes the checksums of
// all executables and lists.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sha256Of } from './verify-install.mjs';

const jsonOf = (file) => JSON.parse(readFileSync(file, 'utf8'));
const lock = jsonOf('package-lock.json').packages;

/** The packages that every program contains, and the packages that these need. */
export const bundled = Object.entries(lock)
  .filter(([folder, { dev, devOptional, optional }]) => folder && !dev && !devOptional && !optional)
  .map(([folder]) => ({ name: folder.split('node_modules/').at(-1), folder }));

/** Describes a package in the list of parts, with the SHA-512 of its archive from package-lock.json. */
function componentOf({ name, folder = `node_modules/${name}`, type = 'library', hashes = [] }) {
  const { version, license, integrity } = lock[folder];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const isExpression = / (?:OR|AND|WITH) /.test(license ?? '');
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license && { licenses: [isExpression ? { expression: license } : { license: { name: license } }] }),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }, ...hashes],
  };
}

/**
 * Makes the list of parts of an executable. The list has no date and no random number, so equal parts give an equal
 * list.
 */
export function partsOf({ file, target, version, more }) {
  const daybook = `daybook@${version}`;
  const components = [...bundled, ...more].map(componentOf).sort((a, b) => (a.purl < b.purl ? -1 : 1));
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': daybook,
        name: `daybook-${target}`,
        version,
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-256', content: sha256Of(file) }],
      },
    },
    components,
    dependencies: [{ ref: daybook, dependsOn: components.map(({ purl }) => purl) }],
  };
}

/** Writes the checksums of every executable and list in a folder. `sha256sum -c` can read the file. */
export function writeSums(folder) {
  const names = readdirSync(folder).filter((name) => /^daybook-.*(?<!\.tmp|\.tgz)$/.test(name));
  const lines = names.sort().map((name) => `${sha256Of(`${folder}/${name}`)}  ${name}\n`);
  writeFileSync(`${folder}/SHA256SUMS`, lines.join(''));
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) writeSums('dist');
