import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QUARTER_SUMS } from '../../src/ledger/count/quarter-hour-sums.ts';
import { QUARTER } from '../../src/ledger/count/quarter-hours.ts';
import { findZone } from '../../src/lib/zone.ts';
import { makeAsk } from '../../src/stats/ask.ts';
import type { Filters } from '../../src/stats/query.ts';
import type { Db } from '../../src/store/db.ts';
import { append, engineOver, fileOf, type Hit, pageview } from '../collect/stage.ts';
import { assertSound, partsOf, sealOnce } from '../ledger/stage.ts';
import { chance } from '../support/random.ts';

/** Days on which clocks are changed by an hour, by half of one, at midnight and within a quarter, and zones of odd offsets. */
const DAYS = [
  ['UTC', '2025-06-01'],
  ['Europe/Berlin', '2025-03-30'],
  ['Europe/Berlin', '2025-10-26'],
  ['Australia/Lord_Howe', '2025-04-06'],
  ['Australia/Lord_Howe', '2025-10-05'],
  ['America/Havana', '2025-11-02'],
  ['Pacific/Kiritimati', '2025-06-01'],
  ['Asia/Kathmandu', '2025-06-01'],
  ['America/St_Johns', '2010-11-07'],
  ['America/St_Johns', '2010-11-06'],
  ['Africa/Monrovia', '1971-06-01'],
] as const;

const FILTERS: Filters[] = [{}, { country: { is: ['DE'] } }, { page: { is: ['/a'] } }, { page: { like: ['*'] } }];

/** Hits all over a day, of visitors who come up to five times. */
function hitsOf(zone: string, day: number, roll: () => number): Hit[] {
  const { findStart } = findZone(zone);
  const [from, to] = [findStart(day) - day * 86_400, findStart(day + 1) - day * 86_400];
  return Array.from({ length: 240 }, () =>
    pageview({
      day,
      visitor: Math.floor(roll() * 80),
      second: from + Math.floor(roll() ** 2 * (to - from)),
      page: roll() < 0.5 ? '/a' : '/b',
      event: roll() < 0.2 ? 'signup' : '',
      country: roll() < 0.3 ? 'DE' : 'US',
    }),
  );
}

/** The answers to everything that is asked by hours, by the zone of the day and by others that the site may have got since. */
async function answersOf(db: Db, day: number, zone: string): Promise<unknown[]> {
  const ask = makeAsk(engineOver(db).queries);
  const answers: unknown[] = [];
  const range = { from: day, to: day + 1 };
  for (const timeZone of [zone, 'UTC', 'Asia/Calcutta', 'America/New_York']) {
    const { findStart } = findZone(timeZone);
    const instants = { from: findStart(day), to: findStart(day + 1) };
    for (const filters of FILTERS) {
      const { days } = await ask({ report: 'hours', timeZone, siteId: 1, range, filters });
      assert.ok(days.some(({ hours }) => hours.length > 5));
      answers.push(days, await ask({ report: 'hourly', timeZone, siteId: 1, range, filters, instants }));
    }
  }
  return answers;
}

for (const [zone, date] of DAYS) {
  test(`hours of ${date} in ${zone} are the same from quarters, from their sums and from seconds, open and sealed`, async (t) => {
    const { open } = fileOf(t);
    const { db } = open();
    const roll = chance(t);
    const day = Date.parse(date) / 86_400_000;
    await append(db, hitsOf(zone, day, roll));
    const asOpen = await answersOf(db, day, zone);
    assert.ok(sealOnce(db, { siteId: 1, day }));
    assert.deepEqual(await answersOf(db, day, zone), asOpen);
    // Others, which come to the sealed day and become a second part of it.
    await append(
      db,
      hitsOf(zone, day, roll).map((hit) => ({ ...hit, visitor: hit.visitor + 100 })),
    );
    const asReopened = await answersOf(db, day, zone);
    assert.ok(sealOnce(db, { siteId: 1, day }));
    assert.deepEqual(partsOf(db), [0, 1]);
    assert.deepEqual(await answersOf(db, day, zone), asReopened);
    assertSound(db);
  });
}

test('hours read quarters or their sums, and are not answered from damaged ones', async (t) => {
  const { open } = fileOf(t);
  const { db } = open();
  const day = Date.parse('2025-06-01') / 86_400_000;
  await append(db, hitsOf('UTC', day, chance(t)));
  assert.ok(sealOnce(db, { siteId: 1, day }));
  const asked = { report: 'hours', timeZone: 'UTC', siteId: 1, range: { from: day, to: day + 1 } } as const;
  const ask = (filters: Filters) => makeAsk(engineOver(db).queries)({ ...asked, filters });
  db.run('UPDATE rollup SET crc = crc + 1 WHERE name = ?', QUARTER_SUMS);
  await assert.rejects(ask({}), /site1\.example \d{4}-\d\d-\d\d: rollup quarters is damaged/);
  await ask({ country: { is: ['DE'] } });
  db.run('UPDATE sealed_blob SET crc = crc + 1 WHERE name = ?', QUARTER);
  await assert.rejects(
    ask({ country: { is: ['DE'] } }),
    /site1\.example \d{4}-\d\d-\d\d: sealed_blob quarter is damaged/,
  );
});
