import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf, stageGrowth } from '../growing.ts';

test('add-shard: one server under two names is refused, and the command can be repeated', async (t) => {
  const app = await stageGrowth(t);
  const [spare] = app.spares;
  assert.ok(spare);
  const name = nameOf(spare);
  const alias = name.replace('127.0.0.1', 'localhost');
  await assert.rejects(
    app.command('add-shard', `${name},${alias}`),
    new RegExp(`http://${name}/ and http://${alias}/ are one server`),
  );
  assert.deepEqual(app.states(), ['1 complete']);
  await app.command('add-shard', name);
  assert.deepEqual(app.states(), ['1 complete', '2 complete']);
});
