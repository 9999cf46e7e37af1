import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DayVisits, Visit } from '../../src/engine.ts';
import { TEXT_FIELDS, type TextField, VISIT_TEXT_FIELDS } from '../../src/stats/dimensions.ts';
import { visitRows } from '../../src/stats/visit-rows.ts';
import { append, engineOver, fileOf, type Hit, pageview, TODAY } from '../collect/stage.ts';

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
    return [...visitRows(visit)].map(({ second, page, event, label, engaged }) =>
      pageview({ ...own, siteId, second, page, event, label, visitor: visit.visitor, engaged: engaged ?? null }),
    );
  });

const text = fc.constantFrom('', 'a', 'b');
const words = fc.record(Object.fromEntries(TEXT_FIELDS.map((word) => [word, text])) as Record<TextField, typeof text>);
const hit = fc
  .record({
    visitor: fc.nat(3),
    second: fc.oneof(fc.constantFrom(0, 1_800, 1_801, 3_600, 3_601, 86_399), fc.nat(86_399), fc.nat(9_000)),
    engaged: fc.constantFrom(null, null, 0, 30),
    words,
  })
  .map(({ words, ...numbers }) => pageview({ ...numbers, ...words, day: TODAY }));

test('what is given out of a day makes the same visits again', async (t) => {
  const sites = 200;
  const { open } = fileOf(t, { sites });
  const { db } = open();
  db.run('PRAGMA synchronous = OFF');
  const engine = engineOver(db);
  let siteId = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(hit, { maxLength: 40, size: 'max' }), async (hits) => {
      const [one, other] = [++siteId, ++siteId];
      await append(
        db,
        hits.map((own) => ({ ...own, siteId: one })),
      );
      const before = await visitsOf(engine.visits(one));
      await append(db, hitsOf(before.all, other));
      assert.deepEqual((await visitsOf(engine.visits(other))).known, before.known);
    }),
    { numRuns: sites / 2 },
  );
});
