import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '../../src/lib/errors.ts';
import { makeAskSql } from '../../src/sql/ask.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { openSite } from '../stats/stage.ts';
import { startApp } from '../support/helpers.ts';

const FOREVER = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';

test('only the owner of the server may ask in SQL, with a token that may write or in person', async (t) => {
  const app = await startApp(t, { sql: 'on' });
  const readOnly = app.tokenOf(app.owner, ['read']);
  const body = { sql: 'SELECT 1 AS one' };
  const people = {
    nobody: {},
    readOnly: { token: readOnly },
    collectOnly: { token: app.tokenOf(app.owner, ['collect']) },
    manager: { token: app.manager.token },
    viewer: { token: app.viewer.token },
    stranger: { token: app.stranger.token },
    shareLink: { share: await app.share(app.owner, app.siteId) },
    owner: { token: app.owner.token },
    signedIn: { cookie: await app.signIn(app.owner) },
  };
  const statuses: Record<string, number> = {};
  for (const [name, asking] of Object.entries(people))
    statuses[name] = (await app.ask('POST', '/api/v1/sql', { ...asking, body })).status;
  assert.deepEqual(statuses, {
    ...{ nobody: 401, readOnly: 403, collectOnly: 403, manager: 403, viewer: 403, stranger: 403, shareLink: 404 },
    ...{ owner: 200, signedIn: 200 },
  });
});

test('a client that leaves the queue of statements gives its place to the next one', async (t) => {
  const { config } = await startApp(t);
  const { ask, close } = makeAskSql({ path: config.db, engine: config.engine, log: () => {} });
  t.after(close);
  const [running, leaving] = [new AbortController(), new AbortController()];
  const first = ask({ sql: FOREVER }, running.signal);
  const left = ask({ sql: FOREVER }, leaving.signal);
  leaving.abort();
  const next = ask({ sql: 'SELECT 1' }, new AbortController().signal);
  running.abort();
  for (const ended of [first, left]) await assert.rejects(ended, { code: 'unavailable' } satisfies Partial<Problem>);
  assert.match(new TextDecoder().decode(await next), /"rows":\[\[1\]\]/);
});

test('a statement ends when nobody waits for it any more, and when the server stops', async (t) => {
  const { config } = await startApp(t);
  const { ask, close } = makeAskSql({ path: config.db, engine: config.engine, log: () => {} });
  const leaving = new AbortController();
  const left = ask({ sql: FOREVER }, leaving.signal);
  leaving.abort();
  await assert.rejects(left, { code: 'unavailable' } satisfies Partial<Problem>);
  const stopped = ask({ sql: FOREVER }, new AbortController().signal);
  const closed = close();
  await assert.rejects(stopped, { code: 'unavailable' } satisfies Partial<Problem>);
  await closed;
});

test('a process that is kept sees the hits and the exclusions that came since its last statement', async (t) => {
  const app = await startApp(t);
  const { ask, close } = makeAskSql({ path: app.config.db, engine: app.config.engine, log: () => {}, seconds: 600 });
  t.after(close);
  const site = await openSite(app);
  const { domain } = site.known;
  const read = async (sql: string): Promise<unknown> => {
    const answer = await ask({ sql, site: domain, range: undefined }, new AbortController().signal);
    return JSON.parse(new TextDecoder().decode(answer)).rows;
  };
  const sql = 'SELECT country, count(*) FROM visits GROUP BY country';
  const copied = 'SELECT DISTINCT country, count(*) OVER () FROM visits';
  await site.store([pageview({ day: TODAY - 1, country: 'DE' })]);
  assert.deepEqual(await read(sql), [['DE', 1]]);
  await site.store([pageview({ day: TODAY, second: 5, country: 'FR' })]);
  assert.deepEqual(await read(sql), [
    ['DE', 1],
    ['FR', 1],
  ]);
  await assert.rejects(read('SELECT missing FROM visits'), (error: Problem) => error.code === 'invalid_request');
  assert.deepEqual(await read("SELECT 'a\u2028b', char(8233, 10, 13)"), [['a\u2028b', '\u2029\n\r']]);
  await site.exclude(TODAY, null, { 'filters[country]': 'FR' });
  await app.seal();
  assert.deepEqual(await read(`${sql} HAVING NOT max(excluded)`), [['DE', 1]]);
  assert.deepEqual(await read(copied), [
    ['DE', 2],
    ['FR', 2],
  ]);
});

test('a process that has become old is not kept, although statements go on', async (t) => {
  const [one, other] = [await startApp(t), await startApp(t)];
  for (const [app, count] of [[one, 1] as const, [other, 2] as const])
    await (await openSite(app)).store(Array.from({ length: count }, (_, visitor) => pageview({ day: TODAY, visitor })));
  for (const [oldestMs, expected] of [[600_000, 1] as const, [0, 2] as const]) {
    // The path is read when a process starts, so the answer shows whether a new one was started.
    const { db: path, engine } = one.config;
    const options = { path, engine, log: () => {}, seconds: 600, oldestMs };
    const { ask, close } = makeAskSql(options);
    t.after(close);
    const count = async (): Promise<unknown> => {
      const answer = await ask({ sql: 'SELECT count(*) FROM visits' }, new AbortController().signal);
      return JSON.parse(new TextDecoder().decode(answer)).rows;
    };
    assert.deepEqual(await count(), [[1]]);
    Object.assign(options, { path: other.config.db, engine: other.config.engine });
    assert.deepEqual(await count(), [[expected]]);
  }
});
