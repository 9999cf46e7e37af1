import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Hit, TODAY } from '../collect/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';
import { asking, filtersAmong, site } from './random.ts';
import { range } from './random-ranges.ts';
import { shapes } from './shapes.ts';
import { type App, openSite, split } from './stage.ts';
import { countsOf, METRICS_OF, TABLE_KEYS, type TableQuestion, tableOf } from './table.ts';
import { type Filters, filtersIn, type Query } from './visits.ts';

/** Keys that many hits share, so that rows have more than one visitor. */
const USUAL = ['page', 'country', 'channel', 'event', 'property:plan', 'device', 'day', 'hour', 'weekday', 'entry'];
const FILTERED =
  'page hostname source country channel device event goal pageviews entry utm_medium property:plan property:theme';

const key = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...USUAL) }, fc.constantFrom(...TABLE_KEYS));
/** Filters only, which become questions of a site as drafts of other reports do. */
const filtersDraft = asking(1, 'overview', filtersAmong(FILTERED.split(' '))).arbitrary;

const draft = fc.record({
  range: fc.option(range, { nil: undefined }),
  by: fc.uniqueArray(key, { maxLength: 3 }),
  metrics: fc.infiniteStream(fc.nat(7)),
  // Without more metrics, visitors of two keys are counted in another way.
  count: fc.integer({ min: 0, max: 4 }),
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
