import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { finish } from '../../../src/lib/steps.ts';
import { backup } from '../../../src/store/file/backup.ts';
import { restore } from '../../../src/store/file/restore.ts';
import { folder } from '../../support/helpers.ts';
import { filled, rowsOf } from '../stage.ts';

test('whenever it stops, the file is the old one, whole, or the new one', async (t) => {
  const { path, folder: place, db, close } = await filled(t);
  const copy = join(place, 'copy.db');
  finish(backup(path, copy));
  db.run("UPDATE plan SET name = 'later' WHERE id = 1");
  close();
  const later = rowsOf(path);
  let stops = 0;
  for (let after = 0; ; after += 5) {
    const steps = restore(copy, path, { replace: true });
    let done = false;
    for (let step = 0; step <= after && !done; step++) done = steps.next().done === true;
    // As after a kill: nothing of what would still be done is done, but for the lock, which the system gives back.
    if (done) break;
    stops++;
    const elsewhere = join(folder(t), basename(path));
    for (const name of readdirSync(place).filter((one) => one.startsWith('daybook.db') && !one.endsWith('.lock')))
      copyFileSync(join(place, name), elsewhere.replace('daybook.db', name));
    assert.deepEqual(rowsOf(elsewhere), later, `after step ${after}`);
    finish(restore(copy, elsewhere, { replace: true }));
    assert.deepEqual(rowsOf(elsewhere), rowsOf(copy));
    steps.return(undefined);
  }
  assert.ok(stops > 5);
  assert.ok(existsSync(`${path}.before-restore`));
  assert.deepEqual(rowsOf(path), rowsOf(copy));
  renameSync(`${path}.before-restore`, path);
  assert.deepEqual(rowsOf(path), later);
});
