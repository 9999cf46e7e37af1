import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startProgram } from '../../src/embedded/program.ts';
import { NOWHERE, standIn, startInstead } from '../support/stand-in.ts';

const PLACE = { path: '/nowhere/a.db', engine: undefined };

/** All that a caller may wait for. */
async function tell({ give, stdout, said, ended, stop }: ReturnType<typeof startProgram>) {
  give('a word');
  const all = await Promise.all([text(stdout), said, ended]);
  stop();
  return all;
}

test('program: a command gives what it writes, its exit code, or the signal that ended it', async (t) => {
  standIn(t, () => 'read word; echo "$word"; echo "$2" >&2; [ "$3" ] && kill -9 $$; exit 3');
  assert.deepEqual(await tell(startProgram(['x'], PLACE)), ['a word\n', 'x\n', 3]);
  assert.deepEqual(await tell(startProgram(['x', 'y'], PLACE)), ['a word\n', 'x\n', 'SIGKILL']);
});

test('program: without memory, the system ends a command before the server', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux can do that');
  standIn(t, () => 'read word; cat /proc/$$/oom_score_adj');
  assert.deepEqual(await tell(startProgram(['x'], PLACE)), ['1000\n', '', 0]);
});

test('program: one that is not there ends with the reason, and throws nothing', async (t) => {
  startInstead(t, NOWHERE);
  assert.deepEqual(await tell(startProgram(['x'], PLACE)), ['', '', 'ENOENT']);
});

test('program: one whose words are too long for the system ends with the reason, and throws nothing', async () => {
  assert.deepEqual(await tell(startProgram(['x'.repeat(10_000_000)], PLACE)), ['', '', 'E2BIG']);
});

test('program: a process without room for open files starts no other, and goes on', () => {
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { startProgram } from './src/embedded/program.ts';
    try { for (;;) openSync('/dev/null'); } catch {}
    const { give, said, ended } = startProgram(['--version'], { path: 'a.db', engine: undefined });
    give('a word');
    const all = JSON.stringify(await Promise.all([said, ended]));
    closeSync(30);
    console.log(all);`;
  const words = ['-c', 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"', process.execPath, script];
  assert.equal(execFileSync('sh', words, { encoding: 'utf8' }), '["","EMFILE"]\n');
});
