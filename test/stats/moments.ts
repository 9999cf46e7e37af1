import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import type { CompactionLimits } from '../../src/ledger/open/compaction.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { rowsIn, TINY } from '../ledger/stage.ts';
import { ON_CLUSTER, startApp } from '../support/helpers.ts';
import { draft, site } from './random.ts';
import { openSite, split } from './stage.ts';

/** What fails is shown with its one question, so only the site is made smaller. */
export const drafts = (count: number) => fc.noShrink(fc.array(draft, { minLength: count, maxLength: count }));

/** Stores hits in portions, of which each of a large day is folded. */
async function storeIn(
  portions: number,
  hits: readonly Hit[],
  store: (hits: readonly Hit[]) => Promise<void>,
  fold: () => Promise<void>,
) {
  const size = Math.ceil(hits.length / portions);
  for (let from = 0; from < hits.length; from += size) {
    await store(hits.slice(from, from + size));
    await fold();
  }
}

/** Asks random questions about so many random sites while their days are open, being sealed, sealed, topped up, and after a restart. */
export async function agreeAtEveryMoment(
  t: TestContext,
  limits: CompactionLimits,
  { sites, questionsEach }: { sites: number; questionsEach: number },
): Promise<void> {
  const app = await startApp(t, {}, { limits, threaded: true });
  const again: (() => Promise<void>)[] = [];
  const property = fc.asyncProperty(
    site,
    drafts(questionsEach),
    fc.integer({ min: 1, max: 3 }),
    async (planned, some, portions) => {
      const { finish, store, agree } = await openSite(app, planned);
      const questions = finish(some, planned.hits);
      const storeAndWait = async (hits: readonly Hit[]) => {
        await store(hits);
        // On a cluster, the copy of a large day may lack the last five seconds.
        app.clock.pass(6);
      };
      const [now, later] = split(planned.hits, planned.zones, planned.waiting);
      await storeIn(portions, now, storeAndWait, app.engine.upkeep.compact);
      await agree('open', questions);
      await Promise.all([app.seal(), agree('while it is sealed', questions)]);
      await agree('sealed', questions);
      await storeAndWait(later);
      await agree('topped up', questions);
      await Promise.all([app.engine.upkeep.compact(), agree('while it is folded', questions)]);
      await agree('folded', questions);
      again.push(() => agree('after a restart', questions));
    },
  );
  await fc.assert(property, { numRuns: sites, endOnFailure: true });
  // Whatever chance has made, one site is large.
  const large = Array.from({ length: 40 }, (_, visitor) => pageview({ day: TODAY - (visitor % 2), visitor }));
  await storeIn(2, large, (await openSite(app)).store, app.engine.upkeep.compact);
  await app.seal();
  const partsOf = (table: string, condition: string) => rowsIn(app.db, table, condition) > 0;
  if (!ON_CLUSTER) {
    assert.equal(partsOf('open_shard', '1'), limits === TINY);
    assert.equal(partsOf('sealed_day', 'slice > 0'), limits === TINY);
  }
  // Starting threads costs more than all questions of one site, so it is done once for all of them.
  await app.restart();
  for (const ask of again) await ask();
}
