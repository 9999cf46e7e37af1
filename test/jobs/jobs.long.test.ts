import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { coded } from '../../src/lang/coded.ts';
import { inEnglish } from '../../src/lang/sentences.ts';
import { readCoded, writeCoded } from '../../src/lib/http/fault.ts';
import { findUpkeep } from '../../src/store/server/upkeep.ts';
import { addExclusion } from '../../src/store/sites/exclusions.ts';
import { TODAY } from '../collect/stage.ts';
import { crowd, rowsIn, YESTERDAY } from '../ledger/stage.ts';
import { date } from '../stats/days.ts';
import { until } from '../support/program.ts';
import { jobsOf, MIDNIGHT } from './stage.ts';

test('a day that cannot be sealed stays open, and stops neither those of other sites nor the copy', async (t) => {
  const { take, start, look, counted, copies, lines, db, path } = jobsOf(t, { keep: 1, threaded: true });
  await take(...crowd(3), ...crowd(2, { siteId: 2 }), ...crowd(1, { day: TODAY }));
  writeFileSync(`${path}.fault`, '');
  start();
  await until('there is a copy', () => existsSync(copies) && readdirSync(copies).length === 1);
  const note = findUpkeep(db, 'seal');
  assert.equal(note?.fine, false);
  const unsealed = { domain: 'site1.example', date: '2026-03-09', reason: 'its thread died' };
  assert.equal(note?.words, writeCoded(coded('days_unsealed', { days: [coded('day_unsealed', unsealed)] })));
  assert.deepEqual(counted(2), { [YESTERDAY]: 2 });
  assert.equal(lines.filter((line) => line.startsWith('day not sealed')).length, 1);

  rmSync(`${path}.fault`);
  await look(TODAY * 86_400 + 43_260);
  await until('it is sealed', () => findUpkeep(db, 'seal')?.fine === true);
  assert.equal(rowsIn(db, 'hit'), 1);
});

test('each night some days are counted again; those that do not add up are named, and stop the count of no others', async (t) => {
  const { take, start, logged, look, db } = jobsOf(t);
  const days = Array.from({ length: 60 }, (_, n) => YESTERDAY - n);
  for (const day of days) await take(...crowd(1, { day }));
  start();
  await logged(`days sealed {"days":60} at ${TODAY * 86_400 + 43_200}`);
  const found = () => findUpkeep(db, 'recount');
  // In 25 nights all of them: 3 of 60 a night.
  assert.deepEqual([found()?.fine, found()?.words], [true, writeCoded(coded('recount_fine', { count: 3 }))]);
  assert.equal(rowsIn(db, 'sealed_day', 'recounted_at IS NOT NULL'), 3);

  // As many as are counted in a night.
  const bad = db.all<{ id: number; day: number }>(
    'SELECT id, day FROM sealed_day WHERE recounted_at IS NULL ORDER BY day LIMIT 3',
  );
  for (const { id } of bad) db.run('UPDATE sealed_day SET pageviews = 9 WHERE id = ?', id);
  for (let night = 1; night <= 2; night++) {
    const at = MIDNIGHT + 60 + (night - 1) * 86_400;
    await look(at);
    await until('some days are counted again', () => found()?.at === at);
    assert.equal(found()?.fine, false);
    const named = `^6 days verified, 3 are inconsistent\\. .* ${date(bad[0]?.day ?? 0)}: pageviews: 9 is stored, 1 counted$`;
    assert.match(inEnglish(readCoded(found()?.words ?? '')), new RegExp(named));
  }
  assert.equal(rowsIn(db, 'sealed_day', 'recounted_at IS NOT NULL'), 9);
});

test('a damaged day whose excluded visits cannot be counted does not stop the recount of other days', async (t) => {
  const { take, start, logged, look, looked, db, lines } = jobsOf(t);
  for (let n = 0; n < 60; n++) await take(...crowd(1, { day: YESTERDAY - n }));
  start();
  await logged(`days sealed {"days":60} at ${TODAY * 86_400 + 43_200}`);
  db.run("UPDATE sealed_blob SET crc = crc + 1 WHERE name = 'os' AND sealed_day_id = (SELECT min(id) FROM sealed_day)");
  const excluded = { from: YESTERDAY - 60, to: YESTERDAY, filters: { page: { like: ['/*'] } }, applied: {}, note: '' };
  addExclusion(db, 1, excluded, MIDNIGHT);

  for (let night = 1; night <= 2; night++) {
    const at = MIDNIGHT + night * 86_400 + 60;
    for (const minute of [at, at + 60]) {
      await look(minute);
      await looked();
    }
    assert.equal(findUpkeep(db, 'recount')?.at, at, 'once a night');
    assert.equal(rowsIn(db, 'sealed_day', 'recounted_at IS NOT NULL'), 3 + 3 * night);
  }
  assert.ok(lines.some((line) => line.startsWith('sealing failed')));
});
