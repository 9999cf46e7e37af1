import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeProperties } from '../../src/stats/properties.ts';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { randomFrom } from '../support/random.ts';
import { stage } from './stage.ts';

const DAY = TODAY - 5;

/** Hits of many visitors, out of order, with heartbeats, events, properties and revenue. The same in each run. */
function varied(): Hit[] {
  const random = randomFrom(7);
  const any = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)] as Item;
  return Array.from({ length: 400 }, () => {
    const isHeartbeat = random() < 0.2;
    return pageview({
      ...{ day: DAY, second: Math.floor(random() * 86_400), visitor: 2 ** 40 + Math.floor(random() * 90) },
      ...{ page: any(['/', '/a', '/b?p=1', '/é"']), country: any(['', 'DE', 'FR']), source: any(['', 'x.org']) },
      ...{ hostname: any(['', 'www.example.com']), utm_source: any(['', '', 'n & m']) },
      event: isHeartbeat || random() < 0.8 ? '' : any(['buy', '=1']),
      properties: isHeartbeat || random() < 0.7 ? '' : writeProperties([['plan', any(['pro', '1', 'é'])]]),
      revenue: isHeartbeat || random() < 0.9 ? '' : any(['EUR 1999', 'JPY 5']),
      engaged: isHeartbeat ? Math.floor(random() * 60) : null,
      ...(isHeartbeat ? { scroll: Math.floor(random() * 101) } : {}),
    });
  });
}

/** Each engine must give these, and each later version too. A digest that changed would make old receipts worthless. */
const HITS = '6567b921c87b0739ac9c0eff1cbe2c2551d92e4445c8aa20e5fce102ee12eca6';
const WITH_LATE = '6cd370750258276c59b76b1796339b2487ef4a6a5c630764429f36cf834ae0c2';
const SUMS = 'de148ef3faee178b7dbcf67c8f4f95ad43636b4ed6c25f8ce1eacf6dc6c69991';

test('receipts: both engines give the same digests, and every version gives these', async (t) => {
  const { app, site, siteId, make, read } = await stage(t);
  await site.store(varied());
  await app.seal();
  await make();
  const digests = () => read().map(({ digest }) => digest);
  assert.deepEqual(digests(), [HITS]);
  await site.store([pageview({ day: DAY, visitor: 5, page: '/late' })]);
  await app.seal();
  await make();
  assert.deepEqual(digests(), [HITS, WITH_LATE]);
  app.db.run('UPDATE site SET keep_days = 1 WHERE id = ?', siteId);
  await app.seal();
  assert.equal((await make()).length, 1);
  assert.deepEqual(digests(), [HITS, WITH_LATE, SUMS]);
  // The figures stay, although their hits are gone.
  assert.deepEqual(read().at(-1)?.figures, read().at(-2)?.figures);
});

/** Sums of event labels have no hits in the file, but on a cluster they have. */
const LABELS = '5cacb114cbf740eba0d529ebc1849afcdebd83ba86383d81110bbccdd62f4034';

test('receipts: both engines give the same digest of labels whose hits are gone', async (t) => {
  const { app, site, siteId, make, read } = await stage(t);
  const labels = ['a', 'a', 'b'].map((label, second) => pageview({ day: DAY, second, event: 'buy', label }));
  await site.store(labels);
  await app.seal();
  await make();
  app.db.run('UPDATE site SET keep_days = 1 WHERE id = ?', siteId);
  await app.seal();
  await make();
  assert.equal(read().at(-1)?.digest, LABELS);
});
