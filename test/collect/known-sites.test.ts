import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Db } from '../../src/store/db.ts';
import { addSite, removeSite } from '../../src/store/sites/sites.ts';
import { type Stage, stage } from './collecting.ts';
import { CURL, GPTBOT, storedCrawls, storedDrops } from './stage.ts';

const NEW = { site: 'new.example', url: 'https://new.example/' };

const addNew = (db: Db): number => db.write(() => addSite(db, { accountId: 1, domain: 'new.example', now: 0 }));

const eventsOf = ({ hits }: Stage, siteId: number): string[] =>
  hits().flatMap((hit) => (hit.siteId === siteId ? [hit.event] : []));

test('a site counts as soon as it is added, and no longer once it is deleted, whoever does that', async (t) => {
  const staged = stage(t);
  const { take, db, other } = staged;
  for (const by of [db(), other()]) {
    assert.equal(await take(NEW), 'unknown-site');
    const siteId = addNew(by);
    assert.equal(await take(NEW), undefined);
    assert.deepEqual(eventsOf(staged, siteId), ['']);
    removeSite(by, siteId);
    assert.equal(await take(NEW), 'unknown-site');
  }
});

test('a site that is deleted and added again at once takes the hits from then on', async (t) => {
  const staged = stage(t);
  const { take, db, other } = staged;
  let siteId = addNew(db());
  assert.equal(await take(NEW), undefined);
  for (const by of [db(), other()]) {
    // Asks for the site and writes nothing.
    assert.equal(await take(NEW, { agent: CURL }), 'bot');
    removeSite(by, siteId);
    siteId = addNew(by);
    // For a few milliseconds it may still be the one that another process deleted.
    while (eventsOf(staged, siteId).length === 0) assert.equal(await take(NEW), undefined);
    assert.deepEqual(eventsOf(staged, siteId), ['']);
  }

  // Also when all of it comes in one go.
  const taken = [take({ ...NEW, event: 'before' })];
  removeSite(db(), siteId);
  taken.push(take({ ...NEW, event: 'between' }));
  siteId = addNew(db());
  taken.push(take({ ...NEW, event: 'after' }));
  assert.deepEqual(await Promise.all(taken), [undefined, 'unknown-site', undefined]);
  assert.deepEqual(eventsOf(staged, siteId), ['after']);
});

test('a site that is deleted between taking and writing loses its own hits only', async (t) => {
  const { take, db, hits } = stage(t);
  const second = { site: 'site2.example', url: 'https://site2.example/' };
  const taken = [
    take(),
    take(second),
    take({}, { agent: GPTBOT }),
    take({}, { agent: CURL }),
    take(second, { agent: GPTBOT }),
    take(second, { agent: CURL }),
    take({ event: 'x' }),
    take(second),
  ];
  removeSite(db(), 1);
  assert.deepEqual(await Promise.all(taken), [
    undefined,
    undefined,
    'crawler',
    'bot',
    'crawler',
    'bot',
    undefined,
    undefined,
  ]);
  await take(second);
  assert.deepEqual(
    hits().map(({ siteId }) => siteId),
    [2, 2, 2],
  );
  assert.deepEqual(storedDrops(db(), 2), { bot: 1, crawler: 1 });
  assert.deepEqual(storedCrawls(db(), 2), { 'gptbot /': 1 });
  assert.deepEqual(db().all('SELECT events FROM usage'), [{ events: 3 }]);
  for (const table of ['term', 'day_term', 'drop_day', 'crawl_day']) {
    assert.deepEqual(db().all(`SELECT * FROM ${table} WHERE site_id = 1`), [], table);
  }
});
