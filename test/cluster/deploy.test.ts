import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { BROWSER } from '../collect/stage.ts';
import { freePort, start, untilListening } from '../integrations/crawled.ts';
import { furnish } from '../support/furnish.ts';
import { folder } from '../support/helpers.ts';
import { program, until } from '../support/program.ts';
import { CLUSTER, hostsOf, startCluster } from './servers.ts';

const CADDYFILE = readFileSync(join(import.meta.dirname, '../../deploy/cluster/Caddyfile'), 'utf8');

type Asked = { method?: string; path: string; from?: string; body?: string; headers?: Record<string, string> };
type Answered = { status: number | undefined; text: string };

const ask = (
  port: number,
  { method = 'GET', path, from = '127.0.0.1', body, headers = {} }: Asked,
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const host = `stats.example.com:${port}`;
    const options = { port, host: '127.0.0.1', localAddress: from, method, path, agent: false };
    const sent = request({ ...options, headers: { ...BROWSER, host, ...headers } }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += String(chunk);
      resolve({ status: answer.statusCode, text });
    });
    sent.on('error', reject).end(body);
  });

test('behind Caddy as the example has it, hits go to collectors of which one may be gone, and the rest to the primary', {
  skip: spawnSync('caddy', ['version']).error ? 'caddy is not installed' : false,
}, async (t) => {
  const servers = await startCluster(folder(t), 2, 1);
  t.after(() => Promise.all(servers.map(({ kill }) => kill())));
  const daybook = program(t);
  const { serve, print, db, folder: at } = daybook;
  const token = await furnish(db);
  const engine = `clickhouse://${hostsOf(servers)}/own?cluster=${CLUSTER}`;
  const primary = await serve(['--engine', engine, '--base-url', 'https://stats.example.com']);
  const collectors = [];
  for (const name of ['one', 'two']) {
    writeFileSync(join(at, name), await print(['collectors', 'add', name]));
    const flags = ['--primary', primary.url, '--secret-file', join(at, name), '--outbox', join(at, `${name}.db`)];
    collectors.push(await serve([...flags, '--trusted-proxies', '127.0.0.1'], { command: 'collect' }));
  }
  const [one, two] = collectors;
  const port = await freePort();
  const site = CADDYFILE.replace('stats.example.com {', `http://stats.example.com:${port} {`)
    .replace('one:8377 two:8377', `127.0.0.1:${one?.port} 127.0.0.1:${two?.port}`)
    .replace('primary:8377', `127.0.0.1:${primary.port}`);
  writeFileSync(join(at, 'Caddyfile'), `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n}\n${site}`);
  start(t, ['caddy', 'run', '--config', 'Caddyfile', '--adapter', 'caddyfile'], at);
  await untilListening(port);

  let acknowledged = 0;
  const view = async (n: number): Promise<boolean> => {
    const body = JSON.stringify({ site: 'example.com', url: `https://example.com/${n}` });
    const { status } = await ask(port, { method: 'POST', path: '/day', from: `127.0.0.${2 + (n % 3)}`, body });
    if (status === 202) acknowledged++;
    return status === 202;
  };
  await until('collectors are known to be there', () => view(0));
  assert.match((await ask(port, { path: '/day.js' })).text, /^!?\(?/);
  assert.equal((await ask(port, { method: 'POST', path: '/collectors/4' })).status, 401);
  for (let n = 1; n <= 6; n++) assert.ok(await view(n));
  one?.kill('SIGKILL');
  await one?.ended;
  // What was on its way to it has an error, and is not sent to another: it might count twice.
  for (let n = 7; n <= 12; n++) await until('the other takes it', () => view(n));

  const headers = { authorization: `Bearer ${token}` };
  const figures = async () => {
    const { status, text } = await ask(port, { path: '/api/v1/sites/1/stats/overview?range=today', headers });
    assert.equal(status, 200, text);
    return JSON.parse(text).data as { visitors: number; pageviews: number };
  };
  // What the one that is gone had acknowledged is on its disk.
  await serve(['--primary', primary.url, '--secret-file', join(at, 'one'), '--outbox', join(at, 'one.db')], {
    command: 'collect',
  });
  await until('all is counted', async () => (await figures()).pageviews >= acknowledged);
  assert.deepEqual(await figures().then(({ visitors, pageviews }) => [visitors, pageviews]), [3, acknowledged]);
});
