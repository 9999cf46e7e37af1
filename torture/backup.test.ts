import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { recount } from '../src/ledger/upkeep/recount.ts';
import { finish } from '../src/lib/steps.ts';
import { openReader } from '../src/store/file/open-file.ts';
import { restore } from '../src/store/file/restore.ts';
import { storedPages, TODAY } from '../test/collect/stage.ts';
import { furnish } from '../test/support/furnish.ts';
import { program, until } from '../test/support/program.ts';
import { crowd, quantile } from './clients.ts';
import { fill, isWhole, past } from './furnish.ts';
import { scaled } from './scale.ts';
import { NOISE, told } from './watch.ts';

const COPIES = scaled(5, 100);
const HITS = scaled(20_000, 100_000);
/** Together 400 a second. */
const LOAD = { clients: 8, everyMs: 20 };

test('D11 each copy that is made under load can be restored, is sound, has all that was acknowledged before it, and no salt', async (t) => {
  const { db: path, folder, print, serve } = program(t);
  const [old, idle] = [COPIES + 1, COPIES + 2];
  await furnish(
    path,
    Array.from({ length: COPIES + 2 }, (_, n) => `site${n + 1}.example`),
  );
  await fill(
    path,
    [1, 2, 3].flatMap((n) => past(old, TODAY - n, 5_000)),
  );
  await print(['seal']);
  await fill(path, past(old, TODAY, HITS));
  const server = await serve(['--flood', '0', '--keep-backups', '0']);

  const quiet = crowd(server.port, { site: `site${idle}.example`, ...LOAD });
  await pause(scaled(1_000, 5_000));
  const { took: before } = await quiet.stop();
  const live = openReader(path);
  const { bytes: salt } = live.db.one<{ bytes: Buffer }>('SELECT bytes FROM salt') ?? assert.fail();
  live.close();

  const took: number[] = [];
  let copyMs = 0;
  for (let n = 1; n <= COPIES; n++) {
    const place = join(folder, String(n));
    mkdirSync(place);
    const { sheet, stop } = crowd(server.port, { site: `site${n}.example`, ...LOAD });
    await until('some are acknowledged', () => sheet.acknowledged.size > LOAD.clients);
    const [known, answers, start] = [[...sheet.acknowledged], sheet.took.length, performance.now()];
    await print(['backup', join(place, 'copy.db')]);
    copyMs += performance.now() - start;
    took.push(...sheet.took.slice(answers));
    await stop();
    assert.deepEqual([...sheet.others], []);

    finish(restore(join(place, 'copy.db'), join(place, 'daybook.db')));
    const { db, close } = openReader(join(place, 'daybook.db'));
    assert.ok(isWhole(db));
    for (const { day, faults } of recount(db)) assert.deepEqual(faults, [], `day ${day}`);
    const stored = storedPages(db, n);
    for (const page of known) assert.equal(stored.get(page), 1, `${page} was acknowledged before copy ${n} was begun`);
    for (const [page, times] of stored) assert.ok(sheet.sent.has(page) && times === 1, page);
    assert.deepEqual(db.all('SELECT * FROM salt'), []);
    close();
    for (const name of readdirSync(place)) assert.ok(!readFileSync(join(place, name)).includes(salt), name);
    rmSync(place, { recursive: true });
  }
  const size = (statSync(path).size / 1e6).toFixed(0);
  t.diagnostic(`without a copy: ${told(before)}`);
  t.diagnostic(`during ${COPIES} copies of ${size} MB, each in ${(copyMs / COPIES).toFixed(0)} ms: ${told(took)}`);
  assert.ok(quantile(took, 0.99) < 50 * NOISE);
  assert.equal(await server.stop(), 0);
});
