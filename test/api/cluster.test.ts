import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { Cluster } from '../../src/api/cluster.ts';
import { startApp } from '../support/helpers.ts';

test('cluster page: without a cluster, the owner of the server gets empty lists, and nobody else an answer', async (t) => {
  const { owner, manager, viewer, stranger } = await startApp(t);
  const { status, body } = await owner.ask('GET', '/cluster');
  assert.equal(status, 200);
  assert.ok(v.is(Cluster, body.data));
  assert.deepEqual(body.data, { servers: [], senders: [], copies: [], copy_count: 0 });
  for (const person of [manager, viewer, stranger]) assert.equal((await person.ask('GET', '/cluster')).status, 403);
});
