import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { removeSite } from '../../src/store/sites/sites.ts';
import { TODAY } from '../collect/stage.ts';
import { crowd, rowsIn, YESTERDAY } from '../ledger/stage.ts';
import { until } from '../support/program.ts';
import { jobsOf, MIDNIGHT } from './stage.ts';

test('the days that were missed are sealed at the start, today is not', async (t) => {
  const { take, start, logged, counted, db } = jobsOf(t);
  await take(...crowd(3, { day: YESTERDAY - 5 }), ...crowd(2), ...crowd(4, { day: TODAY }), ...crowd(1, { siteId: 2 }));
  start();
  await logged(`days sealed {"days":3} at ${TODAY * 86_400 + 43_200}`);
  assert.deepEqual(counted(), { [YESTERDAY - 5]: 3, [YESTERDAY]: 2, [TODAY]: 4 });
  assert.equal(rowsIn(db, 'hit'), 4);
});

test('a day is sealed a minute after its end, when its last hits are in, and only once', async (t) => {
  const { take, start, logged, look, tick, counted, lines, turns, db } = jobsOf(t);
  await take(...crowd(1), ...crowd(4, { day: TODAY }));
  start();
  await logged(`days sealed {"days":1} at ${TODAY * 86_400 + 43_200}`);
  for (const at of [MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + 59]) {
    await look(at);
    const looks = turns();
    tick();
    assert.equal(turns(), looks + 1, 'the last one was soon over');
  }
  await take(...crowd(1, { day: TODAY, second: 86_399 }), ...crowd(2, { day: TODAY + 1 }));
  await look(MIDNIGHT + 60);
  await logged(`days sealed {"days":1} at ${MIDNIGHT + 60}`);
  await look(MIDNIGHT + 120);
  await look(MIDNIGHT + 180);
  assert.equal(lines.length, 2);
  assert.deepEqual(counted(), { [YESTERDAY]: 1, [TODAY]: 5, [TODAY + 1]: 2 });
  assert.equal(rowsIn(db, 'hit'), 2);
});

test('a day is sealed a minute after the midnight of its site, and not by that of another', async (t) => {
  const { take, start, logged, look, counted, lines, db } = jobsOf(t);
  db.run("UPDATE site SET time_zone = 'Asia/Calcutta' WHERE id = 2");
  const midnight = MIDNIGHT - 5.5 * 3_600;
  start();
  await take(...crowd(1, { day: TODAY }), ...crowd(2, { siteId: 2, day: TODAY }));
  await look(midnight + 59);
  assert.deepEqual(lines, []);
  await look(midnight + 60);
  await logged(`days sealed {"days":1} at ${midnight + 60}`);
  assert.deepEqual([counted(1), rowsIn(db, 'hit', 'site_id = 2')], [{ [TODAY]: 1 }, 0]);
  assert.equal(rowsIn(db, 'hit', 'site_id = 1'), 1);
  await look(MIDNIGHT + 60);
  await logged(`days sealed {"days":1} at ${MIDNIGHT + 60}`);
  assert.equal(rowsIn(db, 'hit'), 0);
});

test('what fails is logged and tried again at the next look', async (t) => {
  const { path, take, start, look, lines, logged, counted } = jobsOf(t, { threaded: true });
  await take(...crowd(2));
  renameSync(path, `${path}.away`);
  start();
  await until('it has failed', () => lines.some((line) => line.includes('failed. The server tries again in a minute')));
  assert.equal(lines.length, 3, 'a thread that seals, one that reads months, and the job');
  renameSync(`${path}.away`, path);
  await look(TODAY * 86_400 + 43_260);
  await logged(`days sealed {"days":1} at ${TODAY * 86_400 + 43_260}`);
  assert.deepEqual(counted(), { [YESTERDAY]: 2 });
});

