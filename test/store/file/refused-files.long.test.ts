import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openStore } from '../../../src/store/file/open-file.ts';
import { change, fileIn, makeFile, PAGE } from '../files.ts';

test('a file with a damaged page is refused, whichever page it is', (t) => {
  const path = fileIn(t);
  makeFile(path, 100);
  const whole = readFileSync(path);
  const pages = whole.length / PAGE;
  assert.ok(pages > 30, 'the file has a middle');
  for (let page = 1; page < pages; page++) {
    writeFileSync(path, whole);
    const bytes = Buffer.from(whole);
    bytes.fill(0xa5, page * PAGE, (page + 1) * PAGE);
    writeFileSync(path, bytes);
    assert.throws(() => openStore(path), { message: `${path}: the file is damaged. Restore a backup` }, `page ${page}`);
    assert.ok(readFileSync(path).equals(bytes));
  }
});

test('looking at a database that somebody else is writing loses nothing of theirs', async (t) => {
  const path = fileIn(t);
  change(path, 'PRAGMA journal_mode = WAL; CREATE TABLE a (b)');
  // Closing lets SQLite take -wal and -shm away, opening makes them again: that is when a look from outside could do harm.
  const code = `
    import Database from ${JSON.stringify(import.meta.resolve('better-sqlite3'))};
    for (let i = 0; i < 1000; i++) {
      const file = new Database(${JSON.stringify(path)});
      for (let j = 0; j < 3; j++) file.prepare('INSERT INTO a (b) VALUES (?)').run(i);
      file.close();
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' });
  t.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  while (child.exitCode === null && child.signalCode === null) {
    assert.throws(() => openStore(path).close(), /not a daybook file/);
    await turn();
  }
  assert.deepEqual(await ended, [0, null]);
  const file = new Database(path);
  t.after(() => file.close());
  assert.deepEqual(file.prepare('SELECT count(*) AS n FROM a').get(), { n: 3_000 });
});
