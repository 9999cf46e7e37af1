// Checks whether a version can be released. Prints what prevents the release, or else the text about this version in
// CHANGELOG.md. Usage: node scripts/release/version.mjs [v0.1.0]
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRODUCT, ROOT } from './product.mjs';

const textOf = (path) => {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

export const { version } = PRODUCT;

/** Returns the text about this version in CHANGELOG.md. */
export function notes() {
  const [, ...parts] = `\n${textOf('CHANGELOG.md')}`.split('\n## ');
  const own = parts.find((part) => part.split(/[\s,]/)[0] === version);
  return own?.split('\n').slice(1).join('\n').trim();
}

const isUnreleased = () => textOf('CHANGELOG.md').includes(`\n## ${version}, not released yet`);

/** Names the repository that a workflow of GitHub runs in. Undefined elsewhere. */
const runsIn = ({ GITHUB_SERVER_URL: server = 'https://github.com', GITHUB_REPOSITORY: name }) =>
  name && `${server}/${name}`;

/** Lists what does not match the version in package.json, or the repository in release/product.json. */
export function faultsOf(tag, environment = process.env) {
  const repository = runsIn(environment);
  const { version: ofClient } = JSON.parse(textOf('client/package.json'));
  return [
    ...(tag === undefined || tag === `v${version}` ? [] : [`the tag is ${tag}, and package.json says ${version}`]),
    ...(ofClient === version ? [] : [`client/package.json says ${ofClient}, and package.json ${version}`]),
    ...(repository === undefined || repository === PRODUCT.repository
      ? []
      : [`this is ${repository}, and release/product.json says ${PRODUCT.repository}`]),
    ...(notes() ? [] : [`CHANGELOG.md has no part "## ${version}"`]),
    ...(tag && isUnreleased() ? [`CHANGELOG.md says that ${version} is not released yet`] : []),
  ];
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const faults = faultsOf(process.argv[2]);
  for (const fault of faults) console.error(`release: ${fault}`);
  if (faults.length > 0) process.exit(1);
  console.log(notes());
}
