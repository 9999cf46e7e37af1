import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepDays } from '../../../src/store/sites/sites.ts';
import { TODAY } from '../../collect/stage.ts';
import { stageGates } from '../asking.ts';

test('a query that began before the hits of a day are deleted counts them, and their visits are gone soon after', async (t) => {
  const app = await stageGates(t);
  const { db, siteId, engine } = app;
  await app.come(TODAY - 20, 7);
  app.clock.pass(1);
  assert.equal(await app.seal(), 1);
  db.write(() => keepDays(db, siteId, 10));
  const range = { from: TODAY - 20, to: TODAY - 19 };
  const deleted = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  app.watch(async (sql, when) => {
    if (when === 'before' && sql.includes('param_p0')) {
      asked.resolve();
      await deleted.promise;
    }
    return false;
  });
  const query = engine.queries.measure({ report: 'overview', siteId, range, filters: { entry: { is: ['/'] } } });
  await asked.promise;
  await engine.upkeep.seal();
  deleted.resolve();
  assert.equal((await query).totals[0]?.visits, 7);
  const count = () => app.sum(`SELECT count() FROM visit WHERE day = ${TODAY - 20}`);
  app.clock.pass(61);
  await engine.upkeep.sweep();
  assert.equal(await count(), 0);
});
