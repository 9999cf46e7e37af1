import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listLostTargets } from '../../src/api/lost-targets.ts';
import { startApp } from '../support/helpers.ts';

test('pages of many goals are compared once each, and other requests have a turn between them', async (t) => {
  const { db, owner, siteId } = await startApp(t);
  for (let n = 0; n < 40; n++) {
    await owner.ask('POST', `/sites/${siteId}/goals`, { type: 'page', value: `/${n}` });
  }
  let compared = 0;
  const found = listLostTargets(db, siteId, (page) => {
    compared++;
    return page === '/7' ? '/:id' : page;
  });
  assert.ok(compared <= 10, `${compared} pages in the first turn`);
  assert.deepEqual(await found, [{ value: '/7', becomes: '/:id' }]);
  assert.equal(compared, 40);
});
