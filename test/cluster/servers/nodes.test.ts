import assert from 'node:assert/strict';
import { test } from 'node:test';
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
