import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { buildSettings } from '../../src/collectors/settings.ts';
import { DAY } from '../../src/lib/time.ts';
import { fileOf } from '../collect/stage.ts';

/** 2026-03-10T20:00:00Z */
const EVENING = 1_773_172_800;

test('settings for collectors: a clock that jumps brings the salts of its new day in the next answer', (t) => {
  const { db } = fileOf(t).open();
  const findSettings = buildSettings({ db, engine: 'clickhouse://x', random: randomBytes });
  const saltedDays = (second: number) => {
    const { settings } = findSettings(second * 1000);
    return [...new Set(settings.mirror.salt.map(([, day]) => Number(day)))];
  };
  for (const days of [0, 2, 5, 3]) {
    const second = EVENING + days * DAY;
    const day = Math.floor(second / DAY);
    const found = saltedDays(second);
    for (const one of [day, day + 1]) assert.ok(found.includes(one), `${days} days later: the salt of ${one - day}`);
  }
});

test('settings for collectors: two questions within half a second read the database once', (t) => {
  const { db } = fileOf(t).open();
  const findSettings = buildSettings({ db, engine: 'clickhouse://x', random: randomBytes });
  const first = findSettings(EVENING * 1000);
  assert.equal(findSettings(EVENING * 1000 + 499), first);
  assert.notEqual(findSettings(EVENING * 1000 + 500), first);
});
