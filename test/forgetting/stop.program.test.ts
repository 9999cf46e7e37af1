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

test('forgetting: the server of a proof ends when the proof is killed', async (t) => {
  const { child, ended, isGone } = await startProof(t);
  child.kill('SIGKILL');
  await ended;
  await until('the server has ended', isGone);
});
