import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { openClusterForCommand } from '../../../src/cluster/engine.ts';
import { type Activity, isHit } from '../../../src/engine/activity.ts';
import { drafts } from '../../stats/moments.ts';
import { site } from '../../stats/random.ts';
import { openSite, split } from '../../stats/stage.ts';
import { share, startApp } from '../../support/helpers.ts';

/** With these limits, a day of 6 rows is large, and one of 12 rows is compacted into shards. */
const LIMITS = { rows: 12, hits: 6, sealedHits: 1_000, kept: 4 };
const SITES = 16;
const QUESTIONS = 80;
/** Sites with fewer hits may have no day that is compacted. */
const LEAST_HITS = 80;

/** Of every second heartbeat, only the browser reported the seconds. */
const claim = (one: Activity, i: number): Activity => (isHit(one) ? one : { ...one, isClaimed: i % 2 === 0 });

/** An application that answers from copies, or lets ClickHouse make all visits. */
async function stage(t: TestContext) {
  const app = await startApp(t, {}, { limits: LIMITS });
  const { engine, config, clock, db } = app;
  const direct = await openClusterForCommand(config.engine ?? '', db, clock);
  t.after(() => direct.close());
  const { append } = engine.intake;
  const { measure } = engine.queries;
  let isDirect = false;
  Object.assign(engine.intake, {
    append: ({ activities = [], ...batch }: Parameters<typeof append>[0]) =>
      append({ ...batch, activities: activities.map(claim) }),
  });
  Object.assign(engine.queries, {
    measure: (...asked: Parameters<typeof measure>) => (isDirect ? direct.queries.measure : measure)(...asked),
  });
  return Object.assign(app, {
    async onServers<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
      isDirect = true;
      return await ask().finally(() => {
        isDirect = false;
      });
    },
    countShards() {
      const file = new Database(`${config.db}.open-days`, { readonly: true });
      const shards = file.prepare('SELECT count(*) FROM open_shard').pluck().get() as number;
      file.close();
      return shards;
    },
  });
}

test('copies of open days: any query of any hits has the answer that ClickHouse gives', async (t) => {
  const app = await stage(t);
  const { onServers, clock, countShards, seal } = app;
  const large = site.filter(({ hits }) => hits.length >= LEAST_HITS);
  let shards = 0;
  const property = fc.asyncProperty(large, drafts(share(QUESTIONS)), async (planned, some) => {
    const { store, finish, ask } = await openSite(app, planned);
    const questions = finish(some, planned.hits);
    for (const hits of split(planned.hits, planned.zones, planned.waiting)) {
      // Before the second look, all days but the running one are sealed, and are counted by ClickHouse.
      await seal();
      await store(hits);
      // A large day is looked at again when its copy may lack the last five seconds.
      clock.pass(6);
      for (const one of questions)
        assert.deepEqual({ one, data: await ask(one) }, { one, data: await onServers(() => ask(one)) });
    }
    shards += countShards();
  });
  await fc.assert(property, { numRuns: share(SITES), endOnFailure: true });
  assert.ok(shards > 0);
});
