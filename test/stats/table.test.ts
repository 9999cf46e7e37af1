import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FILTERS } from '../../src/stats/dimensions.ts';
import { isHitKey, TIME_KEYS } from '../../src/stats/table-keys.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';
import { date } from './days.ts';
import { asking, filtersAmong, site } from './random.ts';
import { range } from './random-ranges.ts';
import { shapes } from './shapes.ts';
import { type App, openSite, split } from './stage.ts';
import { countsOf, METRICS_OF, type TableQuestion, tableOf } from './table.ts';
import { type Filters, filtersIn, type Query } from './visits.ts';

const KEYS = [...FILTERS, ...TIME_KEYS, 'property:plan', 'property:theme', 'property:never'];
/** Keys that many hits share, so that rows have more than one visitor. */
const USUAL = ['page', 'country', 'channel', 'event', 'property:plan', 'device', 'day', 'hour', 'weekday', 'entry'];
const FILTERED =
  'page hostname source country channel device event goal pageviews entry utm_medium property:plan property:theme';

const key = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...USUAL) }, fc.constantFrom(...KEYS));
/** Filters only, which become questions of a site as drafts of other reports do. */
const filtersDraft = asking(1, 'overview', filtersAmong(FILTERED.split(' '))).arbitrary;

const draft = fc.record({
  range: fc.option(range, { nil: undefined }),
  by: fc.uniqueArray(key, { maxLength: 3 }),
  metrics: fc.infiniteStream(fc.nat(7)),
  count: fc.integer({ min: 1, max: 4 }),
  filters: filtersDraft,
  any: fc.option(fc.array(filtersDraft, { minLength: 1, maxLength: 3 }), { freq: 2 }),
  currency: fc.constantFrom('EUR', 'EUR', 'JPY', 'KWD'),
  sort: fc.option(fc.nat(5), { nil: undefined }),
  order: fc.constantFrom(undefined, undefined, 'asc' as const, 'desc' as const),
  limit: fc.constantFrom(1, 2, 11, 100, 10_000),
  offset: fc.constantFrom(0, 0, 0, 1, 2),
});
type Draft = typeof draft extends fc.Arbitrary<infer One> ? One : never;

type Site = Awaited<ReturnType<typeof openSite>>;

function makeQuestion(given: Draft, { finish, known }: Site, like: readonly Hit[]): TableQuestion {
  const read = (one: Draft['filters']): Filters => filtersIn((finish([one], like)[0] as { query: Query }).query);
  const { by, currency, order, limit, offset } = given;
  const names = METRICS_OF[countsOf(by)]
    .split(' ')
    .filter((name) => known.goals.length > 0 || !name.startsWith('conversion'));
  const places = [...given.metrics.take(given.count)];
  const metrics = ['visitors', ...new Set(places.map((place) => names[place % names.length] as string))];
  const any = given.any?.map(read).filter((group) => Object.keys(group).length > 0) ?? [];
  const sorts = [...metrics, ...by];
  return {
    ...{ range: given.range ?? '30d', by, metrics, filters: read(given.filters), limit, offset },
    ...(any.length > 0 && { any }),
    ...(metrics.some((name) => name.startsWith('revenue')) && { currency }),
    ...(given.sort !== undefined && { sort: sorts[given.sort % sorts.length] as string }),
    ...(order && { order }),
  };
}

async function agree(app: App, { known }: Site, when: string, questions: readonly TableQuestion[]): Promise<void> {
  for (const question of questions) {
    const url = `/sites/${known.siteId}/query`;
    const answer = await app.owner.ask('POST', url, question);
    assert.equal(answer.status, 200, `${answer.text} for ${JSON.stringify(question)}`);
    const expected = tableOf(known, question, app.clock.now() / 1000);
    assert.deepEqual({ when, question, data: dataOf(answer, 'POST', url) }, { when, question, data: expected });
  }
}

for (const [name, limits] of shapes()) {
  test(`query: any question about any hits is answered as by the reference${name}`, async (t) => {
    const app = await startApp(t, {}, { limits, threaded: true });
    const again: (() => Promise<void>)[] = [];
    const drafts = fc.noShrink(fc.array(draft, { minLength: share(40), maxLength: share(40) }));
    const property = fc.asyncProperty(site, drafts, async (planned, some) => {
      const opened = await openSite(app, planned);
      const questions = some.map((one) => makeQuestion(one, opened, planned.hits));
      const [now, later] = split(planned.hits, planned.zones, planned.waiting);
      await opened.store(now);
      await app.engine.upkeep.compact();
      await agree(app, opened, 'open', questions);
      await app.seal();
      await agree(app, opened, 'sealed', questions);
      await opened.store(later);
      await opened.exclude(TODAY - 7, TODAY, { 'filters[country]': 'DE' });
      await agree(app, opened, 'topped up, and with an exclusion', questions);
      again.push(() => agree(app, opened, 'after a restart', questions));
    });
    await fc.assert(property, { numRuns: share(4), endOnFailure: true });
    await app.restart();
    for (const ask of again) await ask();
  });
}

const ask = async (app: App, body: object) => app.owner.ask('POST', `/sites/${app.siteId}/query`, body);

