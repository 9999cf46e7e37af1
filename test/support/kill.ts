import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../src/store/file/open-file.ts';
import { DAYBOOK } from './program.ts';
import { chance } from './random.ts';

/** Runs node, which is killed after so many milliseconds; says how long it ran and whether it came to its end. */
export async function run(args: string[], killAfter?: number): Promise<{ ms: number; ended: boolean }> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: {} });
  const closed = once(child, 'close');
  if (killAfter !== undefined) await Promise.race([pause(killAfter), closed]);
  if (killAfter !== undefined) child.kill('SIGKILL');
  const [code] = await closed;
  if (code !== null) assert.equal(code, 0);
  return { ms: performance.now() - start, ended: code === 0 };
}

/** Copies a file with what belongs to it. */
function copyStore(from: string, to: string): void {
  for (const tail of ['', '-wal']) if (existsSync(from + tail)) copyFileSync(from + tail, to + tail);
}

type Plan = {
  /** Each round has a copy of this file. */
  template: string;
  rounds: number;
  /** Whether the kills begin while the program itself still starts. */
  early?: boolean;
  /** What node is to run on a copy. */
  argsOf(path: string): string[];
  /** Looks at what a kill left; says whether something was left to be done. */
  look(path: string, ended: boolean): boolean | Promise<boolean>;
};

/** Kills what changes a file on copies of it, at moments between a start and the end, and has somebody look at what is left. */
export async function kill(t: TestContext, { template, rounds, early = false, argsOf, look }: Plan): Promise<void> {
  const random = chance(t);
  const copied = (name: string): string => {
    const path = `${template}.${name}`;
    copyStore(template, path);
    return path;
  };
  // What a start takes by itself, and then the whole.
  const idle = `${template}.idle`;
  openStore(idle).close();
  const start = async () => (await run([...DAYBOOK, 'seal', '--db', idle])).ms;
  let begin = Math.min(await start(), await start()) * (early ? 0.5 : 1);
  const whole = async (name: string) => (await run(argsOf(copied(name)))).ms;
  let end = Math.max(Math.min(await whole('one'), await whole('two')), begin + 20);
  t.diagnostic(`killed between ${begin.toFixed(0)} and ${end.toFixed(0)} ms`);

  let [cut, halfway] = [0, 0];
  // On a busy machine all of a few may come to their end.
  for (let round = 0; round < rounds || (cut === 0 && round < 10 * rounds); round++) {
    const path = copied(String(round));
    const { ms, ended } = await run(argsOf(path), begin + random() * (end - begin));
    if (!ended) cut++;
    // The machine may have been busier when the whole was timed.
    if (ended) [begin, end] = [Math.min(begin, ms / 2), Math.min(end, ms)];
    if (await look(path, ended)) halfway++;
    for (const tail of ['', '-wal', '-shm', '-journal']) rmSync(path + tail, { force: true });
  }
  t.diagnostic(
    `${cut} of at least ${rounds} were killed before their end, ${halfway} of them left something to be done`,
  );
  assert.ok(cut > 0);
}
