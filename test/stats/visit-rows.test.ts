import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DayVisits, Visit } from '../../src/engine/activity.ts';
import { VISIT_TEXT_FIELDS } from '../../src/stats/dimensions.ts';
import { makeVisitRows } from '../../src/stats/visit-rows.ts';
import { append, engineOver, fileOf, type Hit, pageview } from '../collect/stage.ts';
import { share } from '../support/helpers.ts';
import { anyHit } from './any-hit.ts';

/** The visits of a site, visitors in any order, because their numbers say nothing. */
async function visitsOf(days: AsyncIterable<DayVisits>): Promise<{ all: Visit[]; known: string[][] }> {
  const all: Visit[] = [];
  for await (const { visits } of days) all.push(...visits);
  const bare = all.map(({ visitor, ...visit }) => [visitor, JSON.stringify(visit)] as const);
  const known = [...Map.groupBy(bare, ([visitor]) => visitor).values()]
    .map((of) => of.map(([, visit]) => visit))
    .sort();
  return { all, known };
}

/** Hits as an import of what was given out holds them. */
const hitsOf = (visits: readonly Visit[], siteId: number): Hit[] =>
  visits.flatMap((visit) => {
    const own = Object.fromEntries(VISIT_TEXT_FIELDS.map((word) => [word, visit[word]]));
    return [...makeVisitRows(visit)].map(
      ({ second, page, hostname, event, label, properties, revenue, engaged, scroll }) =>
        pageview({
          ...own,
          siteId,
          second,
          properties,
          revenue,
          page,
          hostname,
          event,
          label,
          visitor: visit.visitor,
          engaged: engaged ?? null,
          scroll,
        }),
    );
  });

test('what is given out of a day makes the same visits again', async (t) => {
  const sites = 2 * share(100);
  const { open } = fileOf(t, { sites });
  const { db } = open();
  db.run('PRAGMA synchronous = OFF');
  const engine = engineOver(db);
  let siteId = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyHit, { maxLength: 40, size: 'max' }), async (hits) => {
      const [one, other] = [++siteId, ++siteId];
      await append(
        db,
        hits.map((own) => ({ ...own, siteId: one })),
      );
      const before = await visitsOf(engine.queries.readVisits(one));
      await append(db, hitsOf(before.all, other));
      assert.deepEqual((await visitsOf(engine.queries.readVisits(other))).known, before.known);
    }),
    { numRuns: sites / 2 },
  );
});
