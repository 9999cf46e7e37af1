import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { findReach } from '../../src/cluster/outbox/reach.ts';
import { composeCollector } from '../../src/compose-collector.ts';
import { readConfig } from '../../src/config.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { askToRetire, findCollector, listCollectors } from '../../src/store/cluster/collectors.ts';
import { openOutbox } from '../../src/store/cluster/outbox.ts';
import { findSender } from '../../src/store/cluster/outbox-sender.ts';
import type { Db } from '../../src/store/db.ts';
import { findToken } from '../../src/store/people/tokens.ts';
import { AMERICAN, CHROME, GERMAN, GPTBOT, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { type Settings, stage } from './collecting.ts';

test('a visit whose hits come to several collectors and the primary is one visit', async (t) => {
  const app = await stage(t);
  const [one, two] = [await app.collector('one'), await app.collector('two')];
  assert.equal(await one.view('/a'), undefined);
  app.clock.pass(60);
  assert.equal(await two.view('/b'), undefined);
  app.clock.pass(60);
  const message = { site: 'example.com', url: 'https://example.com/c' };
  const headers = { 'user-agent': CHROME, 'accept-language': 'de' };
  assert.equal((await app.ask('POST', '/day', { body: message, headers, address: GERMAN })).status, 202);
  const { visitors, visits, pageviews } = await app.figures();
  assert.deepEqual([visitors, visits, pageviews], [1, 1, 3]);
});

test('how long a page was seen counts wherever it is told, and is no longer than it can have been', async (t) => {
  const app = await stage(t);
  const [one, two] = [await app.collector('one'), await app.collector('two')];
  await one.view('/a');
  app.clock.pass(40);
  // This one knows no visit, and believes what it is told.
  assert.equal(await two.engage('/a', 30, 20), undefined);
  app.clock.pass(10);
  assert.equal(await one.engage('/a', 10, 70), undefined);
  app.clock.pass(5);
  assert.equal(await two.engage('/a', 1_000, 50), undefined);
  const { owner, siteId } = app;
  const { body } = await owner.ask(
    'GET',
    `/sites/${siteId}/stats/breakdown/pages?range=${date(TODAY)}~${date(TODAY)}&metrics=time_on_page,scroll_depth`,
  );
  // 30, 10, and of the last one 5 and a second for rounding.
  assert.equal(body.data.rows[0].time_on_page, 46, JSON.stringify(body));
  assert.equal(body.data.rows[0].scroll_depth, 70);
  assert.equal((await app.figures()).visitors, 1);
});

test('a primary that is away for an hour over midnight parts no visitors, and hits of it count once it is back', async (t) => {
  const app = await stage(t);
  const [one, two] = [await app.collector('one'), await app.collector('two')];
  await one.look();
  await two.look();
  app.clock.pass(11.5 * HOUR);
  await one.view('/before');
  await app.close();
  app.clock.pass(HOUR);
  await one.look();
  assert.ok(
    app.log.some((line) => line.includes('the primary does not answer')),
    app.log.join('\n'),
  );
  one.everyMinute();
  await one.view('/a');
  await two.view('/b');
  // Also one that is started anew, and for people whom it has never seen.
  await two.stop();
  const again = await app.collector('two');
  const somebody = { address: AMERICAN, agent: CHROME };
  await again.view('/c');
  await again.view('/d', 'example.com', somebody);
  await one.view('/e', 'example.com', somebody);
  const { visitors, visits, pageviews } = await app.figures(TODAY + 1);
  assert.deepEqual([visitors, visits, pageviews], [2, 2, 5]);
  await app.open();
  assert.equal(app.db.all('SELECT 1 FROM usage').length, 0);
  await one.look();
  await again.look();
  assert.deepEqual(app.db.all('SELECT sum(events) AS events FROM usage'), [{ events: 6 }]);
  // Told again, they do not count again.
  await again.stop();
  await (await app.collector('two')).look();
  assert.deepEqual(app.db.all('SELECT sum(events) AS events FROM usage'), [{ events: 6 }]);
});

test('a day is sealed when all collectors have sent what they took of it, or are given up', async (t) => {
  const app = await stage(t);
  const [one, two] = [await app.collector('one'), await app.collector('two')];
  await one.view('/a');
  await two.view('/b');
  await two.look();
  app.clock.pass(DAY);
  await one.look();
  const night = await app.engine.upkeep.seal();
  assert.deepEqual([night.days, night.failed.length], [0, 1]);
  assert.match(
    night.failed[0]?.reason ?? '',
    /^the collector two has sent its hits until 2026-03-10T12:00:00Z\. Last contact: 2026-03-10T12:00:00Z/,
  );
  assert.equal(await app.stateOf(TODAY), 'open');
  await two.look();
  assert.deepEqual(await app.engine.upkeep.seal(), { days: 1, failed: [] });
  assert.equal(await app.stateOf(TODAY), 'sealed');
  assert.equal((await app.figures()).visitors, 1);

  await one.view('/c');
  app.clock.pass(DAY);
  await one.look();
  await two.stop();
  app.clock.pass(DAY);
  await one.look();
  assert.equal(
    (await app.engine.upkeep.seal()).failed.length,
    0,
    'at its stop it has said that it sent everything until then',
  );
  app.clock.pass(DAY);
  await one.view('/d');
  app.clock.pass(DAY);
  await one.look();
  assert.equal((await app.engine.upkeep.seal()).failed.length, 1);
  app.lose('two');
  assert.deepEqual(await app.engine.upkeep.seal(), { days: 1, failed: [] });
});

test('collectors learn of sites, of their settings and of what was deleted', async (t) => {
  const app = await stage(t);
  const { owner, siteId } = app;
  const one = await app.collector('one');
  assert.equal(await one.view('/a', 'new.example'), 'unknown-site');
  app.site(owner, 'new.example');
  app.clock.pass(1);
  await one.look();
  assert.equal(await one.view('/a', 'new.example'), 'foreign-host');
  const { body } = await owner.ask('GET', `/sites/${siteId}/arrivals`);
  assert.equal(body.data.last, null);
  await owner.ask('PATCH', `/sites/${siteId}`, { domain: 'other.example' });
  app.clock.pass(1);
  await one.look();
  assert.equal(await one.view('/a'), undefined, 'the name of before goes on');
  await one.look();
  const seen = async () => (await owner.ask('GET', `/sites/${siteId}/arrivals`)).body.data;
  const { last, foreign } = await seen();
  assert.deepEqual([last.dropped, foreign], [null, null]);
  await app.close();
  app.clock.pass(1);
  await one.view('/a', 'example.com', { address: GERMAN, agent: GPTBOT });
  await one.look();
  await app.open();
  await one.look();
  assert.equal((await seen()).last.dropped, 'crawler', 'what could not be told is told later');
  await owner.ask('DELETE', `/sites/${siteId}`);
  app.clock.pass(1);
  await one.look();
  assert.equal(await one.view('/a'), 'unknown-site');
});

test('the server of a website passes on visitors to a collector with a token, until the token is revoked', async (t) => {
  const app = await stage(t);
  const { owner, viewer, tokenOf, db, clock } = app;
  const [token, other] = [tokenOf(owner, ['collect']), tokenOf(viewer, ['collect'])];
  const one = await app.collector('one', { port: '0' });
  const { port } = await one.listen();
  const pass = async (how: { token?: string; visitor?: string; path?: string; body?: object }): Promise<number> => {
    const { visitor = GERMAN, path = '/day', body = {} } = how;
    const headers = {
      'user-agent': CHROME,
      'accept-language': 'de',
      ...(visitor !== '' && { 'daybook-visitor-ip': visitor }),
      ...(how.token !== undefined && { authorization: `Bearer ${how.token}` }),
    };
    const message = JSON.stringify({ site: 'example.com', url: 'https://example.com/passed', ...body });
    const isPost = path === '/day';
    const sent = { method: isPost ? 'POST' : 'GET', headers, ...(isPost && { body: message }) };
    return (await fetch(`http://127.0.0.1:${port}${path}`, sent)).status;
  };
  assert.equal(await pass({ token }), 202);
  assert.equal(await pass({ token, visitor: AMERICAN }), 202);
  assert.equal(await pass({ token, body: { engaged: 5_000 } }), 202);
  const pixel = `/day.gif?site=example.com&url=${encodeURIComponent('https://example.com/pixel')}`;
  assert.equal(await pass({ token, path: pixel }), 200);
  // The same visitor, directly at another collector.
  await (await app.collector('two')).view('/direct');
  for (const [wrong, status] of [
    [undefined, 401],
    ['1|dbk_wrong', 401],
    [other, 404],
    [tokenOf(owner, ['collect']), 401],
  ] as const)
    assert.equal(await pass(wrong === undefined ? {} : { token: wrong }), status, String(wrong));
  assert.equal(await pass({ token, body: { site: 'stranger.example' } }), 404);
  assert.equal(await pass({ token, visitor: 'localhost' }), 422);
  const { visitors, pageviews } = await app.figures();
  assert.deepEqual([visitors, pageviews], [2, 4]);
  const countries = await owner.ask(
    'GET',
    `/sites/${app.siteId}/stats/breakdown/countries?range=${date(TODAY)}~${date(TODAY)}`,
  );
  assert.deepEqual(countries.body.data.rows.map(({ value }: { value: string }) => value).sort(), ['DE', 'US']);

  clock.pass(1);
  await one.look();
  const id = Number(token.split('|')[0]);
  assert.ok(findToken(db, owner.id, id)?.last_used_at, 'the primary shows that it is used');
  assert.equal((await owner.ask('DELETE', `/tokens/${id}`)).status, 204);
  clock.pass(1);
  await one.look();
  assert.equal(await pass({ token }), 401);
  assert.equal((await app.figures()).pageviews, 4);
});

test('what is no collector is told nothing, and cannot start', async (t) => {
  const app = await stage(t);
  for (const token of [undefined, 'wrong', app.owner.token]) {
    const { status, body } = await app.ask('POST', '/collectors/4', { token, body: {} });
    assert.deepEqual([status, body.error.code], [401, 'unauthenticated']);
  }
  const one = await app.collector('one');
  app.lose('one');
  await one.stop();
  const runtime = { clock: app.clock, random: randomBytes, log: () => {} };
  const flags = { primary: one.primary, 'secret-file': join(one.folder, 'one'), outbox: app.outbox('one') };
  const compose = (settings: Settings, stop = new AbortController().signal) =>
    composeCollector(readConfig({ ...flags, ...settings }, {}), runtime, stop);
  await assert.rejects(compose({}), /No collector has this secret/);
  await assert.rejects(compose({ 'secret-file': join(one.folder, 'none') }), /^Error: --secret-file: .*none/);
  const away = { primary: 'http://127.0.0.1:1', outbox: app.outbox('new') };
  assert.equal(await compose(away, AbortSignal.timeout(1)), undefined, 'stopped while it waits for its primary');
  // Without its primary it does not go on with what it knew.
  const gone = { primary: 'http://127.0.0.1:1' };
  assert.equal(await compose(gone, AbortSignal.timeout(1)), undefined);
});

test('a collector that is to retire takes no more, sends what it has, and its number is not given again', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one', { ack: 'disk' });
  assert.equal(await one.view('/a'), undefined);
  const { number = 0 } = findCollector(app.db, 'one') ?? {};
  app.db.write(() => askToRetire(app.db, number));
  await one.look();
  await assert.rejects(one.view('/b'), { code: 'unavailable' });
  await assert.rejects(one.engage('/a', 1), { code: 'unavailable' });
  await one.intake.ship();
  await one.look();
  assert.equal(findCollector(app.db, 'one'), undefined, 'it has said that nothing is left');
  assert.equal((await app.figures()).pageviews, 1);
  assert.deepEqual(app.db.all('SELECT number, name, is_lost FROM retired_collector'), [
    { number, name: 'one', is_lost: 0 },
  ]);
  assert.deepEqual(
    app.db.all('SELECT sum(events) AS events FROM usage'),
    [{ events: 1 }],
    'and it counts for the plan',
  );
  await one.look();
  assert.ok(
    app.log.some((line) => line.includes('does not know this collector') && line.includes('"unsent":"nothing"')),
  );
  await app.collector('two');
  assert.notEqual(findCollector(app.db, 'two')?.number, number);
});

