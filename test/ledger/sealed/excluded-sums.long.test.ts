import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { recount } from '../../../src/ledger/upkeep/recount.ts';
import { monthNumber } from '../../../src/stats/calendar.ts';
import { keepDays } from '../../../src/store/sites/sites.ts';
import { append, pageview, TODAY } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import { startApp } from '../../support/helpers.ts';
import { dataOf } from '../../support/requests.ts';
import { rowsIn } from '../stage.ts';

const DAYS = 40;

/** An application with sealed days, each with a visit of everybody and two of bots. */
async function wave(t: TestContext, own: Parameters<typeof startApp>[2] = {}) {
  const app = await startApp(t, {}, own);
  const { siteId, owner, db } = app;
  for (let back = DAYS; back > 0; back--) {
    const of = (visitor: number, country: string) => pageview({ siteId, day: TODAY - back, visitor, country });
    await append(db, [of(1, 'DE'), of(2, 'XX'), of(3, 'XX')]);
  }
  await app.seal();
  const ask = async (path: string) => {
    const url = `/sites/${siteId}/stats/${path}`;
    return dataOf(await owner.ask('GET', url), 'GET', url);
  };
  return {
    ...app,
    ask,
    async exclude(country: string, from = TODAY - DAYS): Promise<number> {
      const body = { from: date(from), filters: { country } };
      const answer = await owner.ask('POST', `/sites/${siteId}/exclusions`, body);
      assert.equal(answer.status, 201, answer.text);
      return answer.body.data.id;
    },
    include: (id: number) => owner.ask('DELETE', `/sites/${siteId}/exclusions/${id}`),
    faults: () => [...recount(db)].filter(({ faults }) => faults.length > 0),
  };
}

const ALL = `overview?range=${date(TODAY - DAYS)}~${date(TODAY)}&compare=none`;
const PAGES = `breakdown/pages?range=${date(TODAY - DAYS)}~${date(TODAY)}`;

test('sums are made again once for each day and month, and are gone when everything is put back', async (t) => {
  const { exclude, include, ask, engine, db, faults } = await wave(t);
  const raw = [await ask(ALL), await ask(PAGES)];
  const id = await exclude('XX');
  await engine.upkeep.remakeSums();
  assert.equal(rowsIn(db, 'excluded_sum'), DAYS);
  assert.equal(await engine.upkeep.remakeSums(), 0);
  assert.deepEqual([(await ask(ALL)).visitors, (await ask(PAGES)).rows[0].visitors], [DAYS, DAYS]);
  assert.deepEqual(faults(), []);
  const months = () => db.all<{ days: string }>('SELECT DISTINCT days FROM month_rollup').map(({ days }) => days);
  assert.ok(months().every((days) => days.includes(`-${id}`)));
  // One that takes nothing makes no sums.
  const idle = await exclude('YY');
  await include(id);
  await engine.upkeep.remakeSums();
  assert.deepEqual([rowsIn(db, 'excluded_sum'), rowsIn(db, 'excluded_rollup')], [DAYS, 0]);
  assert.deepEqual([await ask(ALL), await ask(PAGES)], raw);
  await include(idle);
  await engine.upkeep.remakeSums();
  assert.equal(rowsIn(db, 'excluded_sum'), 0);
  assert.ok(!months().some((days) => days.includes('-')));
  assert.deepEqual(faults(), []);
});

const FEBRUARY = Date.UTC(2026, 1) / 86_400_000;
const MONTH = `WHERE name = 'pages' AND days LIKE '%-%' AND month = ${monthNumber(FEBRUARY)}`;

/** Packed lists with a bit of the first number turned over, which follows the length and the width of its list. */
function flip(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes);
  other[8] = (other[8] as number) ^ 1;
  return other;
}

