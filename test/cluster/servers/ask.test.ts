import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { parseAddress } from '../../../src/cluster/servers/address.ts';
import { buildNodes } from '../../../src/cluster/servers/nodes.ts';

/** A server that answers each question with a number, as long as it is open. */
async function replica(t: TestContext, n: number) {
  const server = createServer((_, answer) => {
    answer.setHeader('X-ClickHouse-Query-Id', 'any');
    answer.end(`{"n":${n}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  t.after(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

test('a replica that takes over is asked when it has what the one before has shown', async (t) => {
  const [first, second] = [await replica(t, 1), await replica(t, 2)];
  /** What was taken, and how often somebody looked whether the second has it, which it has at the third look. */
  let [taken, looks] = [64, 0];
  const nodes = buildNodes(
    parseAddress('clickhouse://one/own'),
    [first, second].map(({ url }, at) => ({ url, shard: 0, replica: at })),
    {
      nextNumber: () => taken,
      reached(url) {
        if (url === first.url) return taken;
        looks++;
        // A sender that failed rests for 5 s, and this looks every 50 ms.
        return looks < 110 ? 0 : taken;
      },
    },
  );
  t.after(nodes.close);
  taken = 128;
  assert.deepEqual([await nodes.ask('SELECT'), looks], [[{ n: 1 }], 0]);
  first.close();
  assert.deepEqual([await nodes.ask('SELECT'), looks], [[{ n: 2 }], 110]);
  // Nothing is looked at while the same one is asked.
  assert.deepEqual([await nodes.ask('SELECT'), looks], [[{ n: 2 }], 110]);
});
