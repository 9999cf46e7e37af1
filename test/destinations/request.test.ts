import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { request } from '../../src/destinations/request.ts';
import type { Resolve } from '../../src/destinations/resolve.ts';
import { type Allowed, findUrlFault } from '../../src/destinations/settings.ts';
import { coded } from '../../src/lang/coded.ts';
import { receiver } from '../mail/receiver.ts';

const stop = new AbortController().signal;

const namesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const post = (url: string, allowed: Allowed, resolve: Resolve = namesTo('127.0.0.1'), patienceMs = 10_000) =>
  request({ method: 'POST', url, headers: {}, body: '{}' }, { allowed, resolve, stop, patienceMs });

const refused = (host: string) => ({ failure: coded('private_network', { host }) });

test('request: a name with a private IP address gets no connection, unless the server allows private networks', async (t) => {
  const hook = await receiver(t);
  const url = hook.url.replace('127.0.0.1', 'rebind.example.com');
  assert.deepEqual(await post(url, 'public'), refused('rebind.example.com'));
  assert.equal(hook.received.length, 0);
  assert.equal((await post(url, 'private')).status, 204);
  assert.equal(hook.received.length, 1);
});

test('request: if only one of several IP addresses is private, there is no connection', async (t) => {
  const hook = await receiver(t);
  const url = hook.url.replace('127.0.0.1', 'both.example.com');
  assert.deepEqual(await post(url, 'public', namesTo('93.184.216.34', '127.0.0.1')), refused('both.example.com'));
  assert.deepEqual(
    await post(url, 'public', namesTo('93.184.216.34', '::ffff:127.0.0.1')),
    refused('both.example.com'),
  );
  assert.deepEqual(await post(url, 'private', namesTo('127.0.0.1', '169.254.169.254')), refused('both.example.com'));
  assert.deepEqual(await post(url, 'private', namesTo()), refused('both.example.com'));
  assert.equal(hook.received.length, 0);
});

test('request: a name is looked up once, so DNS cannot give another IP address for the connection', async (t) => {
  const hook = await receiver(t);
  let lookups = 0;
  const rebinding: Resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
  const url = hook.url.replace('127.0.0.1', 'rebind.example.com');
  assert.equal((await post(url, 'private', rebinding)).status, 204);
  assert.equal(lookups, 1);
  assert.equal(hook.received[0]?.headers.host, new URL(url).host);
});

