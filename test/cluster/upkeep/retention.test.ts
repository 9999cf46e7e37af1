import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepDays } from '../../../src/store/sites/sites.ts';
import { appendTo, pageview, TODAY } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import { startApp } from '../../support/helpers.ts';
import { ownServers, stageGates } from '../asking.ts';

test('a query that began before the hits of a day are deleted counts them, and their visits are gone soon after', async (t) => {
  const app = await stageGates(t);
  const { db, siteId, engine } = app;
  await app.come(TODAY - 20, 7);
  app.clock.pass(1);
  assert.equal(await app.seal(), 1);
  db.write(() => keepDays(db, siteId, 10));
  const range = { from: TODAY - 20, to: TODAY - 19 };
  const deleted = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  app.watch(async (sql, when) => {
    if (when === 'before' && sql.includes('param_p0')) {
      asked.resolve();
      await deleted.promise;
    }
    return false;
  });
  const query = engine.queries.measure({ report: 'overview', siteId, range, filters: { entry: { is: ['/'] } } });
  await asked.promise;
  await engine.upkeep.seal();
  deleted.resolve();
  assert.equal((await query).totals[0]?.visits, 7);
  const count = () => app.sum(`SELECT count() FROM visit WHERE day = ${TODAY - 20}`);
  app.clock.pass(61);
  await engine.upkeep.sweep();
  assert.equal(await count(), 0);
});

const OLD = TODAY - 20;
const RANGE = `range=${date(OLD)}~${date(OLD)}`;
const REPORTS = [
  `overview?${RANGE}&compare=none`,
  `overview?${RANGE}&compare=none&metrics=revenue&currency=EUR`,
  `goals?${RANGE}`,
  ...['pages', 'countries', 'channels', 'events', 'properties'].map((name) => `breakdown/${name}?${RANGE}`),
  `breakdown/property_values?${RANGE}&property=plan`,
];

test('visits of a day with an exclusion are deleted too, and its figures stay, with the exclusion and without it', async (t) => {
  const app = await startApp(t);
  const { db, siteId, engine, owner } = app;
  const { sum } = ownServers(app);
  const post = async (noun: string, body: unknown): Promise<number> =>
    (await owner.ask('POST', `/sites/${siteId}/${noun}`, body)).body.data.id;
  const ask = async () => {
    const answers = await Promise.all(REPORTS.map((path) => owner.ask('GET', `/sites/${siteId}/stats/${path}`)));
    for (const [i, { status }] of answers.entries()) assert.equal(status, 200, REPORTS[i]);
    return answers.map(({ body }) => body.data);
  };
  await post('goals', { type: 'page', value: '/b' });
  const own = { siteId, day: OLD, source: 'google.com', properties: '{"plan":"pro"}', revenue: 'EUR 500' };
  await appendTo(
    engine,
    [0, 1, 2, 3].flatMap((visitor) => [
      pageview({ ...own, visitor, page: visitor < 2 ? '/a' : '/b', country: visitor === 0 ? 'DE' : 'FR' }),
      pageview({ ...own, visitor, second: 70_000, page: '/b', event: 'buy', country: 'FR' }),
    ]),
  );
  app.clock.pass(1);
  assert.equal(await app.seal(), 1);
  const whole = await ask();
  const id = await post('exclusions', { from: date(OLD - 5), to: null, filters: { page: { is: ['/a'] } } });
  const without = await ask();
  assert.deepEqual([whole[0].visitors, whole[0].visits, without[0].visitors, without[0].visits], [4, 8, 4, 6]);
  db.write(() => keepDays(db, siteId, 10));
  await app.seal();
  app.clock.pass(61);
  await engine.upkeep.sweep();
  assert.equal(await sum(`SELECT count() FROM visit WHERE day = ${OLD}`), 0);
  assert.deepEqual(await ask(), without);
  for await (const { faults } of engine.upkeep.recount()) assert.deepEqual(faults, []);
  await owner.ask('DELETE', `/sites/${siteId}/exclusions/${id}`);
  assert.deepEqual(await ask(), whole);
});
