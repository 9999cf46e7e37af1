import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TODAY } from '../collect/stage.ts';
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
