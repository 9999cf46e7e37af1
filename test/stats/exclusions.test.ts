import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keepDays } from '../../src/store/sites/sites.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { drafts } from './moments.ts';
import { asking, filtersAmong, site } from './random.ts';
import { shapes } from './shapes.ts';
import { type App, openSite, split } from './stage.ts';

const FILTERS = ['page', 'entry', 'exit', 'source', 'country', 'device', 'browser', 'event', 'goal', 'utm_campaign'];

const selection = fc.record({
  back: fc.constantFrom(0, 0, 1, 2, 7, 40, 300),
  length: fc.option(fc.constantFrom(0, 1, 30, 300)),
  draft: asking(1, 'overview', filtersAmong(FILTERS)).arbitrary,
});

const STEPS = ['exclude', 'exclude', 'exclude', 'include', 'seal', 'resum', 'store', 'fold'] as const;
const steps = fc.array(fc.record({ step: fc.constantFrom(...STEPS), selection, which: fc.nat(9) }), {
  minLength: 6,
  maxLength: 12,
  size: 'max',
});

async function faultsOf({ engine }: App): Promise<string[]> {
  const all: string[] = [];
  for await (const { faults } of engine.upkeep.recount()) all.push(...faults);
  return all;
}

for (const [name, limits] of shapes()) {
  test(`whatever is set aside and put back, before and after sealing, all answers are those of what is left${name}`, async (t) => {
    const app = await startApp(t, {}, { limits });
    const property = fc.asyncProperty(site, drafts(12), steps, async (planned, some, order) => {
      const { finish, store, agree, ask, exclude, include } = await openSite(app, planned);
      const questions = finish(some, planned.hits);
      const [now, later] = split(planned.hits, planned.zones, planned.waiting);
      const open: number[] = [];
      const steps = {
        async exclude({ back, length, draft }: (typeof order)[number]['selection']) {
          const [{ query } = { query: {} }] = finish([draft], planned.hits);
          if (!Object.keys(query).some((name) => name.startsWith('filters'))) return;
          const first = TODAY - back;
          open.push(await exclude(first, length === null ? null : first + length, query));
        },
        async include(_: unknown, which: number) {
          const [id] = open.splice(which % Math.max(1, open.length), 1);
          if (id !== undefined) await include(id);
        },
        seal: () => app.seal(),
        resum: () => app.engine.upkeep.remakeSums(),
        store: () => store(later.splice(0, 5)),
        fold: () => app.engine.upkeep.compact(),
      };
      await store(now);
      for (const [i, { step, selection, which }] of order.entries()) {
        await steps[step](selection, which);
        await agree(`after step ${i}, ${step}`, questions);
      }
      assert.deepEqual(await faultsOf(app), []);
      for (const id of open) await include(id);
      await agree('with everything put back', questions);
      const before = JSON.stringify(await Promise.all(questions.map(ask)));
      await app.engine.upkeep.remakeSums();
      assert.equal(JSON.stringify(await Promise.all(questions.map(ask))), before);
      assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM excluded_rollup')?.n, 0);
    });
    await fc.assert(property, { numRuns: share(4) });
  });
}

test('a report that leaves out a day does not say how many visits of the day are excluded', async (t) => {
  const app = await startApp(t);
  const { store, exclude, ask, known } = await openSite(app);
  await store(['/a', '/b'].map((page, visitor) => pageview({ day: TODAY - 9, visitor, page })));
  await app.seal();
  await exclude(TODAY - 9, null, { 'filters[page]': '/a' });
  await app.engine.upkeep.remakeSums();
  app.db.write(() => keepDays(app.db, known.siteId, 5));
  await app.seal();
  const listCodes = async (metrics: string) =>
    (await ask({ path: 'breakdown/pages', query: { range: '30d', metrics } })).notice_codes.map(
      ({ code }: { code: string }) => code,
    );
  assert.deepEqual(await listCodes('pageviews'), ['visits_excluded']);
  assert.deepEqual(await listCodes('time_on_page'), ['left_out']);
});

test('channels are counted again when visits are excluded, put back, or come late', async (t) => {
  const app = await startApp(t);
  const { store, exclude, include, agree } = await openSite(app);
  const sources = ['google.com', '', 'news.ycombinator.com', 'google.com'];
  const hits = sources.map((source, visitor) => pageview({ day: TODAY - 3, visitor, source }));
  await store(hits.slice(1));
  await app.seal();
  const questions = ['', 'visits,bounce_rate'].map((metrics) => ({
    path: 'breakdown/channels',
    query: { range: '7d', ...(metrics && { metrics }) },
  }));
  const agreeTwice = async (when: string): Promise<void> => {
    for (const time of ['first', 'second']) await agree(`${when}, the ${time} time`, questions);
  };
  await agreeTwice('sealed');
  const id = await exclude(TODAY - 9, null, { 'filters[source]': 'google.com' });
  await agreeTwice('excluded');
  await include(id);
  await agreeTwice('put back');
  await store(hits.slice(0, 1));
  await agreeTwice('reopened');
  await app.seal();
  await agreeTwice('sealed again');
});
