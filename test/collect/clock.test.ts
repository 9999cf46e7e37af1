import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { examine } from '../../src/doctor/examine.ts';
import { recount } from '../../src/ledger/upkeep/recount.ts';
import { expired } from '../../src/ledger/upkeep/retention.ts';
import { seconds } from '../../src/lib/time.ts';
import { keepDays } from '../../src/store/sites/sites.ts';
import { startApp } from '../support/helpers.ts';
import { BROWSER, TODAY } from './stage.ts';

const DAY = 86_400;

/** A site with a few days of hits, of which it keeps 30, and people who come to it. */
async function site(t: TestContext) {
  const app = await startApp(t);
  const { clock, owner, siteId } = app;
  const visit = async (...people: number[]): Promise<void> => {
    for (const n of people) {
      const body = { site: 'example.com', url: `https://example.com/${n}` };
      const answer = await app.ask('POST', '/day', { body, headers: BROWSER, address: `192.0.2.${n}` });
      assert.deepEqual([answer.status, answer.headers.get('Daybook-Dropped')], [202, null]);
      const [hit] = app.db.all<{ day: number; second: number }>('SELECT day, second FROM hit ORDER BY id DESC LIMIT 1');
      assert.equal(
        (hit?.day ?? 0) * DAY + (hit?.second ?? 0),
        seconds(clock),
        'a hit is of the second in which it came',
      );
    }
  };
  const reports = async () =>
    Promise.all(
      ['overview', 'timeseries', 'breakdown/pages', 'breakdown/pages?filters[page]=/1', 'realtime'].map(
        async (report) => (await owner.ask('GET', `/sites/${siteId}/stats/${report}`)).body.data,
      ),
    );
  for (let n = 0; n < 3; n++) {
    await visit(1, 2);
    clock.pass(DAY);
  }
  // Once, because each seal starts threads.
  assert.equal(await app.seal(), 3);
  app.db.write(() => keepDays(app.db, siteId, 30));
  const today = async () => (await owner.ask('GET', `/sites/${siteId}/stats/overview?range=today`)).body.data;
  return Object.assign(app, { visit, reports, today });
}

for (const days of [3, 400, -400]) {
  test(`while the clock is ${days} days off nothing is sealed or let go, and when it comes back all is as before`, async (t) => {
    const { visit, reports, today, seal, clock, db, siteId } = await site(t);
    await visit(1, 2, 3);
    const before = await reports();
    clock.jump(days * DAY);
    assert.deepEqual([await seal(), await seal()], [0, 0]);
    assert.equal(expired(db, siteId, TODAY + 3).count, 0);
    clock.jump(-days * DAY);
    assert.deepEqual(await reports(), before);
    assert.deepEqual([await seal(), [...recount(db)].flatMap(({ faults }) => faults)], [0, []]);

    clock.pass(60);
    await visit(3, 4);
    assert.partialDeepStrictEqual(await today(), { visitors: 4, pageviews: 5 });
    clock.pass(DAY);
    assert.equal(await seal(), 1);
  });
}

test('hits that came under the wrong clock stay where they were counted, and cost nobody anything', async (t) => {
  const app = await site(t);
  const { visit, today, seal, clock, restart } = app;
  await visit(1, 2);
  clock.jump(400 * DAY);
  await visit(1, 9);
  await restart();
  await visit(1);
  assert.partialDeepStrictEqual(
    await today(),
    { visitors: 2, pageviews: 3 },
    'a start under the wrong clock knows its visitors too',
  );
  assert.equal(await seal(), 0);
  clock.jump(-400 * DAY);
  await restart();
  await visit(1, 2, 3);
  assert.partialDeepStrictEqual(await today(), { visitors: 3, pageviews: 5 });
  assert.equal(app.db.all('SELECT * FROM salt').length, 1, 'the salt of the wrong day is gone');
  clock.pass(DAY);
  assert.equal(await seal(), 1);
  assert.deepEqual(app.db.all('SELECT DISTINCT day FROM hit'), [{ day: TODAY + 403 }]);
});

test('a clock that is a day ahead may seal today; who comes afterwards is counted today all the same', async (t) => {
  const { visit, today, seal, clock } = await site(t);
  await visit(1, 2);
  clock.jump(DAY);
  assert.equal(await seal(), 1);
  clock.jump(-DAY);
  const before = await today();
  await visit(3, 4, 4);
  const after = await today();
  assert.deepEqual([after.visitors - before.visitors, after.pageviews - before.pageviews], [2, 3]);
  clock.pass(DAY);
  assert.equal(await seal(), 1);
  assert.equal((await today()).pageviews, 0);
});

test('doctor tells of a clock that has leapt, and of one that is trusted nothing', async (t) => {
  const { config, db, engine, clock, seal } = await site(t);
  const time = async () =>
    (await examine({ config, db, ...engine, path: config.db, clock })).find(({ name }) => name === 'time');
  assert.equal((await time())?.fine, true);
  clock.jump(400 * DAY);
  await seal();
  const found = await time();
  assert.equal(found?.fine, false);
  assert.match(
    found?.says ?? '',
    /^The clock shows 2027-04-17T12:00:00Z\. The last known day was 2026-03-13, 400 days away/,
  );
  assert.match(found?.remedy ?? '', /seal --trust-clock/);
  clock.pass(6 * 3_600);
  await seal();
  assert.equal((await time())?.fine, true);
});

test('a visit that is running when the clock leaps goes on when it comes back', async (t) => {
  const { ask, visit, clock, db } = await site(t);
  await visit(1);
  clock.jump(400 * DAY);
  await visit(2);
  clock.jump(-400 * DAY);
  clock.pass(600);
  const body = { site: 'example.com', url: 'https://example.com/1', engaged: 600_000 };
  const answer = await ask('POST', '/day', { body, headers: BROWSER, address: '192.0.2.1' });
  assert.equal(answer.status, 202, answer.text);
  const [last] = db.all<{ day: number; engaged: number }>('SELECT day, engaged FROM hit ORDER BY id DESC LIMIT 1');
  assert.deepEqual(last, { day: TODAY + 3, engaged: 600 });
});
