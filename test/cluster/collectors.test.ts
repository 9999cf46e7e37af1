import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { composeCollector } from '../../src/compose-collector.ts';
import { readConfig } from '../../src/config.ts';
import { hashOf } from '../../src/lib/secrets.ts';
import { DAY, HOUR } from '../../src/lib/time.ts';
import { type Listening, listen } from '../../src/server.ts';
import { addCollector, findCollector, listCollectors, removeCollector } from '../../src/store/collectors.ts';
import { bytesBeside } from '../collect/collecting.ts';
import { AMERICAN, CHROME, GERMAN, GPTBOT, TODAY } from '../collect/stage.ts';
import { folder, startApp } from '../helpers.ts';
import { date } from '../stats/days.ts';

type Settings = Record<string, string>;

/** A primary that listens, on the tests' cluster, and collectors of it in this process, on its clock. */
async function stage(t: TestContext) {
  const app = await startApp(t);
  const place = { host: '127.0.0.1', port: 0 };
  let primary: Listening | undefined;
  const open = async () => {
    primary = await listen(place, randomBytes, () => app.app);
    place.port = primary.port;
  };
  const close = async () => {
    await primary?.stop();
    primary = undefined;
  };
  await open();
  t.after(close);
  const at = folder(t);
  const log: string[] = [];

  /** A collector with a secret of its own, which goes on with the outbox of that name. */
  async function collector(name: string, settings: Settings = {}) {
    const secret = join(at, name);
    if (!findCollector(app.db, name)) {
      const text = randomBytes(20).toString('hex');
      writeFileSync(secret, text);
      app.db.write(() => addCollector(app.db, { name, hash: hashOf(text), now: 0 }));
    }
    const flags = { primary: `http://127.0.0.1:${place.port}`, 'secret-file': secret, outbox: join(at, `${name}.db`) };
    const runtime = { clock: app.clock, random: randomBytes, log: (line: string) => log.push(line) };
    const own = await composeCollector(
      readConfig({ ...flags, ack: 'replicas', ...settings }, {}),
      runtime,
      new AbortController().signal,
    );
    assert.ok(own);
    let stopped: Promise<void> | undefined;
    const stop = () => {
      stopped ??= own.stop();
      return stopped;
    };
    t.after(stop);
    const url = (path: string) => new URL(`https://example.com${path}`);
    const sender = { address: GERMAN, agent: CHROME };
    return {
      ...own,
      ...{ stop, primary: flags.primary, folder: at },
      view: (path: string, site = 'example.com', from = sender) =>
        own.collector.take({ site, url: url(path) }, from, false),
      engage: (path: string, engaged: number) =>
        own.collector.engage({ site: 'example.com', url: url(path), engaged: engaged * 1000 }, sender),
    };
  }

  const { owner, siteId } = app;
  return {
    ...app,
    ...{ open, close, collector, log, outbox: (name: string) => join(at, `${name}.db`) },
    figures: async (day = TODAY) =>
      (await owner.ask('GET', `/sites/${siteId}/stats/overview?range=${date(day)}~${date(day)}`)).body.data,
    stateOf: async (day: number) => {
      const { body } = await owner.ask('GET', `/sites/${siteId}/stats/days?range=${date(day)}~${date(day)}`);
      return body.data.days[0]?.state;
    },
  };
}

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
  assert.equal(await two.engage('/a', 30), undefined);
  app.clock.pass(10);
  assert.equal(await one.engage('/a', 10), undefined);
  app.clock.pass(5);
  assert.equal(await two.engage('/a', 1_000), undefined);
  const { owner, siteId } = app;
  const { body } = await owner.ask(
    'GET',
    `/sites/${siteId}/stats/breakdown/pages?range=${date(TODAY)}~${date(TODAY)}&metrics=time_on_page`,
  );
  // 30, 10, and of the last one 5 and a second for rounding.
  assert.equal(body.data.rows[0].time_on_page, 46, JSON.stringify(body));
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
    app.log.some((line) => line.includes('the primary is away')),
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
  const night = await app.engine.seal();
  assert.deepEqual([night.days, night.failed.length], [0, 1]);
  assert.match(night.failed[0]?.reason ?? '', /^the collector two said at 2026-03-10T12:00:00Z /);
  assert.equal(await app.stateOf(TODAY), 'open');
  await two.look();
  assert.deepEqual(await app.engine.seal(), { days: 1, failed: [] });
  assert.equal(await app.stateOf(TODAY), 'sealed');
  assert.equal((await app.figures()).visitors, 1);

  await one.view('/c');
  app.clock.pass(DAY);
  await one.look();
  await two.stop();
  app.clock.pass(DAY);
  await one.look();
  assert.equal(
    (await app.engine.seal()).failed.length,
    0,
    'at its stop it has said that it sent everything until then',
  );
  app.clock.pass(DAY);
  await one.view('/d');
  app.clock.pass(DAY);
  await one.look();
  assert.equal((await app.engine.seal()).failed.length, 1);
  app.db.write(() => removeCollector(app.db, findCollector(app.db, 'two')?.number ?? 0));
  assert.deepEqual(await app.engine.seal(), { days: 1, failed: [] });
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

