// Does all steps of a release that this machine can do, tries the results, and says which steps it could not do: `npm
// run release:dry`. It publishes nothing. The real release is .github/workflows/release.yml, which has the same steps.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sha256Of } from '../verify-install.mjs';
import { unpinnedImages } from './images.mjs';
import { LINTERS, lintPackage } from './lint.mjs';
import { packAll } from './npm.mjs';
import { PRODUCT } from './product.mjs';
import { faultsOf, version } from './version.mjs';

process.chdir(join(import.meta.dirname, '../..'));
const work = mkdtempSync(join(tmpdir(), 'daybook-release-'));
/** The environment of a stranger's machine, without any setting of this one. */
const env = { PATH: process.env.PATH, HOME: work };

const run = (command, args, own = {}) => execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe', ...own });

/** Thrown if this machine cannot do a step. The step is reported, and the other steps go on. */
class Missing extends Error {}

/** Starts a server of a program with a new database file, asks for its health, and stops it. */
async function tried(command, args, own) {
  const child = spawn(command, [...args, 'serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'], ...own });
  await once(child, 'spawn');
  try {
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /^listening on (\S+)$/.exec(line) ?? [];
      if (!url) continue;
      const answer = await fetch(`${url}/healthz`);
      if (answer.status !== 200) throw new Error(`${url}/healthz answers ${answer.status}`);
      return `${version} serves`;
    }
    throw new Error('it ended before it served');
  } finally {
    child.kill();
    await once(child, 'close');
  }
}

function buildExecutable(target) {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/binary.mjs', '--target', target], {
    encoding: 'utf8',
  });
  if (status === 0) return;
  const reason = stderr.trim().split('\n').at(-1);
  throw /registry did not give|on a Mac only/.test(stderr) ? new Missing(reason) : new Error(stderr);
}

/** Makes the program, the client and their packages. */
function buildPackages() {
  run('npm', ['run', '--silent', 'build']);
  run('npm', ['run', '--silent', 'build:client']);
  packAll();
}

/** What this run made, so that it can be made a second time. */
const made = [];
const make = (step) => () => {
  step();
  made.push(step);
};

/** The checksums of all artefacts, by their names. */
const sumArtefacts = () =>
  Object.fromEntries(
    readdirSync('dist')
      .filter((name) => /^daybook(?:-.+|\.mjs)$|^SHA256SUMS$/.test(name))
      .map((name) => [name, sha256Of(join('dist', name))]),
  );

const isLinux = process.platform === 'linux';
const executable = 'dist/daybook-linux-x64';

/** The steps by name. A step returns what should be reported about it. */
const STEPS = {
  'version, client and changelog fit'() {
    const faults = faultsOf();
    if (faults.length > 0) throw new Error(faults.join('; '));
    return version;
  },
  'every image is named by its digest'() {
    const unpinned = unpinnedImages();
    if (unpinned.length > 0) throw new Error(`${unpinned.join('; ')}; docker buildx imagetools inspect tells a digest`);
  },
  'the program, the client and their packages are built': make(buildPackages),
  'the executable of linux-x64': make(() => buildExecutable('linux-x64')),
  'the executable of linux-arm64': make(() => buildExecutable('linux-arm64')),
  'the executable of win-x64': make(() => buildExecutable('win-x64')),
  'the executable of darwin-arm64': make(() => buildExecutable('darwin-arm64')),
  'made again, every artefact has the same bytes'() {
    const first = sumArtefacts();
    for (const name of Object.keys(first)) rmSync(join('dist', name));
    for (const step of made) step();
    const second = sumArtefacts();
    const other = Object.keys(first).filter((name) => first[name] !== second[name]);
    if (other.length > 0) throw new Error(`${other.join(', ')} has other bytes the second time`);
    return `${Object.keys(first).length} artefacts`;
  },
  'sums and lists of parts'() {
    const lines = readFileSync('dist/SHA256SUMS', 'utf8').trim().split('\n');
    for (const line of lines) {
      const [sum, name] = line.split('  ');
      if (sha256Of(join('dist', name)) !== sum) throw new Error(`${name} is not what its sum says`);
    }
    const executables = readdirSync('dist').filter((name) => /^daybook-(linux|win|darwin)-\w+(\.exe)?$/.test(name));
    const lists = executables.map((name) => `dist/${name.replace('.exe', '')}.cdx.json`);
    const lacking = lists.filter((list) => !existsSync(list));
    if (lacking.length > 0) throw new Error(`there is no ${lacking}`);
    return `${lines.length} sums, ${lists.length} lists`;
  },
  async 'the executable serves from an empty folder'() {
    if (!isLinux || process.arch !== 'x64') throw new Missing(`this is ${process.platform}-${process.arch}`);
    run('cp', [executable, join(work, 'daybook')]);
    return await tried(join(work, 'daybook'), [], { cwd: work, env });
  },
  async 'what an image is made of serves with nothing else'() {
    if (!isLinux || process.getuid() !== 0)
      throw new Missing('only root on Linux can look at a folder as if it were all');
    const root = join(work, 'root');
    run('scripts/release/root.sh', [executable, root]);
    const own = { env: { PATH: process.env.PATH, DAYBOOK_DB: '/data/daybook.db' } };
    return await tried('chroot', ['--userspec=10001:10001', root, '/usr/local/bin/daybook'], own);
  },
  async 'the npm packages install and serve'() {
    const folder = join(work, 'npm');
    const [program, client] = packAll();
    run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', program, client]);
    const script = `import { client } from '${PRODUCT.client}'; if (typeof client !== 'function') process.exit(1);`;
    run(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder });
    return await tried(process.execPath, [join(folder, 'node_modules', PRODUCT.package, 'daybook.mjs')], {
      cwd: folder,
      env,
    });
  },
  'the linters of packages find nothing'() {
    for (const path of packAll()) {
      for (const linter of Object.keys(LINTERS)) {
        const { isMissing, fault } = lintPackage(linter, path);
        if (isMissing) throw new Missing(`${linter} cannot be fetched`);
        if (fault) throw new Error(fault);
      }
    }
    return Object.keys(LINTERS).join(', ');
  },
  'the images'() {
    if (spawnSync('docker', ['buildx', 'version']).status !== 0) throw new Missing('there is no docker buildx');
    run('docker', ['buildx', 'build', '-f', 'deploy/Dockerfile.release', '--platform', 'linux/amd64,linux/arm64', '.']);
  },
  'provenance, and what is published'() {
    throw new Missing('only the workflow can sign for this repository, and publish');
  },
};

try {
  for (const [name, step] of Object.entries(STEPS)) {
    const from = performance.now();
    try {
      const words = await step();
      console.log(`done     ${name}${words ? `: ${words}` : ''} (${((performance.now() - from) / 1000).toFixed(0)} s)`);
    } catch (error) {
      if (error instanceof Missing) console.log(`not here ${name}: ${error.message}`);
      else {
        console.log(`failed   ${name}: ${error.stderr || error.message}`);
        process.exitCode = 1;
      }
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
