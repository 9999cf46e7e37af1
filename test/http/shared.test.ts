import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { loadDashboard } from '../../src/embedded/dashboard.ts';
import type { Env } from '../../src/lib/http/paths.ts';
import { startApp } from '../support/helpers.ts';

test('answers: long ones that are for everybody share their bytes, so that unread ones fill no memory', async (t) => {
  const { app } = await startApp(t);
  const listener = getRequestListener((request, env) => app.hono.fetch(request, env as Env['Bindings']));
  const bodies: unknown[] = [];
  const server = createServer((incoming, outgoing) => {
    const { end } = outgoing;
    outgoing.end = function keep(this: typeof outgoing, ...sent: unknown[]) {
      bodies.push(sent[0]);
      return end.apply(this, sent as never);
    } as typeof end;
    void listener(incoming, outgoing);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { script } = await loadDashboard();
  for (const path of ['/api/v1/openapi.json', `/assets/${script}`, '/assets/manifest.webmanifest']) {
    for (const encoding of ['br', 'gzip', 'identity']) {
      for (let n = 0; n < 2; n++) {
        const headers = { 'Accept-Encoding': encoding, Connection: 'close' };
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
        assert.equal(answer.status, 200);
        await answer.arrayBuffer();
      }
      const [first, second] = bodies.splice(0);
      assert.ok(first instanceof Uint8Array, `${path} ${encoding}`);
      assert.ok(first === second, `${path} ${encoding}`);
    }
  }
});
