import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteRunning } from '../../src/store/server/outages.ts';
import { noteUpkeep } from '../../src/store/server/upkeep.ts';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { NOON, startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

const NOW = NOON / 1000;
const MIDNIGHT = TODAY * 86_400;

type App = Awaited<ReturnType<typeof startApp>>;

const asking =
  ({ owner, siteId }: App) =>
  async (path: string) => {
    const url = `/sites/${siteId}/stats/${path}`;
    return dataOf(await owner.ask('GET', url), 'GET', url);
  };

const lastMark = (db: App['db'], at: number): void => noteUpkeep(db, 'running', { at, fine: true, words: '' });

/** The server runs until a moment, and is started again at another. */
function down({ db }: App, from: number, to: number): void {
  lastMark(db, from);
  noteRunning(db, to, true);
}

test('a stop of ten minutes is listed, and what it falls into is not complete', async (t) => {
  const app = await startApp(t);
  const ask = asking(app);
  const { siteId, engine } = app;
  await appendTo(engine, [
    pageview({ siteId, day: TODAY - 3, second: 36_000 }),
    pageview({ siteId, day: TODAY, second: 100, visitor: 2 }),
  ]);
  const whole = await ask('overview?range=today');
  assert.equal(whole.complete, undefined);
  assert.deepEqual(await ask('outages?range=7d'), { outages: [] });

  down(app, MIDNIGHT + 3 * 3_600 + 300, MIDNIGHT + 3 * 3_600 + 900);
  const outage = { from: '2026-03-10T03:05:00Z', to: '2026-03-10T03:15:00Z', reason: 'down' };
  assert.deepEqual(await ask('outages?range=7d'), { outages: [outage] });
  assert.deepEqual(await ask('outages?range=2026-03-01~2026-03-09'), { outages: [] });

  assert.deepEqual(await ask('overview?range=today'), { ...whole, complete: false });
  const hourly = await ask('timeseries?range=today&interval=hour');
  const missed = hourly.points.filter(({ complete }: { complete?: boolean }) => complete === false);
  assert.deepEqual(missed, [{ date: '2026-03-10T03:00:00+00:00', visitors: 0, pageviews: 0, complete: false }]);
  const daily = await ask('timeseries?range=7d');
  assert.deepEqual(
    daily.points.map(({ complete }: { complete?: boolean }) => complete ?? true),
    [true, true, true, true, true, true, false],
  );
  // The period before is told of by itself.
  app.clock.pass(86_400);
  const after = await ask('overview?range=today');
  assert.deepEqual([after.complete, after.previous.complete], [undefined, false]);
});

test('before its first hit a site missed nothing, and a start within a minute is no outage', async (t) => {
  const app = await startApp(t);
  const ask = asking(app);
  down(app, MIDNIGHT + 3_600, MIDNIGHT + 7_200);
  assert.equal((await ask('overview?range=today')).complete, undefined);
  await appendTo(app.engine, [pageview({ siteId: app.siteId, second: 10_000 })]);
  assert.equal((await ask('overview?range=today')).complete, undefined);
  down(app, MIDNIGHT + 20_000, MIDNIGHT + 20_059);
  assert.equal((await ask('overview?range=today')).complete, undefined);
  down(app, MIDNIGHT + 30_000, MIDNIGHT + 30_060);
  assert.equal((await ask('overview?range=today')).complete, false);
  // While it runs, a minute has a mark; where some are missing, the machine slept.
  noteRunning(app.db, MIDNIGHT + 30_120, false);
  noteRunning(app.db, MIDNIGHT + 30_301, false);
  const { outages } = await ask('outages?range=today');
  assert.deepEqual(
    outages.map(({ from }: { from: string }) => from.slice(11, 19)),
    ['01:00:00', '08:20:00', '08:22:00'],
  );
});

test('what a clock that was ahead has noted is forgotten when it is right again', async (t) => {
  const app = await startApp(t);
  noteRunning(app.db, NOW, true);
  noteRunning(app.db, NOW + 400 * 86_400, true);
  noteRunning(app.db, NOW + 120, true);
  assert.deepEqual(await asking(app)('outages?range=today'), { outages: [] });
  // That mark lay ahead, so that nobody knows since when it was down.
  noteRunning(app.db, NOW + 180, false);
  assert.deepEqual(await asking(app)('outages?range=today'), { outages: [] });
});

test('the details of each day tell what is set aside and dropped, from where it is, and when it was counted again', async (t) => {
  const app = await startApp(t);
  const { owner, siteId, engine } = app;
  const of = (day: number, visitor: number, country = '') => pageview({ siteId, day, visitor, country });
  await appendTo(engine, [of(TODAY - 2, 1), of(TODAY - 2, 2, 'XX'), of(TODAY - 1, 1), of(TODAY, 1)]);
  engine.intake.countDrop({ siteId, day: TODAY - 2, reason: 'bot', hits: 4 });
  await engine.intake.append({});
  await app.seal();
  await owner.ask('POST', `/sites/${siteId}/exclusions`, { from: '2026-03-01', filters: { country: 'XX' } });
  down(app, MIDNIGHT - 600, MIDNIGHT + 600);
  assert.equal((await engine.upkeep.recountSome()).days, 1);
  const common = { import_id: null, dropped: 0, excluded_visits: 0 };
  assert.deepEqual(await asking(app)('days?range=7d'), {
    days: [
      {
        ...{ ...common, date: '2026-03-08', state: 'sealed', visitors: 1, dropped: 4, excluded_visits: 1 },
        ...{ recounted_at: '2026-03-10T12:00:00Z', complete: true },
      },
      { ...common, date: '2026-03-09', state: 'sealed', visitors: 1, recounted_at: null, complete: false },
      { ...common, date: '2026-03-10', state: 'open', visitors: 1, recounted_at: null, complete: false },
    ],
  });
  assert.equal((await app.stranger.ask('GET', `/sites/${siteId}/stats/days`)).status, 404);
});
