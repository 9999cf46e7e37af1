import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { folder } from '../support/helpers.ts';
import { COMPILED, PROGRAM, until } from '../support/program.ts';

/** Starts a proof, and waits until the last of its programs listens. All files of the proof are in the folder `files`. */
export async function startProof(
  t: TestContext,
  {
    words = [],
    last = '',
    env = {},
    files = folder(t),
    ignored,
  }: {
    words?: string[];
    last?: string;
    env?: Record<string, string>;
    files?: string;
    ignored?: string | undefined;
  } = {},
) {
  const cwd = folder(t);
  const child = spawn(process.execPath, [PROGRAM, 'prove-forgetting', ...words], {
    cwd,
    env: { ...COMPILED, TMPDIR: files, ...env },
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const findUrl = (): string | undefined => {
    const [log] = readdirSync(files)
      .filter((name) => name !== ignored)
      .map((name) => join(files, name, last, 'log'));
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
