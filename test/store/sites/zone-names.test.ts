import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { RENAMED } from '../../../src/lib/zone-names.ts';
import { openStore } from '../../../src/store/file/open-file.ts';
import { listZoneChanges } from '../../../src/store/sites/zones.ts';
import { folder } from '../../support/helpers.ts';
import { fileOf } from '../released.ts';

test('a file of before has its zones by their names of today', (t) => {
  const path = join(folder(t), 'daybook.db');
  writeFileSync(path, fileOf(9));
  const file = new Database(path);
  const siteId = file.prepare('SELECT min(id) FROM site').pluck().get() as number;
  const old = Object.keys(RENAMED);
  file.prepare("UPDATE site SET time_zone = 'Asia/Calcutta' WHERE id = ?").run(siteId);
  const change = file.prepare('INSERT INTO zone_change (site_id, at, day, time_zone) VALUES (?, ?, ?, ?)');
  for (const [i, name] of [...old, 'Europe/Berlin'].entries()) change.run(siteId, 2_000_000_000 + i, i, name);
  file.close();
  const { db, close } = openStore(path);
  t.after(close);
  assert.deepEqual(db.one('SELECT time_zone FROM site WHERE id = ?', siteId), { time_zone: 'Asia/Kolkata' });
  const changed = listZoneChanges(db, siteId)
    .filter(({ at }) => at >= 2_000_000_000)
    .map(({ timeZone }) => timeZone);
  assert.deepEqual(changed, [...Object.values(RENAMED), 'Europe/Berlin']);
});