/** Each spelling is of 127.0.0.1, of ::1, or of a machine that gives out secrets. */
const SPELLINGS = [
  ...['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '0x7f.1', '127.0.0.1.', '①②⑦.⓪.⓪.①'],
  ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
  ...['0.0.0.0', '0', '[::]', '169.254.169.254', '0xa9fea9fe', '[fe80::1]', '[fd00:ec2::254]', '10.0.0.1', '[fc00::1]'],
];

test('request: no spelling of an IP address gets around the check', async (t) => {
  const hook = await receiver(t);
  const { port } = new URL(hook.url);
  for (const host of SPELLINGS) {
    const { failure } = await post(`http://${host}:${port}/`, 'public');
    assert.equal(failure?.code, 'private_network', host);
    assert.equal(findUrlFault('webhook', `https://${host}/`, 'public')?.code, 'private_network', host);
  }
  assert.equal(hook.received.length, 0);
});

test('request: also with private networks allowed, no machine of a cloud that gives out secrets is asked', async () => {
  for (const host of [
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    '0.0.0.0',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[fd00:c1::a9fe:a9fe]',
    '224.0.0.1',
  ]) {
    assert.equal((await post(`http://${host}/`, 'private')).failure?.code, 'private_network', host);
    assert.equal(findUrlFault('webhook', `http://${host}/`, 'private')?.code, 'private_network', host);
  }
});

test('request: a public IP address needs HTTPS and a usual port', async () => {
  const there = namesTo('93.184.216.34');
  for (const allowed of ['public', 'private'] as const) {
    assert.deepEqual(await post('http://a.example.com/', allowed, there), { failure: coded('https_only') });
    assert.deepEqual(await post('https://a.example.com:6379/', allowed, there), { failure: coded('other_port') });
  }
});

test('request: a redirect is not followed', async (t) => {
  const inside = await receiver(t);
  const hook = await receiver(t);
  for (const status of [301, 302, 303, 307, 308]) {
    Object.assign(hook.state, { status, location: inside.url });
    assert.deepEqual(await post(hook.url, 'private'), { status, retryAfter: undefined });
  }
  assert.equal(inside.received.length, 0);
});

/** A server that writes what a test says, and no HTTP of its own. */
async function rawServer(t: TestContext, serve: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test('request: the body of an answer is not read, and its connection ends', async (t) => {
  let written = 0;
  let isEnded = false;
  const url = await rawServer(t, (socket) => {
    socket.on('close', () => {
      isEnded = true;
    });
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const flood = () => {
      while (!socket.destroyed && written < 1e9 && socket.write('x'.repeat(65_536))) written += 65_536;
    };
    socket.on('drain', flood);
    flood();
  });
  assert.equal((await post(url, 'private')).status, 200);
  while (!isEnded) await new Promise(setImmediate);
  assert.ok(written < 5e7, `${written} bytes`);
});

test('request: a receiver that switches to another protocol is given up', { timeout: 60_000 }, async (t) => {
  const url = await rawServer(t, (socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    ),
  );
  assert.deepEqual(await post(url, 'private'), { failure: coded('no_connection', { code: 'Error' }) });
});

test('request: headers without an end are cut, and a receiver that says nothing is given up', async (t) => {
  const long = await rawServer(t, (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`));
  assert.deepEqual(await post(long, 'private'), { failure: coded('no_connection', { code: 'HPE_HEADER_OVERFLOW' }) });
  const silent = await rawServer(t, () => {});
  assert.deepEqual(await post(silent, 'private', undefined, 50), { failure: coded('no_answer_in_time') });
  const dripping = await rawServer(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ');
    const drip = setInterval(() => socket.write('x'), 5);
    socket.on('close', () => clearInterval(drip));
  });
  assert.deepEqual(await post(dripping, 'private', undefined, 50), { failure: coded('no_answer_in_time') });
  const hanging = () => new Promise<never>(() => {});
  assert.deepEqual(await post('https://a.example.com/', 'public', hanging, 50), {
    failure: coded('no_answer_in_time'),
  });
});

test('request: a wish to wait is told, and a failure in plain words without the URL', async (t) => {
  const busy = await rawServer(t, (socket) => socket.write('HTTP/1.1 429 Slow\r\nRetry-After: 120\r\n\r\n'));
  assert.deepEqual(await post(busy, 'private'), { status: 429, retryAfter: 120 });
  const unknown: Resolve = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND secret'), { code: 'ENOTFOUND' });
  };
  assert.deepEqual(await post('https://none.example.com/secret', 'any', unknown), {
    failure: coded('unknown_host', { host: 'none.example.com' }),
  });
});

test('request: an unknown name looks as a private one, so nobody can try out the names of a private network', async () => {
  const unknown: Resolve = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  };
  const url = 'https://db.example.com:8443/';
  const { failure } = await post(url, 'public', namesTo('10.0.0.7'));
  assert.equal(failure?.code, 'private_network');
  assert.deepEqual((await post(url, 'public', unknown)).failure, failure);
});

test('settings: a URL of a service must be at its host', () => {
  const faultOf = (kind: 'slack' | 'discord' | 'teams', url: string) => findUrlFault(kind, url, 'public')?.code;
  assert.equal(faultOf('slack', 'https://hooks.slack.com/services/x'), undefined);
  assert.equal(faultOf('discord', 'https://ptb.discord.com/api/webhooks/1/x'), undefined);
  assert.equal(faultOf('teams', 'https://prod-1.westeurope.logic.azure.com:443/workflows/x'), undefined);
  for (const host of [
    'hooks.slack.com.evil.example',
    'evilhooks.slack.com',
    'slack.com',
    'hooks.slack.com@evil.example',
  ])
    assert.equal(faultOf('slack', `https://${host}/services/x`), 'other_host', host);
  assert.equal(faultOf('teams', 'https://logic.azure.com.evil.example/x'), 'other_host');
});

test('settings: without DNS, names of one’s own network, plain HTTP and other ports are refused at once', () => {
  const faultOf = (url: string) => findUrlFault('webhook', url, 'public')?.code;
  for (const host of [
    'localhost',
    'gotify',
    'printer.local',
    'db.internal',
    'nas.lan',
    'a.localhost',
    'router.home.arpa',
    'localhost.',
  ])
    assert.equal(faultOf(`https://${host}/`), 'private_network', host);
  assert.equal(faultOf('http://example.com/'), 'https_only');
  assert.equal(faultOf('https://example.com:22/'), 'other_port');
  assert.equal(faultOf('https://example.com:8443/hook'), undefined);
});
