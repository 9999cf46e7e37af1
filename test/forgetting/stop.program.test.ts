// A proof of forgetting that is stopped leaves nothing. A proof that is killed leaves no program.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { folder } from '../support/helpers.ts';
import { COMPILED, PROGRAM, until } from '../support/program.ts';

/** Starts a proof, and waits until its server listens. All files of the proof are in the folder `files`. */
async function startProof(t: TestContext) {
  const cwd = folder(t);
  const files = join(cwd, 'tmp');
  mkdirSync(files);
  const child = spawn(process.execPath, [PROGRAM, 'prove-forgetting'], { cwd, env: { ...COMPILED, TMPDIR: files } });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const findUrl = (): string | undefined => {
    const [log] = readdirSync(files).map((name) => join(files, name, 'log'));
    return log && existsSync(log) ? /^listening on (\S+)/m.exec(readFileSync(log, 'utf8'))?.[1] : undefined;
  };
  await until('the server of the proof listens', () => findUrl() !== undefined);
  const url = findUrl() as string;
  const isGone = () =>
    fetch(url).then(
      () => false,
      () => true,
    );
  assert.equal(await isGone(), false);
  return { child, ended, files, isGone, said: text(child.stderr) };
}

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
