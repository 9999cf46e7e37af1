import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { parseAddress } from '../../../src/cluster/servers/address.ts';
import { buildNodes } from '../../../src/cluster/servers/nodes.ts';

/** A server that answers each question with a number, as long as it is open. With a disk that hangs it answers only the probe. */
async function replica(t: TestContext, n: number) {
  let [isHung, isDown] = [false, false];
  let held = Promise.resolve();
  const server = createServer(async (question, answer) => {
    if (isDown) return void question.destroy();
    if (isHung && (await text(question)) !== 'SELECT 1') return;
    await held;
    answer.setHeader('X-ClickHouse-Query-Id', 'any');
    answer.end(`{"n":${n}}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  t.after(close);
  const hangDisk = () => {
    isHung = true;
  };
  const setDown = (down: boolean) => {
    isDown = down;
  };
  const holdUntil = (end: Promise<void>) => {
    held = end;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close, hangDisk, setDown, holdUntil };
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

test('a replica is asked last while it lacks rows that another one has, and is waited for once', async (t) => {
  const [first, second] = [await replica(t, 1), await replica(t, 2)];
  const all = [second, first].map(({ url }, at) => ({ url, shard: 0, replica: at }));
  let looks = 0;
  let outdone = [second.url];
  const nodes = buildNodes(parseAddress('clickhouse://one/own'), all, {
    listOutdone() {
      looks++;
      return new Set(outdone);
    },
  });
  t.after(nodes.close);
  assert.deepEqual([await nodes.ask('SELECT'), looks], [[{ n: 1 }], 1]);
  first.setDown(true);
  await assert.rejects(nodes.ask('SELECT'), { code: 'unavailable' });
  // Once at the start of each query, 200 times while it waits, and once at the end.
  assert.equal(looks, 1 + 202);
  await assert.rejects(nodes.ask('SELECT'), { code: 'unavailable' });
  assert.equal(looks, 1 + 202 + 2);
  outdone = [];
  assert.deepEqual([await nodes.ask('SELECT'), looks], [[{ n: 2 }], 1 + 202 + 2 + 1]);
});

test('after a query that waited in vain for a replica whose disk hangs, the next query asks another one', async (t) => {
  const [first, second] = [await replica(t, 1), await replica(t, 2)];
  const all = [first, second].map(({ url }, at) => ({ url, shard: 0, replica: at }));
  let looks = 0;
  const nodes = buildNodes(parseAddress('clickhouse://one/own'), all, {
    patience: 0,
    nextNumber: () => 7,
    // The other one gets the row that was counted a bit later.
    reached: () => (++looks < 3 ? 6 : 7),
  });
  t.after(nodes.close);
  assert.deepEqual(await nodes.ask('SELECT'), [{ n: 1 }]);
  first.hangDisk();
  await assert.rejects(nodes.ask('SELECT'), { code: 'unavailable' });
  assert.deepEqual([await nodes.ask('SELECT'), looks], [[{ n: 2 }], 3]);
});

test('queries of sealed days go to the replica that runs the fewest queries', async (t) => {
  const [first, second] = [await replica(t, 1), await replica(t, 2)];
  const all = [first, second].map(({ url }, at) => ({ url, shard: 0, replica: at }));
  // The second replica lacks rows of today, which a query of sealed days does not read.
  const reached = (url: string) => (url === first.url ? 64 : 0);
  const nodes = buildNodes(parseAddress('clickhouse://one/own'), all, { nextNumber: () => 64, reached });
  t.after(nodes.close);
  const askSealed = () => nodes.ask('SELECT', {}, undefined, { isSealed: true });
  assert.deepEqual(await nodes.ask('SELECT'), [{ n: 1 }]);
  const hold = Promise.withResolvers<void>();
  first.holdUntil(hold.promise);
  const held = [nodes.ask('SELECT'), nodes.ask('SELECT')];
  assert.deepEqual(await askSealed(), [{ n: 2 }]);
  assert.deepEqual(await askSealed(), [{ n: 2 }]);
  hold.resolve();
  assert.deepEqual(await Promise.all(held), [[{ n: 1 }], [{ n: 1 }]]);
  assert.deepEqual(await askSealed(), [{ n: 1 }]);
  first.setDown(true);
  assert.deepEqual(await askSealed(), [{ n: 2 }]);
});

test('a server that comes back with an older disk is not asked', async (t) => {
  const only = await replica(t, 1);
  let isComplete = true;
  const nodes = buildNodes(parseAddress('clickhouse://one/own'), [{ url: only.url, shard: 0, replica: 0 }], {
    isComplete: () => isComplete,
    async returned() {
      isComplete = false;
    },
  });
  t.after(nodes.close);
  assert.deepEqual(await nodes.ask('SELECT'), [{ n: 1 }]);
  only.setDown(true);
  await assert.rejects(nodes.ask('SELECT'), { code: 'unavailable' });
  only.setDown(false);
  await assert.rejects(nodes.ask('SELECT'), { code: 'unavailable' });
});