test('a collector that is given up as lost takes and sends no more once it hears of it, and says what is lost', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one', { ack: 'disk' });
  await one.intake.stopSending();
  assert.equal(await one.view('/a'), undefined);
  app.lose('one');
  await one.look();
  assert.ok(app.log.some((line) => line.includes('takes no hits') && line.includes('what was taken since')));
  await assert.rejects(one.view('/b'), { code: 'unavailable' });
  await one.stop();
  assert.equal((await app.figures()).pageviews, 0);
});

test('collectors: one that was retired keeps no salt, whether it runs on or is started again', async (t) => {
  const app = await stage(t);
  const [one, two] = [await app.collector('one'), await app.collector('two')];
  assert.equal(await one.view('/a'), undefined);
  const countSalts = (db: Db) => db.one<{ n: number }>('SELECT count(*) AS n FROM salt')?.n;
  assert.notEqual(countSalts(one.db), 0);
  await two.stop();
  for (const name of ['one', 'two']) app.lose(name);
  await one.look();
  assert.equal(countSalts(one.db), 0);
  await assert.rejects(
    app.collector('other', { 'secret-file': two.secret, outbox: app.outbox('two') }),
    /No collector has/,
  );
  const outbox = openOutbox(app.outbox('two'), 'other');
  assert.equal(countSalts(outbox.db), 0);
  outbox.close();
});