test('whatever is damaged of the sums without what is set aside, check names the day', async (t) => {
  const { exclude, engine, db, faults } = await wave(t);
  await exclude('XX');
  await engine.upkeep.remakeSums();
  const day = TODAY - 7;
  const { id } = db.one<{ id: number }>('SELECT id FROM sealed_day WHERE day = ?', day) ?? { id: 0 };
  const flipped = "CAST(substr(data, 1, length(data) - 1) || CAST(x'7f' AS TEXT) AS BLOB)";
  const damages = [
    `UPDATE excluded_sum SET visits = visits + 1 WHERE sealed_day_id = ${id}`,
    `UPDATE excluded_sum SET excluded = '{"0":1}' WHERE sealed_day_id = ${id}`,
    `UPDATE excluded_rollup SET data = ${flipped} WHERE name = 'pages' AND sealed_day_id = ${id}`,
    `DELETE FROM excluded_rollup WHERE name = 'countries' AND sealed_day_id = ${id}`,
  ];
  for (const damage of damages) {
    db.run('SAVEPOINT sound');
    db.run(damage);
    const found = faults();
    assert.deepEqual([found[0]?.day, found.length >= 1], [day, true], damage);
    assert.match(found[0]?.faults[0] ?? '', /without excluded visits/, damage);
    db.run('ROLLBACK TO sound');
    db.run('RELEASE sound');
  }
  assert.deepEqual(faults(), []);
  // With its checksum, so that it is only found by adding up the month again.
  const { data } = db.one<{ data: Buffer }>(`SELECT data FROM month_rollup ${MONTH}`) ?? { data: Buffer.alloc(0) };
  db.run(`UPDATE month_rollup SET crc = crc + 1 ${MONTH}`);
  assert.deepEqual(faults(), [
    { domain: 'example.com', day: FEBRUARY, faults: ['rollup pages of the month: damaged'] },
  ]);
  const other = flip(data);
  db.run(`UPDATE month_rollup SET data = ?, crc = ? ${MONTH}`, other, crc32(other));
  assert.deepEqual(faults(), [
    { domain: 'example.com', day: FEBRUARY, faults: ['rollup pages of the month: differs'] },
  ]);
});

test('what was set aside stays so when the hits of its day expire; nothing is set aside of such days later', async (t) => {
  const { exclude, include, ask, engine, db, siteId, faults } = await wave(t);
  const first = await exclude('XX');
  db.write(() => keepDays(db, siteId, 10));
  await engine.upkeep.seal();
  assert.equal(rowsIn(db, 'sealed_day', 'has_hits = 0'), DAYS - 10);
  const reduced = await ask(ALL);
  assert.deepEqual([reduced.visitors, reduced.notices], [DAYS, [`${2 * DAYS} visits are excluded by 1 exclusion.`]]);

  const second = await exclude('DE');
  await engine.upkeep.remakeSums();
  const { visitors, notices } = await ask(ALL);
  assert.equal(visitors, DAYS - 10);
  assert.deepEqual(notices, [
    `${2 * DAYS + 10} visits are excluded by 2 exclusions.`,
    `No visits are excluded on these days, because only daily totals are stored for them: ${date(TODAY - DAYS)} to ${date(TODAY - 11)}.`,
  ]);
  assert.deepEqual(faults(), []);
  await include(second);
  assert.deepEqual(await ask(ALL), reduced);
  await include(first);
  await engine.upkeep.remakeSums();
  assert.deepEqual([(await ask(ALL)).visitors, (await ask(ALL)).notices], [3 * DAYS, undefined]);
  assert.deepEqual(faults(), []);
});

test('hits do not expire before the sums of their day are made again', async (t) => {
  const { exclude, ask, engine, db, siteId } = await wave(t);
  await exclude('XX');
  await engine.upkeep.remakeSums();
  db.write(() => keepDays(db, siteId, 10));
  // As a command leaves it that was killed.
  db.run("UPDATE excluded_sum SET exclusions = 'other'");
  await engine.upkeep.seal();
  assert.equal((await ask(ALL)).visitors, DAYS);
});

test('a server that stops does not wait for sums, which the next one makes', async (t) => {
  const { exclude, engine, db, restart, ask } = await wave(t, { threaded: true });
  await exclude('XX');
  await engine.close();
  assert.ok(rowsIn(db, 'excluded_sum') < DAYS);
  await restart();
  assert.equal((await ask(ALL)).visitors, DAYS);
});
