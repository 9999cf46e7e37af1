import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nameVariable, OPTION_NAMES } from '../src/options.ts';
import { openStore } from '../src/store/file/open-file.ts';
import { BROWSER } from './collect/stage.ts';
import { freePort, start, untilListening } from './integrations/crawled.ts';
import { furnish } from './support/furnish.ts';
import { folder } from './support/helpers.ts';
import { type Program, program, until } from './support/program.ts';
import { missing, nginxCommand, replaceIn } from './support/web-servers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const deploy = join(root, 'deploy');
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');

/** A file of deploy/, with what depends on the machine put in: each of these must be in it. */
const example = (name: string, changes: Record<string, string>): string => replaceIn(read(name), changes);

type Proxy = { command: [string, ...string[]]; port: number };

/** Reads the live report as a stream of events. A proxy must not hold the events back. */
function follow(port: number, token: string) {
  let text = '';
  const headers = { host: `stats.example.com:${port}`, authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  const path = '/api/v1/sites/example.com/stats/live';
  const asking = request({ port, host: '127.0.0.1', path, agent: false, headers }, (answer) => {
    answer.setEncoding('utf8').on('error', () => {});
    answer.on('data', (piece: string) => {
      text += piece;
    });
  });
  asking.on('error', () => {}).end();
  return { text: () => text, close: () => void asking.destroy() };
}

/** Two browsers on two machines come through a proxy; one of them sends an IP address and a country that are not theirs. */
async function visited(t: TestContext, daybook: Program, proxyOf: (port: number) => Promise<Proxy>): Promise<void> {
  const token = await furnish(daybook.db);
  const server = await daybook.serve([
    ...['--trusted-proxies', '127.0.0.1', '--base-url', 'https://stats.example.com'],
    ...['--country-header', 'CF-IPCountry'],
  ]);
  const { command, port } = await proxyOf(server.port);
  const proxy = start(t, command, daybook.folder);
  await untilListening(port);
  const send = (localAddress: string, headers: Record<string, string> = {}) =>
    new Promise<number | undefined>((done, failed) => {
      const host = `stats.example.com:${port}`;
      const options = { port, host: '127.0.0.1', localAddress, method: 'POST', path: '/day', agent: false };
      request({ ...options, headers: { ...BROWSER, host, ...headers } }, (answer) => done(answer.resume().statusCode))
        .on('error', failed)
        .end(JSON.stringify({ site: 'example.com', url: 'https://example.com/' }));
    });
  const stream = follow(port, token);
  await until('the stream begins', () => stream.text().includes('"visitors":0'));
  assert.equal(await send('127.0.0.2'), 202);
  assert.equal(await send('127.0.0.3'), 202);
  for (const forged of ['192.0.2.1', '192.0.2.2, 192.0.2.3'])
    assert.equal(await send('127.0.0.3', { 'x-forwarded-for': forged, 'cf-ipcountry': 'NZ' }), 202);
  await until('the hits come at once', () => stream.text().includes('"visitors":2'));
  stream.close();
  await proxy.stop();
  assert.equal(await server.stop(), 0);
  const { db, close } = openStore(daybook.db);
  assert.deepEqual(
    db.one('SELECT count(*) AS hits, count(DISTINCT visitor) AS visitors, max(country) AS countries FROM hit'),
    {
      hits: 4,
      visitors: 2,
      countries: 0,
    },
  );
  close();
}

test('behind nginx as the example has it, visitors are told apart, and nobody can be somebody else', {
  skip: missing('nginx', '-v'),
}, async (t) => {
  const daybook = program(t);
  await visited(t, daybook, async (to) => {
    const port = await freePort();
    const server = example('nginx.conf', {
      'listen 80;': `listen 127.0.0.1:${port};`,
      '127.0.0.1:8377': `127.0.0.1:${to}`,
    });
    return { port, command: nginxCommand(daybook.folder, server) };
  });
});

test('behind Caddy as the example has it, visitors are told apart, and nobody can be somebody else', {
  skip: missing('caddy', 'version'),
}, async (t) => {
  const daybook = program(t);
  await visited(t, daybook, async (to) => {
    const port = await freePort();
    const site = example('Caddyfile', {
      'stats.example.com {': `http://stats.example.com:${port} {`,
      '127.0.0.1:8377': `127.0.0.1:${to}`,
    });
    writeFileSync(join(daybook.folder, 'Caddyfile'), `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${site}`);
    return { port, command: ['caddy', 'run', '--config', 'Caddyfile', '--adapter', 'caddyfile'] };
  });
});

test('no unit leaves a dump of the memory, in which addresses, salts and secrets are', () => {
  for (const name of ['daybook.service', 'cluster/daybook-collector.service']) {
    assert.match(read(name), /^LimitCORE=0$/m, name);
  }
});

test('systemd takes the units, and finds little that they could still forbid', {
  skip: missing('systemd-analyze', '--version'),
}, (t) => {
  const place = folder(t);
  for (const name of ['daybook.service', 'cluster/daybook-collector.service']) {
    const unit = join(place, basename(name));
    writeFileSync(unit, example(name, { '/opt/daybook/node_modules/.bin/node': process.execPath }));
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    assert.deepEqual([verified.status, verified.stderr], [0, ''], name);
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' });
    const exposure = Number(/exposure level[^:]*: ([\d.]+)/.exec(stdout)?.[1]);
    assert.ok(exposure <= 1.5, stdout);
  }
});

test('every variable and flag of daybook in the examples is one that there is', () => {
  const variables = OPTION_NAMES.map(nameVariable);
  let seen = 0;
  const files = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter((name) => /\.|file$/.test(name));
  for (const name of files) {
    for (const [variable] of read(name).matchAll(/\bDAYBOOK_[A-Z_]+\b/g)) {
      seen++;
      assert.ok(variables.includes(variable), `${name}: ${variable}`);
    }
    for (const [line] of read(name).matchAll(/^# Start daybook with .*/gm)) {
      for (const [, flag] of line.matchAll(/ --([a-z-]+)/g))
        assert.ok(
          OPTION_NAMES.some((one) => one === flag),
          `${name}: ${flag}`,
        );
    }
  }
  assert.ok(seen >= 14);
});

test('the image is built from what its build copies, and nothing else comes near it', (t) => {
  const sources = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) =>
    (names ?? '').split(' '),
  );
  const allowed = [...read('Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
  assert.deepEqual([...sources].sort(), allowed.sort());
  const place = folder(t);
  for (const name of sources) cpSync(join(root, name), join(place, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  const built = spawnSync(process.execPath, ['build.mjs'], { cwd: place, encoding: 'utf8' });
  assert.deepEqual([built.status, built.stderr], [0, '']);
  const run = spawnSync(process.execPath, ['dist/daybook.mjs', '--version'], { cwd: place, encoding: 'utf8' });
  assert.match(run.stdout, /^\d+\.\d+\.\d+\n$/);
});
