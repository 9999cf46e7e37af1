import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeTimeZone, listZoneChanges } from '../../../src/store/sites/zones.ts';
import { fileOf as bookOf, TODAY } from '../../collect/stage.ts';

const NOON = TODAY * 86_400 + 43_200;

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
