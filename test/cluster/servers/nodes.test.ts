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
