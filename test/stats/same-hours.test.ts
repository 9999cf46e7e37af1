import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keepDays } from '../../src/store/sites/sites.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { asked, maybe } from './asked.ts';
import { asking, filtersAmong, site } from './random.ts';
import { shapes } from './shapes.ts';
import { openSite, split } from './stage.ts';

const FILTERS = 'page entry exit source utm_campaign country device browser event goal'.split(' ');

/** Overviews up to now, mostly of few days, so that much of what is compared is of the day that is cut. */
const question = asking(
  1,
  'overview',
  filtersAmong(FILTERS),
  fc.oneof(
    fc.constantFrom('today', '7d', '30d').map((range) => ({ range })),
    fc.constantFrom('2026-03-09~2026-03-10', '2026-03-08~2026-03-09').map((range) => ({ range })),
  ),
  maybe('compare', fc.constantFrom('previous', 'year', '2026-03-09~2026-03-09', '2026-03-10~2026-03-10')),
  maybe('metrics', fc.constant('time_on_page')),
  fc.constant({ compare_until: 'now' }),
).arbitrary;

const selection = fc.oneof(
  asked('country', fc.constantFrom('DE', 'US', 'FR')),
  asked('event', fc.constantFrom('signup', 'buy')),
  asked('exit', fc.constantFrom('/', '/a')),
);

for (const [name, limits] of shapes()) {
  test(`what the running day is compared with ends at the same time, as in the reference${name}`, async (t) => {
    const property = fc.asyncProperty(
      site,
      fc.array(question, { minLength: 25, maxLength: 25 }),
      selection,
      fc.array(fc.constantFrom(0, 1, 1_000, 10_000, 30_000), { minLength: 1, maxLength: 2 }),
      async (planned, drafts, taking, waits) => {
        const app = await startApp(t, {}, { limits });
        const { finish, store, agree, exclude, include } = await openSite(app, planned);
        const questions = finish(drafts, planned.hits);
        const [now, later] = split(planned.hits, planned.zones, planned.waiting);
        await store(now);
        await agree('open', questions);
        await app.seal();
        await agree('sealed', questions);
        const id = await exclude(TODAY - 300, null, taking);
        await agree('set aside', questions);
        await app.engine.upkeep.remakeSums();
        await agree('with sums made again', questions);
        await include(id);
        await store(later);
        for (const seconds of waits) {
          app.clock.pass(seconds);
          await agree(`${seconds} s later`, questions);
        }
      },
    );
    await fc.assert(property, { numRuns: share(4) });
  });
}

test('today is compared with yesterday up to now, and whole days with whole days', async (t) => {
  const app = await startApp(t);
  const { store, ask } = await openSite(app);
  const at = (day: number, second: number, visitor: number) => pageview({ day, second, visitor });
  // It is noon.
  await store([
    ...[at(TODAY - 1, 100, 1), at(TODAY - 1, 43_190, 2), at(TODAY - 1, 43_200, 2), at(TODAY - 1, 43_201, 2)],
    ...[at(TODAY - 1, 80_000, 3), at(TODAY, 100, 1)],
  ]);
  const overview = (query: Record<string, string>) => ask({ path: 'overview', query: { range: 'today', ...query } });
  const whole = await overview({});
  assert.deepEqual([whole.previous.visitors, whole.change.visitors], [3, -66.7]);
  const { previous, change } = await overview({ compare_until: 'now' });
  assert.deepEqual([previous.from, previous.to], ['2026-03-09T00:00:00Z', '2026-03-09T12:00:00Z']);
  assert.deepEqual([previous.visitors, previous.pageviews, previous.visit_duration], [2, 3, 5]);
  assert.equal(change.visitors, -50);
  // Of a visit that goes on, what it was at that time: this one had not left yet.
  await store([at(TODAY - 1, 43_000, 4), pageview({ day: TODAY - 1, second: 43_300, visitor: 4, page: '/later' })]);
  const leaving = (page: string) => overview({ compare_until: 'now', 'filters[exit]': page });
  assert.deepEqual([(await leaving('/later')).previous.visits, (await leaving('/')).previous.visits], [0, 3]);
  assert.equal((await leaving('/')).previous.visit_duration, 70);
  const over = { range: '2026-03-08~2026-03-09' };
  assert.deepEqual(await overview({ ...over, compare_until: 'now' }), await overview(over));
  assert.deepEqual(await overview({ compare: 'none', compare_until: 'now' }), await overview({ compare: 'none' }));
  const refused = await app.owner.ask('GET', `/sites/${app.siteId}/stats/overview?compare_until=noon`);
  assert.deepEqual([refused.status, refused.body.error.fields], [422, { compare_until: 'Must be now.' }]);
});

test('a day of which only totals are left is compared whole, without its excluded visits', async (t) => {
  const app = await startApp(t);
  const { store, ask, exclude, known } = await openSite(app);
  const countries = ['DE', 'US', 'US', 'US'];
  await store([
    ...countries.map((country, visitor) => pageview({ day: TODAY - 7, visitor, country })),
    ...[pageview({ day: TODAY, second: 100, country: 'DE' })],
  ]);
  await app.seal();
  await exclude(TODAY - 7, TODAY - 7, { 'filters[country]': 'US' });
  app.db.write(() => keepDays(app.db, known.siteId, 3));
  await app.seal();
  const compare = { range: 'today', compare: '2026-03-03~2026-03-03' };
  const whole = await ask({ path: 'overview', query: compare });
  const cut = await ask({ path: 'overview', query: { ...compare, compare_until: 'now' } });
  assert.deepEqual([cut.previous.visitors, cut.change.visitors], [1, 0]);
  assert.deepEqual([cut.change, cut.notices], [whole.change, whole.notices]);
});