test('a secret together with another outbox is refused', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await assert.rejects(app.collector('one', { outbox: app.outbox('other') }), /another outbox/);
  await one.look();
  assert.equal(await one.view('/a'), undefined);
});

test('an older copy of an outbox is refused before it sends anything twice', async (t) => {
  const app = await stage(t);
  const early = await app.collector('one', { ack: 'disk' });
  await early.intake.stopSending();
  assert.equal(await early.view('/a'), undefined);
  const older = join(early.folder, 'older.db');
  early.db.run('VACUUM INTO ?', older);
  assert.equal(await early.view('/b'), undefined);
  await early.stop();
  const one = await app.collector('one', { ack: 'disk' });
  await one.intake.ship();
  await one.stop();
  assert.equal((await app.figures()).pageviews, 2);
  const copy = app.collector('one', { outbox: older });
  await assert.rejects(
    copy.then(({ intake }) => intake.ship()),
    /an old copy, so some hits would count twice/,
  );
  assert.equal((await app.figures()).pageviews, 2);
  // The latest one goes on.
  const again = await app.collector('one');
  assert.equal(await again.view('/c'), undefined);
  assert.equal((await app.figures()).pageviews, 3);
});

test('collectors: the outbox of another collector, or of a lost one, is refused and sends nothing', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one', { ack: 'disk' });
  await one.intake.stopSending();
  assert.equal(await one.view('/a'), undefined);
  await one.look();
  const copy = join(one.folder, 'copy.db');
  one.db.run('VACUUM INTO ?', copy);
  await one.stop();
  await assert.rejects(app.collector('two', { outbox: copy }), /Another collector uses this outbox/);
  app.lose('one');
  await assert.rejects(app.collector('three', { outbox: app.outbox('one') }), /was retired with --lost/);
  assert.equal((await app.figures()).pageviews, 0);
});

