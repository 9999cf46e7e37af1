import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { listen } from '../../src/http/server.ts';
import { readAddressList } from '../../src/lib/http/address.ts';
import { pageview } from '../collect/stage.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { standIn } from '../support/stand-in.ts';

/** In place of the 30 s of the server. */
const IDLE_MS = 200;

/** A server with a site that has a hit, and a connection that asks for an export of it. */
async function asking(t: TestContext) {
  const app = await startApp(t);
  const { known, store } = await openSite(app);
  await store([pageview({})]);
  const { hono } = app.app;
  const fetched: typeof hono.fetch = (request, bindings, ...more) => {
    (bindings as { incoming: IncomingMessage }).incoming.socket.setTimeout(IDLE_MS);
    return hono.fetch(request, bindings, ...more);
  };
  const { port, stop } = await listen(
    { host: '127.0.0.1', port: 0, trust: readAddressList('') },
    { random: randomBytes, clock: app.clock, log: () => {} },
    () => ({ ...app.app, hono: { fetch: fetched } as typeof hono }),
  );
  t.after(stop);
  const path = `/api/v1/sites/${known.domain}/export?format=csv`;
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: a.test\r\nAuthorization: Bearer ${app.owner.token}\r\nConnection: close\r\n\r\n`,
  );
  return { app, path, socket };
}

test('download: a connection stays open while the server works, before the first byte and between two', async (t) => {
  standIn(t, () => 'sleep 1; echo first; sleep 1; echo last');
  const { socket } = await asking(t);
  assert.match(await text(socket), /^HTTP\/1\.1 200 .*\r\nfirst\n\r\n.*\r\nlast\n\r\n0\r\n\r\n$/s);
});

test('download: a client that does not read is let go, and its account may export again', async (t) => {
  standIn(t, () => 'exec yes');
  const { app, path, socket } = await asking(t);
  await once(socket, 'readable');
  // A HEAD request tells whether a download would work now.
  const statusOf = async () => (await app.ask('HEAD', path, { token: app.owner.token })).status;
  await until('the export has begun', async () => (await statusOf()) === 429);
  await until('the export has ended', async () => (await statusOf()) === 200);
});
