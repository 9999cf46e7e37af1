/**
 * The web servers of docs/first-party.md, with the blocks that stand there. Traefik comes from a package for pip, which CI fetches:
 *
 *     python3 -m venv test/first-party/venv && test/first-party/venv/bin/pip install -r test/first-party/requirements.txt
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { blockOf, ROOT } from '../documents/documents.ts';
import { until } from '../support/program.ts';
import { missing, nginxCommand, replaceIn } from '../support/web-servers.ts';
import { freePort, start, untilListening, visit } from './crawled.ts';
import { checkFirstParty, type Place } from './first-party.ts';

const PAGE = 'docs/first-party.md';
const [nginxMissing, caddyMissing] = [missing('nginx', '-v'), missing('caddy', 'version')];

/** A block of the page, with what depends on the machine put in: each of these must be in it. */
function block(section: string, language: string, changes: Record<string, string>): string {
  return replaceIn(blockOf(PAGE, section, language), changes);
}

async function runNginx(t: TestContext, { folder }: { folder: string }, server: string): Promise<number> {
  const port = await freePort();
  const whole = /\bserver \{/.test(server)
    ? replaceIn(server, { 'listen 80;': `listen 127.0.0.1:${port};` })
    : `server { listen 127.0.0.1:${port}; root ${folder}/www; ${server} }`;
  start(t, nginxCommand(folder, `access_log off; ${whole}`), folder);
  await untilListening(port);
  return port;
}

async function runCaddy(
  t: TestContext,
  { folder }: { folder: string },
  site: (port: number) => string,
): Promise<number> {
  const port = await freePort();
  const file = `Caddyfile-${port}`;
  writeFileSync(join(folder, file), `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${site(port)}`);
  start(t, ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], folder);
  await untilListening(port);
  return port;
}

const nginxOf = ({ port }: Place) => block('nginx', 'nginx', { '127.0.0.1:8377': `127.0.0.1:${port}` });
const caddyOf = ({ port }: Place) => block('Caddy', 'caddyfile', { '127.0.0.1:8377': `127.0.0.1:${port}` });

test('first-party: nginx forwards the script and its hits', { skip: nginxMissing }, (t) =>
  checkFirstParty(t, (place) => runNginx(t, place, nginxOf(place))),
);

test('first-party: Caddy forwards the script and its hits', { skip: caddyMissing }, (t) =>
  checkFirstParty(t, (place) =>
    runCaddy(
      t,
      place,
      (port) => `http://example.com:${port}, http://example.com:80 {\n\tbind 127.0.0.1\n${caddyOf(place)}}\n`,
    ),
  ),
);

test('first-party: Apache forwards the script and its hits', { skip: missing('apache2', '-v') }, (t) =>
  checkFirstParty(t, async (place) => {
    const port = await freePort();
    const modules = ['mpm_event', 'authz_core', 'proxy', 'proxy_http', 'headers'].map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    );
    const site = block('Apache', 'apache', { 'http://127.0.0.1:8377': `http://127.0.0.1:${place.port}` });
    const lines = [
      ...modules,
      `ServerName example.com\nListen 127.0.0.1:${port}\nPidFile ${place.folder}/apache.pid`,
      `DefaultRuntimeDir ${place.folder}\nErrorLog ${place.folder}/apache.log`,
      `<VirtualHost *:${port}>\n${site}</VirtualHost>`,
    ];
    const file = join(place.folder, 'apache.conf');
    writeFileSync(file, `${lines.join('\n')}\n`);
    // With -X, Apache is one process, so that no other process is left when it is killed.
    start(t, ['apache2', '-f', file, '-X'], place.folder);
    await untilListening(port);
    return port;
  }),
);

const TRAEFIK = join(ROOT, 'test/first-party/venv/bin/traefik');

test(
  'first-party: Traefik forwards the script and its hits',
  {
    skip: existsSync(TRAEFIK) ? false : 'the head of this file says how to fetch Traefik',
  },
  (t) =>
    checkFirstParty(t, async (place) => {
      const port = await freePort();
      // The visitors of the test come without HTTPS.
      const changes = { 'http://127.0.0.1:8377': `http://127.0.0.1:${place.port}`, 'tls: {}': '' };
      const file = join(place.folder, 'linen.yaml');
      writeFileSync(file, block('Traefik', 'yaml', changes));
      const flags = [`--entrypoints.web.address=127.0.0.1:${port}`, `--providers.file.filename=${file}`];
      start(t, [TRAEFIK, ...flags, '--global.checknewversion=false', '--log.level=ERROR'], place.folder);
      await untilListening(port);
      // Traefik listens before it has read the file.
      await until(
        'Traefik knows the route',
        async () => (await visit(port, '/linen/ripple.js', 'x', 'example.com')) !== 404,
      );
      return port;
    }),
);

/** The proxy in front of daybook on its own machine, as in deploy/, and with what the page adds to it. */
const stats = (name: string, changes: Record<string, string>): string =>
  replaceIn(readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8'), changes);

test('first-party: nginx forwards to the nginx of another machine', { skip: nginxMissing }, (t) =>
  checkFirstParty(t, async (place) => {
    const added = block('daybook on another machine', 'nginx set_real_ip_from', { '203.0.113.7': '127.0.0.1' });
    const other = await runNginx(
      t,
      place,
      stats('nginx.conf', {
        '127.0.0.1:8377': `127.0.0.1:${place.port}`,
        'access_log off;': `access_log off; ${added}`,
      }),
    );
    const forward = replaceIn(blockOf(PAGE, 'daybook on another machine', 'nginx proxy_pass'), {
      'https://stats.example.com': `http://127.0.0.1:${other}`,
    });
    return runNginx(t, place, nginxOf(place).replace(/^ *proxy_pass .*$/m, forward));
  }),
);

test('first-party: Caddy forwards to the Caddy of another machine', { skip: caddyMissing }, (t) =>
  checkFirstParty(t, async (place) => {
    const other = await runCaddy(t, place, (port) =>
      stats('Caddyfile', {
        'stats.example.com {': `http://stats.example.com:${port} {`,
        'reverse_proxy 127.0.0.1:8377 {': `reverse_proxy 127.0.0.1:${place.port} {\n\t\ttrusted_proxies 127.0.0.1`,
      }),
    );
    return runCaddy(
      t,
      place,
      (port) =>
        `http://example.com:${port}, http://example.com:80 {\n${replaceIn(caddyOf(place), {
          [`127.0.0.1:${place.port} {`]: `http://127.0.0.1:${other} {\n\theader_up Host stats.example.com:${other}`,
        })}}\n`,
    );
  }),
);