test('while somebody reads, deleted visitor codes lie beside the file; they go as soon as nobody does', async (t) => {
  const { path, take, start, look, logged } = jobsOf(t);
  await take(...crowd(50));
  const reader = new Database(path, { readonly: true });
  t.after(() => reader.close());
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM hit').get();
  const size = (): number => statSync(`${path}-wal`).size;
  start();
  await logged(`days sealed {"days":1} at ${TODAY * 86_400 + 43_200}`);
  await look(TODAY * 86_400 + 43_260);
  assert.ok(size() > 0);
  reader.exec('COMMIT');
  await look(TODAY * 86_400 + 43_320);
  assert.equal(size(), 0);
});

test('what was counted for a deleted site is gone after the next look', async (t) => {
  const { db, take, start, look, logged } = jobsOf(t);
  await take(...crowd(2), ...crowd(3, { siteId: 2 }));
  start();
  await logged(`days sealed {"days":2} at ${TODAY * 86_400 + 43_200}`);
  db.write(() => removeSite(db, 1));
  await look(TODAY * 86_400 + 43_260);
  await until('it is gone', () => rowsIn(db, 'removed_site') === 0);
  assert.equal(rowsIn(db, 'sealed_day'), 1);
  assert.equal(rowsIn(db, 'term', 'site_id = 1'), 0);
});

test('who is stopped in the middle leaves each day open or sealed, says nothing, and does no more', async (t) => {
  const { db, take, start, lines, counted, tick } = jobsOf(t, { threaded: true });
  for (let day = YESTERDAY - 20; day < YESTERDAY; day++) await take(...crowd(50, { day }));
  const before = counted();
  const jobs = start();
  await until('it seals', () => rowsIn(db, 'sealed_day') > 0);
  await jobs.stop();
  assert.deepEqual(lines, []);
  assert.deepEqual(counted(), before);
  const sealed = rowsIn(db, 'sealed_day', "state = 'shown'");
  assert.ok(sealed < 20);
  tick();
  await turn();
  assert.equal(rowsIn(db, 'sealed_day', "state = 'shown'"), sealed);
});

test('who is stopped does not wait until all hits of a large day are in parts', async (t) => {
  const limits = { rows: 10, hits: 100_000, sealedHits: 100_000, kept: 0 };
  const { db, take, start, lines } = jobsOf(t, { limits, threaded: true });
  const rows = 4_000;
  await take(...crowd(rows, { day: TODAY }));
  const jobs = start();
  await until('some are in parts', () => rowsIn(db, 'hit') < rows);
  await jobs.stop();
  assert.ok(rowsIn(db, 'hit') > rows / 2, `${rowsIn(db, 'hit')} are left`);
  assert.deepEqual(lines, []);
});

test('who is stopped at once does not begin to seal', async (t) => {
  const { db, take, start } = jobsOf(t, { threaded: true });
  await take(...crowd(2));
  await start().stop();
  assert.equal(rowsIn(db, 'sealed_day'), 0);
});

test('a backup is made once the first day is sealed, also if it could not be sealed at first', async (t) => {
  const { take, start, look, copies, db, path } = jobsOf(t, { keep: 1, threaded: true });
  await take(...crowd(3));
  writeFileSync(`${path}.fault`, '');
  const { looked } = start();
  await until('sealing has failed', () => findUpkeep(db, 'seal')?.fine === false);
  await looked();
  assert.equal(existsSync(copies), false);
  rmSync(`${path}.fault`);
  await look(TODAY * 86_400 + 43_260);
  await until('there is a copy', () => existsSync(copies) && readdirSync(copies).length === 1);
});

test('a day that cannot be sealed is tried again at the next look, then after pauses that double up to an hour', async (t) => {
  const failed = [{ domain: 'site1.example', day: '2026-03-09', reason: 'a server is away' }];
  let tries = 0;
  const seal = async () => {
    tries++;
    return { days: 0, failed };
  };
  const { start, looked, look, wait } = jobsOf(t, {}, { seal });
  start();
  await looked();
  const minutes: number[] = [];
  for (let minute = 1; minute <= 200; minute++) {
    const before = tries;
    // The tick of a look is some time after the minute began.
    wait(60.001);
    await look(TODAY * 86_400 + 43_200 + minute * 60);
    await looked();
    if (tries > before) minutes.push(minute);
  }
  assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 64, 124, 184]);
});
