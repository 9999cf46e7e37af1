import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHorizon } from '../../../src/cluster/open/horizon.ts';
import type { Node } from '../../../src/cluster/servers/nodes.ts';

const nodes = (...all: [url: string, shard: number][]) => ({
  listComplete: (): Node[] => all.map(([url, shard], replica) => ({ url, shard, replica })),
});
const sender = (reached: Record<string, number>) => ({ reached: new Map(Object.entries(reached)) });

test('copies of open days: rows are copied once all senders have sent what came before', () => {
  const one = nodes(['a', 0], ['b', 1]);
  assert.equal(findHorizon(one, [sender({ a: 900, b: 900 }), sender({ a: 850, b: 870 })]), 850);
});

test('copies of open days: one replica of each shard is enough', () => {
  const one = nodes(['a', 0], ['away', 0], ['b', 1]);
  assert.equal(findHorizon(one, [sender({ a: 900, away: 100, b: 880 })]), 880);
});

test('copies of open days: nothing is copied for certain while a sender does not know a server', () => {
  assert.equal(findHorizon(nodes(['a', 0]), [sender({ a: 900 }), sender({})]), 0);
});
