import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findHorizon } from '../../../src/cluster/open/horizon.ts';

const sender = (reached: Record<string, number>) => ({ reached: new Map(Object.entries(reached)) });
const servers = (...urls: string[]) => urls.map((url) => ({ url }));

test('copies of open days: rows are copied once all senders have sent what came before', () => {
  const senders = [sender({ a: 900, b: 900 }), sender({ a: 850, b: 870 })];
  assert.equal(findHorizon(servers('a', 'b'), senders), 850);
});

test('copies of open days: only the servers that are asked must have the rows', () => {
  const one = sender({ a: 900, replica: 100, b: 880 });
  assert.equal(findHorizon(servers('a', 'b'), [one]), 880);
  assert.equal(findHorizon(servers('replica', 'b'), [one]), 100);
});

test('copies of open days: nothing is certain while a sender does not know a server, or none was asked', () => {
  assert.equal(findHorizon(servers('a'), [sender({ a: 900 }), sender({})]), 0);
  assert.equal(findHorizon([undefined, ...servers('a')], [sender({ a: 900 })]), 0);
});