test('query: rows by one dimension are those of its breakdown', async (t) => {
  const app = await startApp(t);
  const { store, ask: read, known } = await openSite(app);
  const countries = ['DE', 'DE', 'FR', ''];
  await store(countries.map((country, visitor) => pageview({ day: TODAY, visitor, country, page: `/${visitor % 2}` })));
  for (const [by, breakdown] of [
    ['country', 'countries'],
    ['page', 'pages'],
  ]) {
    const metrics = ['visitors', 'visits', 'pageviews'];
    const answer = await app.owner.ask('POST', `/sites/${known.siteId}/query`, { range: 'today', by: [by], metrics });
    const query = { range: 'today', metrics: 'visits,pageviews', limit: '100' };
    const { rows } = await read({ path: `breakdown/${breakdown}`, query });
    assert.deepEqual(
      answer.body.data.rows.map(({ by: [value], metrics }: { by: string[]; metrics: object }) => ({
        value,
        ...metrics,
      })),
      rows,
    );
  }
});

test('query: rows can be compared with the days before, also those that were not there', async (t) => {
  const app = await startApp(t);
  const { store, known } = await openSite(app);
  await store([pageview({ day: TODAY - 1, visitor: 1, country: 'DE' })]);
  await store(['DE', 'DE', 'FR'].map((country, visitor) => pageview({ day: TODAY, visitor, country })));
  const body = { range: 'today', by: ['country'], compare: 'previous' };
  const answer = await app.owner.ask('POST', `/sites/${known.siteId}/query`, body);
  assert.deepEqual(answer.body.data.rows, [
    { by: ['DE'], metrics: { visitors: 2 }, previous: { visitors: 1 } },
    { by: ['FR'], metrics: { visitors: 1 }, previous: null },
  ]);
  const compared = async (compare: string) => {
    const { data } = (await app.owner.ask('POST', `/sites/${known.siteId}/query`, { ...body, compare })).body;
    return data.previous;
  };
  const yesterday = { from: `${date(TODAY - 1)}T00:00:00Z`, to: `${date(TODAY - 1)}T23:59:59Z` };
  assert.deepEqual(await compared('previous'), yesterday);
  assert.deepEqual(await compared(`${date(TODAY - 1)}~${date(TODAY - 1)}`), yesterday);
  assert.equal(await compared('none'), undefined);
});

test('query: totals-only days are named, also among the days that rows are compared with', async (t) => {
  const app = await startApp(t);
  const { store, known } = await openSite(app);
  await store([1, 2, 3, 4].map((ago) => pageview({ day: TODAY - ago, visitor: ago, country: 'DE' })));
  await app.seal();
  const ask = async (body: object) => {
    const range = `${date(TODAY - 2)}~${date(TODAY - 1)}`;
    const answer = await app.owner.ask('POST', `/sites/${known.siteId}/query`, { range, by: ['country'], ...body });
    return [answer.body.data.rows[0].previous, answer.body.data.left_out];
  };
  const span = (from: number, to: number) => [{ from: date(from), to: date(to) }];
  assert.deepEqual(await ask({ compare: 'previous' }), [{ visitors: 2 }, undefined]);
  const loseHits = "UPDATE sealed_day SET has_hits = 0 WHERE site_id = ? AND day = ? AND state = 'shown'";
  app.db.run(loseHits, known.siteId, TODAY - 3);
  assert.deepEqual(await ask({}), [undefined, undefined]);
  assert.deepEqual(await ask({ compare: 'previous' }), [{ visitors: 1 }, span(TODAY - 3, TODAY - 3)]);
  app.db.run(loseHits, known.siteId, TODAY - 2);
  assert.deepEqual(await ask({}), [undefined, span(TODAY - 2, TODAY - 2)]);
  assert.deepEqual(await ask({ compare: 'previous' }), [{ visitors: 1 }, span(TODAY - 3, TODAY - 2)]);
});

test('query: what cannot be asked is refused with the field', async (t) => {
  const app = await startApp(t);
  const refused: [body: object, field: string][] = [
    [{ by: ['colour'] }, 'by.0'],
    [{ by: ['country', 'country'] }, 'by'],
    [{ by: ['country', 'page', 'os', 'browser'] }, 'by'],
    [{ by: ['country', 'page', 'os'], interval: 'day' }, 'interval'],
    [{ by: ['page'], metrics: ['bounce_rate'] }, 'metrics'],
    [{ by: ['country'], metrics: ['count'] }, 'metrics'],
    [{ metrics: [] }, 'metrics'],
    [{ by: ['country'], sort: 'pageviews' }, 'sort'],
    [{ by: ['country'], goal: 1 }, 'goal'],
    [{ by: ['country'], metrics: ['conversions'] }, 'goal'],
    [{ by: ['country'], metrics: ['revenue'] }, 'currency'],
    [{ by: ['day'], compare: 'previous' }, 'compare'],
    [{ any: [] }, 'any'],
    [{ any: [{}] }, 'any.0'],
    [{ any: Array(6).fill({ country: 'DE' }) }, 'any'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 10_001 }, 'limit'],
    [{ limit: '10' }, 'limit'],
    [{ range: 'soon' }, 'range'],
    [{ filters: { colour: 'red' } }, 'filters.colour'],
    [{ any: [{ country: 'DE', constructor: 'x' }] }, 'any.0.constructor'],
    [{ colour: 'red' }, 'colour'],
  ];
  for (const [body, field] of refused) {
    const { status, body: answer } = await ask(app, body);
    assert.deepEqual([status, Object.keys(answer.error?.fields ?? {})], [422, [field]], JSON.stringify([body, answer]));
  }
});

test('query: whether each hit has its own value of a key is known for each key', () => {
  const ofHits = KEYS.filter((one) => isHitKey(one as never));
  assert.deepEqual(
    ofHits.sort(),
    [...'event hostname hour hour_of_day page'.split(' '), 'property:never', 'property:plan', 'property:theme'].sort(),
  );
  assert.equal(countsOf([]), 'visits');
});
