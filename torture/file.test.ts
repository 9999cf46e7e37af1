import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../src/store/file/open-file.ts';
import { TODAY } from '../test/collect/stage.ts';
import { spoilTable } from '../test/support/damage.ts';
import { furnish } from '../test/support/furnish.ts';
import { program } from '../test/support/program.ts';
import { fill, past } from './furnish.ts';

const NOBODY = 65_534;
const COMMANDS = [
  ['serve', '--port', '0'],
  ['seal'],
  ['check'],
  ['user', 'add', 'bob@example.com'],
  ['backup', 'copy.db'],
];

const sql = (text: string) => (path: string) => void new Database(path).exec(text).close();

/** What makes a file one that cannot be used, and what is then to be said. */
const SPOILED: Record<string, [RegExp, (path: string) => void]> = {
  'a file that may only be read': [/Check the permissions/, (path) => chmodSync(path, 0o400)],
  'a folder that may only be read': [/Check the permissions/, (path) => chmodSync(join(path, '..'), 0o500)],
  'a file of garbage': [/Name another with --db/, (path) => writeFileSync(path, 'no database at all. '.repeat(1_000))],
  'a file of another program': [/Name another with --db/, sql('PRAGMA application_id = 1')],
  'a file of a newer version': [/Update the program/, sql('PRAGMA user_version = 1000')],
  'a file that was cut off': [/[Rr]estore a backup|older backup/, (path) => truncateSync(path, 6 * 4096)],
  'a file with a page of zeros': [/[Rr]estore a backup|older backup/, (path) => spoilTable(path, 'hit', 0)],
};

/** What is in the files of a folder. SQLite may put others beside one that it may not write. */
const sumsOf = (folder: string, names: readonly string[]) =>
  names.map((name) => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ]);

test('D8 a file that cannot be used is refused by every command in one line that says what to do, and stays as it was', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('it needs to become somebody else');
  let slowestMs = 0;
  for (const [what, [remedy, spoil]] of Object.entries(SPOILED)) {
    const { db: path, folder, run } = program(t, { uid: NOBODY, gid: NOBODY });
    await furnish(path, ['example.com']);
    await fill(path, past(1, TODAY, 2_000));
    for (const one of [folder, path]) chownSync(one, NOBODY, NOBODY);
    spoil(path);
    const names = readdirSync(folder);
    const before = sumsOf(folder, names);
    for (const args of COMMANDS) {
      const about = `${args.join(' ')} with ${what}`;
      const start = performance.now();
      const { code, stdout, stderr } = await run(args);
      slowestMs = Math.max(slowestMs, performance.now() - start);
      assert.equal(code, 78, `${about}: ${code} ${stdout}${stderr}`);
      assert.match(stderr, /^daybook: \S+daybook\.db: [^\n]+\n$/, about);
      assert.match(stderr, remedy, about);
      assert.equal(stdout, '', about);
      assert.deepEqual(sumsOf(folder, names), before, about);
    }
    chmodSync(folder, 0o700);
  }
  t.diagnostic(`the slowest took ${slowestMs.toFixed(0)} ms`);
  // The aim is 2,000 ms.
  assert.ok(slowestMs < 8_000);
});

test('D8 a second server is refused and the first goes on; a WAL without its index is read', async (t) => {
  const { db: path, folder, serve, run } = program(t);
  await furnish(path, ['example.com']);
  const server = await serve();
  const { code, stdout, stderr } = await run(['serve', '--port', '0']);
  assert.deepEqual([code, stdout], [78, '']);
  assert.match(stderr, /^daybook: \S+daybook\.db: another server is running on it\. [^\n]+\n$/);
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  assert.equal(await server.stop(), 0);

  const { db, close } = openStore(path);
  db.run("UPDATE plan SET name = 'later' WHERE id = 1");
  const copy = join(folder, 'copy.db');
  for (const tail of ['', '-wal']) copyFileSync(path + tail, copy + tail);
  close();
  rmSync(`${copy}-shm`, { force: true });
  const again = await serve(['--db', copy]);
  assert.equal(await again.stop(), 0);
  const opened = openStore(copy);
  assert.deepEqual(opened.db.one('SELECT name FROM plan WHERE id = 1'), { name: 'later' });
  opened.close();
});