test('what is no collector is told nothing, and a retired one is refused at its next start', async (t) => {
  const app = await stage(t);
  for (const token of [undefined, 'wrong', app.owner.token]) {
    const { status, body } = await app.ask('POST', '/collectors/1', { token, body: {} });
    assert.deepEqual([status, body.error.code], [401, 'unauthenticated']);
  }
  const one = await app.collector('one');
  app.db.write(() => removeCollector(app.db, findCollector(app.db, 'one')?.number ?? 0));
  await one.look();
  assert.ok(
    app.log.some((line) => line.includes('the primary refuses this collector')),
    'it goes on: nothing is lost by a mistake',
  );
  assert.equal(await one.view('/a'), undefined);
  await one.stop();
  const runtime = { clock: app.clock, random: randomBytes, log: () => {} };
  const flags = { primary: one.primary, 'secret-file': join(one.folder, 'one'), outbox: app.outbox('one') };
  const compose = (settings: Settings, stop = new AbortController().signal) =>
    composeCollector(readConfig({ ...flags, ...settings }, {}), runtime, stop);
  await assert.rejects(compose({}), /does not know the secret of this collector/);
  await assert.rejects(compose({ 'secret-file': join(one.folder, 'none') }), /^Error: --secret-file: .*none/);
  const away = { primary: 'http://127.0.0.1:1', outbox: app.outbox('new') };
  assert.equal(await compose(away, AbortSignal.timeout(1)), undefined, 'stopped while it waits for its primary');
});

test('no salt of a day that is over, and no code of a day that was sealed, is left in the files of a collector', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  await one.view('/a');
  const salts = one.db.all<{ bytes: Buffer; day: number }>('SELECT day, bytes FROM salt WHERE site_id = 1');
  assert.deepEqual(salts.map(({ day }) => day).sort(), [TODAY, TODAY + 1]);
  const isThere = ({ bytes }: { bytes: Buffer }) => bytesBeside(app.outbox('one')).includes(bytes);
  assert.ok(salts.every(isThere));
  app.clock.pass(DAY);
  await one.look();
  one.everyMinute();
  assert.deepEqual(
    salts.map((salt) => isThere(salt)),
    salts.map(({ day }) => day > TODAY),
  );
  const [{ status } = {}] = listCollectors(app.db);
  assert.ok(status && status.until > TODAY * DAY + DAY);
});

/** What is read, or nothing where ClickHouse has deleted it meanwhile. */
function unlessGone<Read>(read: () => Read[]): Read[] {
  try {
    return read();
  } catch {
    return [];
  }
}

/** Every file in a folder, and in the folders in it. */
const filesIn = (at: string): Buffer[] =>
  unlessGone(() => readdirSync(at, { withFileTypes: true })).flatMap((entry) => {
    const path = join(at, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return entry.isFile() ? unlessGone(() => [readFileSync(path)]) : [];
  });

const bytesIn = (folders: readonly string[]): Buffer => Buffer.concat(folders.flatMap(filesIn));

/** A code as it is in a column of ClickHouse, and in a line on its way there. */
function writtenAs(code: bigint): Buffer[] {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(code);
  return [bytes, Buffer.from(String(code))];
}

test('nothing that names a visitor is in any file of any server, outbox or log once the day is sealed', async (t) => {
  const app = await stage(t);
  const one = await app.collector('one');
  const sender = { address: '203.0.113.77', agent: `${CHROME} handset-mark/1.0` };
  const server = process.env.TEST_CLUSTER?.split(',') ?? [];
  const [, database = ''] = /\/(\w+)\?/.exec(app.config.engine ?? '') ?? [];
  const rowsOf = async (sql: string): Promise<string[]> => {
    const asked = server.map((host) => fetch(`http://${host}/`, { method: 'POST', body: sql }));
    const texts = await Promise.all((await Promise.all(asked)).map((answer) => answer.text()));
    return texts.flatMap((text) => text.split('\n').filter((line) => line !== ''));
  };
  for (let visitor = 0; visitor < 20; visitor++)
    await one.view('/a', 'example.com', { ...sender, address: `203.0.113.${100 + visitor}` });
  const headers = { 'user-agent': sender.agent, 'accept-language': 'de' };
  const body = { site: 'example.com', url: 'https://example.com/b' };
  const view = async () => assert.equal((await app.ask('POST', '/day', { body, headers })).status, 202);
  await view();

  const codes = new Set(await rowsOf(`SELECT DISTINCT visitor FROM ${database}.activity`));
  assert.equal(codes.size, 21);
  const salts = app.db.all<{ bytes: Buffer }>('SELECT bytes FROM salt WHERE day = ?', TODAY);
  const places = [process.env.TEST_CLUSTER_FOLDER ?? '', dirname(app.config.db), dirname(app.outbox('one'))];
  const secrets = [
    ...[...codes].flatMap((code) => writtenAs(BigInt(code))),
    ...salts.flatMap(({ bytes }) => [
      bytes,
      Buffer.from(bytes.toString('hex')),
      Buffer.from(bytes.toString('hex').toUpperCase()),
    ]),
  ];
  const left = () => {
    const all = bytesIn(places);
    return secrets.filter((secret) => all.includes(secret)).length;
  };
  assert.ok(left() > codes.size, 'while the day is open, its codes and salts are somewhere');
  const never = [sender.agent, 'handset-mark', '203.0.113.1'].map((text) => Buffer.from(text));
  const all = Buffer.concat([bytesIn(places), Buffer.from(JSON.stringify([app.log]))]);
  assert.deepEqual(
    never.filter((text) => all.includes(text)),
    [],
    'addresses and agents are nowhere at any time',
  );

  app.clock.pass(DAY);
  await view();
  await one.look();
  one.everyMinute();
  assert.equal(await app.seal(), 1);
  // Questions that began before may go on for a while.
  app.clock.pass(61);
  await one.look();
  one.everyMinute();
  await app.seal();
  // ClickHouse deletes files a while after it has put others in their place.
  for (; left() > 0; await pause(200)) app.everyMinute();
});
