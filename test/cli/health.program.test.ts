import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../integrations/crawled.ts';
import { program } from '../support/program.ts';

test('health says whether the server takes hits', async (t) => {
  const { run, serve } = program(t);
  const port = String(await freePort());
  assert.equal((await run(['health', '--port', port])).code, 1);
  const server = await serve();
  const { code, stdout } = await run(['health'], { env: { DAYBOOK_PORT: String(server.port) } });
  assert.deepEqual([code, stdout], [0, 'ready\n']);
  await server.stop();
  const { stderr } = await run(['health', '--port', String(server.port)]);
  assert.match(stderr, /^daybook: no server answers at http:\/\/127\.0\.0\.1:\d+\/readyz\. [^\n]+\n$/);
});

test('health finds a server that listens on all addresses, as in a container', async (t) => {
  const { print, serve } = program(t);
  for (const host of ['0.0.0.0', '::']) {
    const { port, stop } = await serve(['--host', host]);
    assert.equal(await print(['health', '--host', host, '--port', String(port)]), 'ready');
    await stop();
  }
});
