// A proof of forgetting that is stopped leaves nothing. A proof that is killed leaves no program.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../support/program.ts';
import { startProof } from './proving.ts';

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`forgetting: a proof that gets ${signal} leaves no files and no server, and says that it was stopped`, async (t) => {
    const { child, ended, files, isGone, said } = await startProof(t);
    child.kill(signal);
    assert.equal(await ended, 1);
    assert.match(await said, /^daybook: the proof was stopped, so it has no result$/m);
    assert.deepEqual(readdirSync(files), []);
    assert.ok(await isGone());
  });

test('forgetting: the server of a proof ends when the proof is killed, and the next proof removes its files', async (t) => {
  const { child, ended, files, isGone } = await startProof(t);
  const [left] = readdirSync(files);
  assert.ok(left);
  child.kill('SIGKILL');
  await ended;
  await until('the server has ended', isGone);
  assert.deepEqual(readdirSync(files), [left]);
  const next = await startProof(t, { files, ignored: left });
  const [own, ...others] = readdirSync(files);
  assert.deepEqual(others, []);
  // A proof that runs keeps its files.
  const third = await startProof(t, { files, ignored: own });
  assert.equal(readdirSync(files).length, 2);
  for (const one of [next, third]) {
    one.child.kill('SIGTERM');
    await one.ended;
  }
});
