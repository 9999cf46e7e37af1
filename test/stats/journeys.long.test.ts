import { test } from 'node:test';
import fc from 'fast-check';
import { TODAY } from '../collect/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { asking, filtersAmong, site } from './random.ts';
import { journeys } from './random-journeys.ts';
import { shapes } from './shapes.ts';
import { openSite, split } from './stage.ts';

for (const [name, limits] of shapes()) {
  test(`journeys over any hits are those of the reference: open, sealed, topped up, with exclusions${name}`, async (t) => {
    const app = await startApp(t, {}, { limits });
    const filters = filtersAmong(['page', 'entry', 'hostname', 'country', 'event', 'goal', 'property:plan']);
    const drafts = fc.array(asking(1, 'journeys', filters, ...journeys).arbitrary, { minLength: 25, maxLength: 25 });
    const property = fc.asyncProperty(site, fc.noShrink(drafts), async (planned, some) => {
      const { finish, store, agree, exclude, include } = await openSite(app, planned);
      const questions = finish(some, planned.hits);
      const [now, later] = split(planned.hits, planned.zones, planned.waiting);
      await store(now);
      await agree('open', questions);
      await app.engine.upkeep.compact();
      await agree('folded', questions);
      await store(later);
      const id = await exclude(TODAY - 30, null, { 'filters[page]': '/a' });
      await agree('with an exclusion', questions);
      await app.seal();
      await agree('sealed', questions);
      await include(id);
      await agree('put back', questions);
    });
    await fc.assert(property, { numRuns: share(6) });
  });
}