test('collectors: the empty outbox of a lost collector may be used with another secret', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  assert.equal(await one.view('/a'), undefined);
  await one.stop();
  app.lose('one');
  const two = await app.collector('two', { ack: 'disk', outbox: app.outbox('one') });
  await two.intake.stopSending();
  assert.equal(await two.view('/b'), undefined);
  await two.look();
  assert.equal(await two.view('/c'), undefined);
});

test('collectors: a collector that has sent everything and retired leaves an outbox that the next one may use', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  assert.equal(await one.view('/a'), undefined);
  app.db.write(() => askToRetire(app.db, 1));
  await one.look();
  await one.intake.ship();
  await one.look();
  assert.deepEqual(listCollectors(app.db), []);
  await one.stop();
  const two = await app.collector('two', { outbox: app.outbox('one') });
  assert.equal(await two.view('/b'), undefined);
  assert.equal((await app.figures()).pageviews, 2);
});

test('collectors: one that was added after a backup is added again, and sends the hits that wait in its outbox', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one', { ack: 'disk' });
  await one.intake.stopSending();
  assert.equal(await one.view('/a'), undefined);
  // A restored file from before does not know the collector.
  app.db.write(() => app.db.run('DELETE FROM collector'));
  await one.look();
  assert.ok(app.log.some((line) => line.includes('what was taken since')));
  await one.stop();
  const two = await app.collector('two', { outbox: app.outbox('one') });
  await two.intake.ship();
  assert.equal((await app.figures()).pageviews, 1);
});

test('a collector learns another password of the cluster from its primary', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one', { ack: 'disk' });
  const { engine } = findSender(one.db);
  one.db.run("UPDATE sender SET engine = replace(engine, 'clickhouse://', 'clickhouse://default:wrong@'), tag = 'x'");
  await one.intake.turnTo(findReach(one.db));
  assert.equal(await one.view('/a'), undefined);
  await one.look();
  assert.equal(findSender(one.db).engine, engine);
  await one.intake.ship();
  assert.equal((await app.figures()).pageviews, 1);
});
