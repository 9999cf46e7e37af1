import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { makeTokenSecret } from '../src/lib/secrets.ts';
import { openStore } from '../src/store/file/open-file.ts';
import { acceptInvitation, findInvitation, inviteMember } from '../src/store/people/team.ts';
import { addToken } from '../src/store/people/tokens.ts';
import { addUser, findUser } from '../src/store/people/users.ts';
import { BROWSER } from '../test/collect/stage.ts';
import { ANN } from '../test/support/furnish.ts';
import { NOON } from '../test/support/helpers.ts';
import { scaled } from './scale.ts';
import { serving } from './serving.ts';

const VERSION = '4.32.5';
/** Without its phase of examples, which asks each again without a token: bad tokens of one IP address are limited to 60 a minute. */
const PHASES = 'coverage,fuzzing,stateful';

/** Under an id that nobody guesses: schemathesis tries to delete small ones. */
const UNGUESSED = 987_654_321_012_345;

/** A token of somebody who manages the sites of ann. */
function addManager(path: string): string {
  const { db, close } = openStore(path);
  const [secret, invitation] = [makeTokenSecret(randomBytes), makeTokenSecret(randomBytes)];
  const now = NOON / 1000;
  const [email, name] = ['manager@example.com', 'test'];
  db.write(() => {
    const owner = findUser(db, ANN.email) ?? assert.fail();
    const member = addUser(db, { email, password: null, now });
    const { accountId } = owner;
    inviteMember(db, { accountId, owner: owner.email, email, role: 'manager', secret: invitation, now });
    acceptInvitation(db, findInvitation(db, invitation, now) ?? assert.fail(), member.id);
    const { id } = addToken(db, { userId: member.id, name, abilities: ['write'], secret, now });
    db.run('UPDATE token SET id = ? WHERE id = ?', UNGUESSED, id);
  });
  close();
  return `${UNGUESSED}|${secret}`;
}

type Ended = { code: number | null; said: string };

async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const child = spawn(command, args, {
    cwd: tmpdir(),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, mumbled, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close').then(
      ([code]) => code as number | null,
      () => null,
    ),
  ]);
  return { code, said: said + mumbled };
}

/** Where schemathesis is, once it is installed; or why it is not. */
async function schemathesis(): Promise<{ st: string } | { missing: string }> {
  const place = join(tmpdir(), `daybook-schemathesis-${VERSION}`);
  const st = join(place, 'bin', 'st');
  if ((await run(st, ['--version'])).said.includes(VERSION)) return { st };
  const made = await run('python3', ['-m', 'venv', '--clear', place]);
  if (made.code !== 0) return { missing: `python3 makes no venv: ${made.said.slice(0, 300)}` };
  const pip = await run(join(place, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  return pip.code === 0 ? { st } : { missing: `pip installs no schemathesis: ${pip.said.slice(0, 300)}` };
}

/** Something to find in the reports. */
async function visit(url: string): Promise<void> {
  for (const message of [{}, { event: 'signup', label: 'pro' }]) {
    const body = JSON.stringify({ site: 'example.com', url: 'https://example.com/a', ...message });
    assert.equal((await fetch(`${url}/day`, { method: 'POST', headers: BROWSER, body })).status, 202);
  }
}

async function examine(t: TestContext, st: string, { seed, config }: { seed: number; config?: string }) {
  // Whoever shows bad tokens is limited by address, and schemathesis shows many.
  const flags = ['--rate-limit', '0', '--flood', '0', '--trusted-proxies', '127.0.0.1'];
  const { server, db } = await serving(t, { flags });
  const manager = addManager(db);
  await visit(server.url);
  const { code, said } = await run(
    st,
    [
      ...(config === undefined ? [] : ['--config-file', config]),
      'run',
      `${server.url}/api/v1/openapi.json`,
      ...['--header', `Authorization: Bearer ${manager}`],
      ...['--checks', 'all', '--phases', PHASES, '--continue-on-failure', '--workers', '1'],
      ...['--suppress-health-check', 'all', '--max-examples', String(scaled(4, 45)), '--seed', String(seed)],
      ...['--no-color', '--output-sanitize', 'false', '--generation-database', 'none', '--warnings', 'off'],
    ],
    { SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'schemathesis.py') },
  );
  t.diagnostic(`seed ${seed}: ${/\d[\d,]* generated.*/.exec(said)?.[0]}`);
  assert.equal(code, 0, said.slice(-20_000));
  assert.deepEqual(
    server.stderr.filter((line) => !line.includes('"event":"invitation created.')),
    [],
  );
  assert.equal(await server.stop(), 0);
}

test('H1 whatever schemathesis makes of the OpenAPI document, the API answers as the document says', async (t) => {
  const found = await schemathesis();
  if ('missing' in found) return t.skip(found.missing);
  const named = join(import.meta.dirname, scaled('schemathesis-short.toml', 'schemathesis.toml'));
  const first = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  for (let n = 0; n < scaled(1, 3); n++) await examine(t, found.st, { seed: first + n, config: named });
  // Without a named site it only knows the sites that it adds itself.
  for (let n = 0; n < scaled(0, 1); n++) await examine(t, found.st, { seed: first });
});
