import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../../../src/store/file/open-file.ts';
import { changeTimeZone, listZoneChanges } from '../../../src/store/sites/zones.ts';
import { fileOf as bookOf, TODAY } from '../../collect/stage.ts';
import { folder } from '../../support/helpers.ts';
import { fileOf } from '../released.ts';

const NOON = TODAY * 86_400 + 43_200;

test('a file from before time zones keeps its hits, and the salt of its day for each site', (t) => {
  const path = join(folder(t), 'daybook.db');
  writeFileSync(path, fileOf(5));
  const file = new Database(path);
  const salt = randomBytes(32);
  file.exec('DELETE FROM salt; DELETE FROM hit');
  file.prepare('INSERT INTO salt (day, bytes) VALUES (?, ?)').run(TODAY, salt);
  const columns = file.prepare('SELECT name FROM pragma_table_info(?)').pluck().all('hit') as string[];
  const values = columns.map((name, i) => (name === 'import_id' ? null : name === 'id' ? 70_000 : i));
  const insert = `INSERT INTO hit (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  file.prepare(insert).run(...values);
  file.close();

  const { db, close } = openStore(path);
  t.after(close);
  const sites = db.all<{ id: number }>('SELECT id FROM site ORDER BY id').map(({ id }) => id);
  assert.ok(sites.length > 1);
  assert.deepEqual(
    db.all('SELECT site_id AS siteId, day, bytes FROM salt ORDER BY site_id'),
    sites.map((siteId) => ({ siteId, day: TODAY, bytes: salt })),
  );
  assert.deepEqual(db.lists(`SELECT ${columns.join(', ')} FROM hit`), [values]);
  const { id } = db.run(insert, ...values.with(columns.indexOf('id'), null));
  assert.equal(id, 70_001, 'no id is given twice');
  assert.deepEqual(db.all('SELECT DISTINCT time_zone FROM site'), [{ time_zone: 'UTC' }]);
});

test('a change that was made while the clock was ahead is forgotten with the next one', (t) => {
  const { db } = bookOf(t).open();
  const change = (zone: string, at: number) => db.write(() => changeTimeZone(db, 1, zone, at));
  change('Europe/Berlin', NOON);
  change('Asia/Tokyo', NOON + 400 * 86_400);
  change('America/New_York', NOON + 60);
  assert.deepEqual(listZoneChanges(db, 1), [
    { at: NOON, day: TODAY, timeZone: 'UTC' },
    { at: NOON + 60, day: TODAY, timeZone: 'Europe/Berlin' },
  ]);
  change('America/New_York', NOON + 120);
  assert.equal(listZoneChanges(db, 1).length, 2, 'the same zone is no change');
});
