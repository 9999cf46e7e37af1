import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldOnce, TINY } from '../ledger/stage.ts';
import { startApp } from '../support/helpers.ts';
import { BROWSER, storedDrops, storedHits, TODAY } from './stage.ts';

test('beyond what a day of a site may have hits are dropped, and the figures of the site alone say so, also in parts and after a restart', async (t) => {
  const app = await startApp(t, { 'day-capacity': '6' });
  const { siteId } = app;
  const send = async (site: string): Promise<string | null> => {
    const body = { site, url: `https://${site}/` };
    const answer = await app.ask('POST', '/day', { body, headers: BROWSER });
    assert.equal(answer.status, 202, answer.text);
    return answer.headers.get('Daybook-Dropped');
  };
  for (let n = 0; n < 5; n++) assert.equal(await send('example.com'), null);
  assert.ok(foldOnce(app.db, { siteId, day: TODAY }, { ...TINY, rows: 1 }));
  await app.restart();
  assert.equal(await send('example.com'), null);
  const stored = storedHits(app.db).length;
  assert.equal(await send('example.com'), null, 'which would tell what came before');
  assert.equal(storedHits(app.db).length, stored);
  assert.equal(await send('stranger.example'), null, 'each site has a day of its own');

  const passed = [{ url: 'https://example.com/', ip: '85.214.1.1', agent: BROWSER['user-agent'] }];
  const { body } = await app.owner.ask('POST', `/sites/${siteId}/hits`, passed);
  assert.deepEqual(body.data ?? body, { accepted: 0, dropped: 1 });
  app.engine.intake.settle();
  assert.deepEqual(storedDrops(app.db, siteId), { 'day-full': 2 });
  assert.deepEqual(await app.engine.queries.listDroppedDays('day-full', TODAY), [{ siteId, day: TODAY, hits: 2 }]);

  app.clock.pass(86_400);
  assert.equal(await send('example.com'), null, 'the next day is empty');
  assert.equal(storedHits(app.db).filter(({ day }) => day === TODAY + 1).length, 1);
});
