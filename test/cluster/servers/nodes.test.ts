import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { parseAddress } from '../../../src/cluster/servers/address.ts';
import { buildNodes } from '../../../src/cluster/servers/nodes.ts';

test('a question that takes too long is given up, by its server too', async () => {
  const [host = ''] = process.env.TEST_CLUSTER?.split(',') ?? [];
  const nodes = buildNodes(
    parseAddress(`clickhouse://${host}/default`),
    [{ url: `http://${host}`, shard: 0, replica: 0 }],
    {
      patience: 1,
    },
  );
  await assert.rejects(nodes.ask('SELECT count() AS n FROM system.numbers'), { code: 'unavailable' });
  const running = "SELECT count() AS n FROM system.processes WHERE query LIKE '%system.numbers' || ' %'";
  assert.deepEqual(await nodes.ask(running), [{ n: 0 }]);
  assert.deepEqual(await nodes.ask('SELECT 1 AS n'), [{ n: 1 }]);
});

test('what one server says of all sealed days may be longer than 64 MiB', async () => {
  const [host = ''] = process.env.TEST_CLUSTER?.split(',') ?? [];
  const node = { url: `http://${host}`, shard: 0, replica: 0 };
  const nodes = buildNodes(parseAddress(`clickhouse://${host}/default`), [node]);
  const rows = await nodes.askOne(node, "SELECT repeat('9', 100000) AS text FROM numbers(700)");
  assert.equal(rows.length, 700);
});

/** Serves a server of ClickHouse with other defaults for settings, as the profile of a user has them. */
async function serveWithProfile(t: TestContext, host: string, profile: Record<string, string>): Promise<string> {
  const front = createServer(async (incoming, answer) => {
    const asked = new URL(incoming.url ?? '/', `http://${host}`);
    for (const [name, value] of Object.entries(profile))
      if (!asked.searchParams.has(name)) asked.searchParams.set(name, value);
    const got = await fetch(asked, { method: 'POST', body: await buffer(incoming) });
    const headers = [...got.headers].filter(([name]) => name.startsWith('x-'));
    answer.writeHead(got.status, headers.flat()).end(await got.text());
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    front.close();
    front.closeAllConnections();
  });
  return `127.0.0.1:${(front.address() as AddressInfo).port}`;
}

test('statements: ClickHouse is told to keep none in its query log', async () => {
  const [host = ''] = process.env.TEST_CLUSTER?.split(',') ?? [];
  const nodes = buildNodes(parseAddress(`clickhouse://${host}/default`), [
    { url: `http://${host}`, shard: 0, replica: 0 },
  ]);
  const [first] = await nodes.ask("SELECT value FROM system.settings WHERE name = 'log_queries'");
  assert.deepEqual(first, { value: '0' });
});

test('limits and a cache in the profile of the user change no answer', async (t) => {
  const [host = ''] = process.env.TEST_CLUSTER?.split(',') ?? [];
  const nodesAt = (at: string) =>
    buildNodes(parseAddress(`clickhouse://${at}/default`), [{ url: `http://${at}`, shard: 0, replica: 0 }]);
  const limit = { max_result_rows: '10', result_overflow_mode: 'break', max_block_size: '5' };
  const limited = nodesAt(await serveWithProfile(t, host, limit));
  await assert.rejects(limited.ask('SELECT number AS n FROM numbers(1000)'), { code: 'unavailable' });
  const cached = nodesAt(await serveWithProfile(t, host, { use_query_cache: '1' }));
  const [node] = cached.all;
  assert.ok(node);
  await cached.run(node, 'CREATE OR REPLACE TABLE counted (n UInt8) ENGINE = MergeTree ORDER BY n');
  const count = () => cached.ask('SELECT count() AS n FROM counted');
  assert.deepEqual(await count(), [{ n: 0 }]);
  await cached.run(node, 'INSERT INTO TABLE counted SELECT 1');
  assert.deepEqual(await count(), [{ n: 1 }]);
});
