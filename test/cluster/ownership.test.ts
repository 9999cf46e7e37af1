import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appendTo, pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../helpers.ts';
import { ownServers } from './asking.ts';

test('rows of a site that the file never had stay, and those of a deleted site go', async (t) => {
  const app = await startApp(t);
  const { run, sum } = ownServers(app);
  await appendTo(app.engine, [pageview({ siteId: app.siteId })]);
  await run(
    `INSERT INTO activity (site, day, seq, visitor, page) SELECT 999, ${TODAY}, 1, number, '/' FROM numbers(5)`,
  );
  const rowsOf = (site: number) => sum(`SELECT count() FROM activity WHERE site = ${site}`);
  await app.engine.seal();
  assert.equal(await rowsOf(999), 4 * 5);
  app.db.write(() => app.db.run('DELETE FROM site WHERE id = ?', app.siteId));
  await app.engine.seal();
  assert.deepEqual([await rowsOf(999), await rowsOf(app.siteId)], [4 * 5, 0]);
});
