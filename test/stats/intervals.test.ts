import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { date } from './days.ts';
import { invalid, refusal } from './refusal.ts';
import { openSite } from './stage.ts';
import { beginOf } from './zones.ts';

const about = (path: string, query: Record<string, string>) => ({ path, query });

/** Each hour of a day has somebody, and one stays from hour to hour. */
const crowd = (day: number, from: number) =>
  Array.from({ length: 25 }, (_, hour) => [
    pageview({ day, visitor: hour, second: from + hour * 3_600 }),
    pageview({ day, visitor: 99, second: from + hour * 3_600 + 1_799, page: '/a' }),
    pageview({ day, visitor: 99, second: from + hour * 3_600 + 3_599, event: 'e' }),
  ]).flat();

test('hours are those of the reference on the days on which clocks are changed, open and sealed, filtered and not', async (t) => {
  const app = await startApp(t);
  for (const [zone, dates] of Object.entries({
    'Europe/Berlin': ['2025-10-26', '2025-03-30'],
    'America/Havana': ['2025-11-02', '2026-03-08'],
    'Australia/Lord_Howe': ['2025-10-05', '2025-04-06'],
    'Asia/Katmandu': ['2026-03-09'],
  })) {
    const zones = [{ from: Number.NEGATIVE_INFINITY, zone }];
    const { store, agree } = await openSite(app, { zones });
    const questions = [];
    for (const text of dates) {
      const day = Date.parse(text) / 86_400_000;
      const from = beginOf(zones, day) - day * 86_400;
      const end = beginOf(zones, day + 1) - day * 86_400;
      await store(crowd(day, from).filter(({ second }) => second < end));
      for (const filter of [{}, { 'filters[page]': '/a' }, { 'filters[event]': 'e' }]) {
        questions.push(about('timeseries', { range: `${text}~${text}`, interval: 'hour', ...filter }));
        questions.push(
          about('timeseries', { range: `${date(day - 1)}~${date(day + 29)}`, interval: 'hour', ...filter }),
        );
      }
    }
    await agree('open', questions);
    await app.seal();
    await agree('sealed', questions);
  }
});

test('hours are for up to 31 days, and the other intervals for all ranges', async (t) => {
  const app = await startApp(t);
  const { ask } = await openSite(app);
  const asked = async (days: number, interval: string) =>
    (await ask(about('timeseries', { range: `${date(TODAY)}~${date(TODAY + days - 1)}`, interval }))).points.length;
  assert.equal(await asked(31, 'hour'), 31 * 24);
  assert.equal(await asked(700, 'day'), 700);
  assert.equal(await asked(700, 'week'), 101);
  const long = `timeseries?interval=hour&range=${date(TODAY)}~${date(TODAY + 31)}`;
  assert.deepEqual(await refusal(app, long), invalid(long, 'interval'));
});

test('an interval and a comparison must be among those there are, and stand only where they are known', async (t) => {
  const app = await startApp(t);
  for (const name of ['', 'Day', 'year', 'minute', 'constructor']) {
    const path = `timeseries?interval=${name}`;
    assert.deepEqual(await refusal(app, path), invalid(path, 'interval'));
  }
  for (const name of [
    '',
    '7d',
    'today',
    'Year',
    'constructor',
    '2026-03-10',
    '2026-03-10~2026-03-09',
    '2020-01-01~2022-01-01',
  ]) {
    const path = `overview?compare=${name}`;
    assert.deepEqual(await refusal(app, path), invalid(path, 'compare'));
  }
  for (const path of ['goals?interval=day', 'overview?interval=day', 'bots?interval=day']) {
    assert.deepEqual(await refusal(app, path), invalid(path, 'interval'));
  }
  for (const path of ['goals?compare=none', 'timeseries?compare=none', 'realtime?compare=none']) {
    assert.deepEqual(await refusal(app, path), invalid(path, 'compare'));
  }
});

test('figures of points are among those there are, and hours have none of whole visits', async (t) => {
  const app = await startApp(t);
  const { ask } = await openSite(app);
  for (const metrics of ['', 'visitors', 'visits,', 'visits,constructor', 'conversions']) {
    const path = `timeseries?metrics=${metrics}`;
    assert.deepEqual(await refusal(app, path), invalid(path, 'metrics'));
  }
  const hours = 'timeseries?interval=hour&range=today&metrics=visits';
  assert.deepEqual(await refusal(app, hours), invalid(hours, 'metrics'));
  const { points } = await ask(
    about('timeseries', { range: 'today', metrics: 'time_on_page,visits,visits,bounce_rate' }),
  );
  assert.deepEqual(points, [
    { date: date(TODAY), visitors: 0, pageviews: 0, time_on_page: null, visits: 0, bounce_rate: 0 },
  ]);
});

test('a comparison with days within the range, or far from it, counts each day once for each', async (t) => {
  const app = await startApp(t);
  const { store, agree } = await openSite(app);
  await store([TODAY, TODAY - 1, TODAY - 2, TODAY - 365, TODAY - 700].map((day) => pageview({ day })));
  const questions = [
    `${date(TODAY - 1)}~${date(TODAY)}`,
    `${date(TODAY - 700)}~${date(TODAY - 698)}`,
    'year',
    'none',
  ].flatMap((compare) =>
    [{}, { 'filters[page]': '/' }].map((filter) => about('overview', { range: '7d', compare, ...filter })),
  );
  await agree('open', questions);
  await app.seal();
  await agree('sealed', questions);
});
