import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, formatDay } from '../../src/lib/time.ts';
import { appendTo, type Hit, pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';

type App = Awaited<ReturnType<typeof startApp>>;

const COUNTRIES = ['DE', 'FR', 'US'];
let comers = 0;

/** Each has two pages, the second of which makes no other visit. */
const people = (count: number, day: number, more: Partial<Hit> = {}): Hit[] =>
  Array.from({ length: count }, (_, i) => {
    const own = { visitor: ++comers, day, country: COUNTRIES[i % 3] as string, source: i % 2 ? 'a.example' : '' };
    return [
      pageview({ ...own, page: `/${i % 5}`, second: 600 * (i % 120), ...more }),
      pageview({ ...own, page: '/b', second: 600 * (i % 120) + 9, ...more }),
    ];
  }).flat();

const bots = (count: number, day: number, more: Partial<Hit> = {}): Hit[] =>
  Array.from({ length: count }, (_, i) =>
    pageview({ visitor: ++comers, day, country: 'XX', source: '', page: `/${i % 5}`, second: 36_000 + i, ...more }),
  );

/** Six weeks with 60 visits a day, and more on some days. */
async function withHits({ engine, siteId }: App, more: readonly Hit[], weeks = 6): Promise<void> {
  const usual = Array.from({ length: weeks * 7 + 1 }, (_, back) => people(60, TODAY - back)).flat();
  await appendTo(
    engine,
    [...usual, ...more].map((hit) => ({ ...hit, siteId })),
  );
}

const url = ({ siteId }: App, date?: number): string =>
  `/sites/${siteId}/exclusions/suggestions${date === undefined ? '' : `?date=${formatDay(date * DAY)}`}`;

const suggested = async (app: App, date?: number) => {
  const answer = await app.viewer.ask('GET', url(app, date));
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};

test('a wave is suggested with what its exclusion would take, and not any more once it is set aside', async (t) => {
  const app = await startApp(t);
  const { manager, siteId } = app;
  const day = TODAY - 1;
  await withHits(app, bots(120, day));
  const date = formatDay(day * DAY);
  const expected = {
    ...{ from: date, to: date, filters: { country: 'XX' } },
    note: 'Suggested exclusion: 120 similar visits (usually 0).',
    usual: 0,
    ...{ visitors: 120, visits: 120, pageviews: 120, events: 0 },
  };
  for (const sealed of [false, true]) {
    if (sealed) await app.seal();
    assert.deepEqual(await suggested(app, day), [expected]);
    assert.deepEqual(await suggested(app, day - 1), []);
    assert.deepEqual(await suggested(app, day + 30), []);
    const [{ usual: _, visitors, visits, pageviews, events, note, ...selection }] = await suggested(app, day);
    const preview = await manager.ask('POST', `/sites/${siteId}/exclusions/preview`, selection);
    assert.deepEqual(preview.body.data, {
      ...{ visitors, visits, pageviews, events },
      days: [{ date, visitors, visits, pageviews, events }],
    });
    const added = await manager.ask('POST', `/sites/${siteId}/exclusions`, { ...selection, note });
    assert.deepEqual([added.status, added.body.data.visits], [201, 120], added.text);
    assert.deepEqual(await suggested(app, day), []);
    assert.equal((await manager.ask('DELETE', `/sites/${siteId}/exclusions/${added.body.data.id}`)).status, 204);
  }
});

test('suggestions: a note explains its day and the two days after it, but not the day before', async (t) => {
  const app = await startApp(t);
  const { manager, siteId } = app;
  const noted = TODAY - 5;
  const days = [noted - 1, noted, noted + 1, noted + 2, noted + 3];
  await withHits(
    app,
    days.flatMap((day) => bots(120, day)),
  );
  const countDrafts = () => Promise.all(days.map(async (day) => (await suggested(app, day)).length));
  assert.deepEqual(await countDrafts(), [1, 1, 1, 1, 1]);
  const note = { date: formatDay(noted * DAY), text: 'In the news' };
  const { body } = await manager.ask('POST', `/sites/${siteId}/notes`, note);
  assert.deepEqual(await countDrafts(), [1, 0, 0, 0, 1]);
  await manager.ask('DELETE', `/sites/${siteId}/notes/${body.data.id}`);
  assert.deepEqual(await countDrafts(), [1, 1, 1, 1, 1]);
});

test('a day that is dismissed is asked about no more, of this site and by nobody', async (t) => {
  const app = await startApp(t);
  const { manager, viewer, siteId } = app;
  await withHits(app, [...bots(120, TODAY - 1), ...bots(120, TODAY - 2)]);
  const dismiss = (date: string) => manager.ask('POST', `/sites/${siteId}/exclusions/suggestions/dismissals`, { date });
  assert.equal((await suggested(app, TODAY - 1)).length, 1);
  for (let turn = 0; turn < 2; turn++) assert.equal((await dismiss(formatDay((TODAY - 1) * DAY))).status, 204);
  assert.deepEqual(await suggested(app, TODAY - 1), []);
  assert.equal((await suggested(app, TODAY - 2)).length, 1);
  const early = await dismiss(formatDay((TODAY + 2) * DAY));
  assert.deepEqual([early.status, early.body.error.fields], [422, { date: 'Must not be in the future.' }]);
  const refused = await viewer.ask('POST', `/sites/${siteId}/exclusions/suggestions/dismissals`, {
    date: formatDay((TODAY - 2) * DAY),
  });
  assert.equal(refused.status, 403);
});

test('today is compared with the same time of the weeks before, and is the day without a date', async (t) => {
  const app = await startApp(t, {}, { threaded: true });
  // Whole days have 60 visits that the morning of today has not, and the bots of today make no more than these.
  const evenings = Array.from({ length: 42 }, (_, i) => people(60, TODAY - i - 1, { second: 80_000 })).flat();
  await withHits(app, [...evenings, ...bots(60, TODAY)]);
  for (const sealed of [false, true]) {
    if (sealed) await app.seal();
    const [draft, ...more] = await suggested(app);
    assert.deepEqual([draft.from, draft.filters, draft.visits, more], ['2026-03-10', { country: 'XX' }, 60, []]);
    assert.deepEqual(await suggested(app, TODAY), [draft]);
  }
});

test('values that cannot be told apart are one list, and two waves are two drafts', async (t) => {
  const app = await startApp(t);
  const logins = [0, 1, 2].flatMap((n) => people(40, TODAY - 1, { page: `/login-${n}` }));
  const spam = people(200, TODAY - 1, { source: 'spam.example' });
  await withHits(app, [...logins, ...spam]);
  const drafts = await suggested(app, TODAY - 1);
  assert.deepEqual(
    drafts.map(({ filters, visits }: { filters: object; visits: number }) => [filters, visits]),
    [
      [{ source: 'spam.example' }, 200],
      [{ entry: { is: ['/login-0', '/login-1', '/login-2'] } }, 120],
    ],
  );
});

test('nothing is suggested where the day has more of everything, or too few weeks are known', async (t) => {
  const app = await startApp(t);
  await withHits(app, people(120, TODAY - 1));
  assert.deepEqual(await suggested(app, TODAY - 1), []);
  const young = await startApp(t);
  await withHits(young, bots(500, TODAY - 1), 3);
  assert.deepEqual(await suggested(young, TODAY - 1), []);
});

test('a week that had a wave itself is no measure', async (t) => {
  const app = await startApp(t);
  await withHits(app, [...bots(400, TODAY - 8), ...bots(120, TODAY - 1)]);
  const [draft] = await suggested(app, TODAY - 1);
  assert.deepEqual([draft.filters, draft.visits], [{ country: 'XX' }, 120]);
});

test('a date that is none is refused, and whoever does not see the site does not see this either', async (t) => {
  const app = await startApp(t);
  for (const date of ['', 'today', '2026-02-30']) {
    const answer = await app.viewer.ask('GET', `/sites/${app.siteId}/exclusions/suggestions?date=${date}`);
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body.error.fields, { date: 'Must be a day such as 2026-01-31.' });
  }
  // On which no site has visits.
  for (const date of ['0001-01-01', '0359-01-28', '1969-12-31', '9999-12-31']) {
    const answer = await app.viewer.ask('GET', `/sites/${app.siteId}/exclusions/suggestions?date=${date}`);
    assert.deepEqual([answer.status, answer.body], [200, { data: [] }], date);
  }
  assert.equal((await app.stranger.ask('GET', url(app))).status, 404);
  for (const person of [app.owner, app.manager, app.viewer]) {
    assert.deepEqual((await person.ask('GET', url(app))).body.data, []);
  }
});
