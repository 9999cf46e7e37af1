import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { Hono } from 'hono';
import { findLowestNumber } from '../../src/cluster/servers/row-numbers.ts';
import { rememberRequests } from '../../src/collect/last-requests.ts';
import { type CollectorReport, PATH } from '../../src/collectors/messages.ts';
import { mountCollectors } from '../../src/collectors/mount.ts';
import { answerProblem, findProblem } from '../../src/lib/http/answer.ts';
import type { Env } from '../../src/lib/http/paths.ts';
import { hashSecret } from '../../src/lib/secrets.ts';
import { DAY, HOUR, iso } from '../../src/lib/time.ts';
import { setServers } from '../../src/store/cluster/cluster-servers.ts';
import { addCollector, findCollector, retireCollector } from '../../src/store/cluster/collectors.ts';
import { MOST_SKEW } from '../../src/store/cluster/sender-status.ts';
import { findStanding } from '../../src/store/people/accounts.ts';
import { addToken, findToken } from '../../src/store/people/tokens.ts';
import { listAllOutages } from '../../src/store/server/outages.ts';
import { fileOf } from '../collect/stage.ts';
import { answerOf, requestOf } from '../support/requests.ts';

/** 2026-03-10T12:00:00Z */
const NOON = 1_773_144_000;
const SECRET = 'a secret that was stolen'.replaceAll(' ', '-');

/** A primary without a cluster, and one collector, whose secret anybody may have. */
function stage(t: TestContext) {
  const { db } = fileOf(t).open();
  db.write(() => addCollector(db, { name: 'one', hash: hashSecret(SECRET), now: NOON - DAY }));
  let [now, tick] = [NOON, 0];
  const clock = { now: () => now * 1000, tick: () => tick * 1000 };
  const log: string[] = [];
  const last = rememberRequests();
  const app = new Hono<Env>();
  app.onError((error) => answerProblem(findProblem(error)));
  const collector = { noteRequest: last.note };
  mountCollectors(app, {
    db,
    engine: 'clickhouse://x',
    collector,
    clock,
    random: randomBytes,
    log: (line) => log.push(line),
  });
  type Changes = Omit<Partial<CollectorReport>, 'status'> & { status?: Partial<CollectorReport['status']> };
  return {
    ...{ db, log, last },
    pass(seconds: number): void {
      now += seconds;
      tick += seconds;
    },
    async tell(changes: Changes | object = {}, token = SECRET) {
      const { status, ...more } = changes as Changes;
      const told = { version: '1', run: 'a', now, next: 0, until: now, parcelAt: null, bytes: 0, behind: [] };
      const body: CollectorReport = {
        ...{ outbox: 'box', taken: [], outages: [], seen: [], tokens: [], isDrained: false, tag: '', ...more },
        status: { ...told, servers: [], cuts: [], visitors: null, closed: null, ...status },
      };
      const { request, bindings } = requestOf({ token, body });
      return answerOf(await app.request(PATH, { method: 'POST', ...request }, bindings));
    },
    used: () => findStanding(db, 1, NOON).eventsUsed,
    status: () => findCollector(db, 'one')?.status,
  };
}

const taken = (hits: number, more: object = {}) => ({ taken: [{ siteId: 1, month: '2026-03', hits, ...more }] });

test('a collector counts at most the hits that it can have taken since it was heard', async (t) => {
  const { tell, used, pass, log } = stage(t);
  assert.equal((await tell(taken(1_000))).status, 200);
  pass(1);
  await tell(taken(3_000));
  assert.equal(used(), 3_000);
  pass(1);
  await tell(taken(1e15));
  const most = used();
  assert.ok(most > 3_000 && most < 86_400 * 50_000 * 1.1, `${most}`);
  assert.equal(log.filter((line) => line.includes('more hits than it can have received')).length, 1);
  pass(10);
  await tell(taken(1e15));
  assert.ok(used() - most <= 10 * 50_000, 'the rest does not wait');
  const before = used();
  await tell(taken(1e15));
  assert.equal(used(), before);
});

test('a collector may report exactly as many hits as the limit allows', async (t) => {
  const { tell, used, log } = stage(t);
  await tell(taken(1e15));
  const most = used();
  assert.equal(log.length, 1);
  const other = stage(t);
  await other.tell(taken(most));
  await other.tell({});
  assert.equal(other.used(), most);
  assert.deepEqual(other.log, []);
});

test('what a collector took of unknown sites, and in months that cannot be, counts for nobody', async (t) => {
  const { tell, used, db } = stage(t);
  for (const more of [{ siteId: 99 }, { month: '2026-04' }, { month: '2026-01' }, { month: '2019-01' }])
    assert.equal((await tell(taken(5, more))).status, 200);
  assert.equal(used(), 0);
  assert.deepEqual(db.all('SELECT * FROM collected'), []);
});

test('a secret has one outbox: another name counts nothing, and is refused until the collector is retired', async (t) => {
  const { tell, used, db } = stage(t);
  await tell(taken(5));
  for (const outbox of ['other', 'box2']) {
    const { status, body } = await tell({ outbox, ...taken(5) });
    assert.deepEqual([status, body.error.code], [401, 'unauthenticated']);
    assert.match(body.error.message, /another outbox/);
  }
  assert.equal(used(), 5);
  const one = findCollector(db, 'one');
  assert.ok(one);
  db.write(() => retireCollector(db, one, { now: NOON, isLost: true }));
  assert.equal((await tell({})).status, 401);
});

test('an outage is told of the last days only, is no longer than they, and there is an end of them', async (t) => {
  const { tell, db, pass } = stage(t);
  const outages = [
    { from: 0, to: 4_102_444_800, reason: 'down' },
    { from: NOON - 400 * DAY, to: NOON - 399 * DAY, reason: 'down' },
    { from: NOON + HOUR, to: NOON + DAY, reason: 'refused' },
    { from: NOON - HOUR, to: NOON - 61, reason: 'refused' },
    { from: NOON - 59, to: NOON, reason: 'refused' },
  ];
  assert.equal((await tell({ outages })).status, 200);
  assert.deepEqual(
    listAllOutages(db).map(({ id, ...outage }) => outage),
    [
      { from: NOON - 10 * DAY, to: NOON, reason: 'down' },
      { from: NOON - HOUR, to: NOON - 61, reason: 'refused' },
    ],
  );
  for (let n = 0; n < 12; n++) {
    const made = Array.from({ length: 100 }, (_, i) => ({
      from: NOON - HOUR - n * 100 - i,
      to: NOON - 60,
      reason: 'refused',
    }));
    await tell({ outages: made });
    pass(1);
  }
  assert.ok(listAllOutages(db).length <= 1_000);
});

test('what browsers sent last is believed for known sites and of the last day, and never makes an answer fail', async (t) => {
  const { tell, last } = stage(t);
  const seen = [
    { siteId: 1, at: 253_402_300_799, host: 'x' },
    { siteId: 1, at: NOON - 2 * DAY, host: 'x' },
    { siteId: 77, at: NOON, host: 'x' },
    { siteId: 2, at: NOON + 20, dropped: 'foreign-host', host: 'y' },
  ];
  assert.equal((await tell({ seen })).status, 200);
  assert.deepEqual([last.of(1), last.of(77)], [undefined, undefined]);
  assert.equal(iso(last.of(2)?.at ?? 0), iso(NOON));
  for (const odd of [
    { at: 9e15 },
    { at: -1 },
    { dropped: 'made up' },
    { host: 'x'.repeat(301) },
    { host: '\u001b[2J' },
  ])
    assert.equal((await tell({ seen: [{ siteId: 1, at: NOON, host: 'x', ...odd }] })).status, 422, JSON.stringify(odd));
});

test('the last requests of sites are bounded in number and size', () => {
  const last = rememberRequests(3);
  for (const siteId of [1, 2, 3, 1, 4]) last.note({ siteId, at: NOON, host: 'x'.repeat(8_000) });
  assert.deepEqual(
    last.since(NOON).map(({ siteId, host }) => [siteId, host.length]),
    [
      [3, 253],
      [1, 253],
      [4, 253],
    ],
  );
});

test('a collector that says it has sent nothing for ever holds no day of before', async (t) => {
  const { tell, status, pass } = stage(t);
  await tell({ status: { until: 0, next: 5 } });
  assert.deepEqual([status()?.until, status()?.next], [NOON - DAY, 5], 'it did not exist before');
  await tell({ status: { until: NOON, next: 9 } });
  await tell({ status: { until: 0, next: 0 } });
  assert.deepEqual([status()?.until, status()?.next], [NOON, 9]);
  await tell({ status: { until: 253_402_300_799 } });
  assert.equal(status()?.until, NOON + 30, 'nor is it ahead of the primary');
  pass(HOUR);
  await tell({ status: { until: NOON + HOUR } });
  assert.equal(status()?.until, NOON + HOUR);
  assert.equal((await tell({ status: { now: 9e15 } })).status, 422);
  assert.equal((await tell({ status: { version: '\u001b]0;x\u0007' } })).status, 422);
});

test('long lists and large bodies are refused, and so are more than a few reports a second', async (t) => {
  const { tell, pass } = stage(t);
  const many = (count: number) => ({
    taken: Array.from({ length: count }, () => ({ siteId: 1, month: '2026-03', hits: 1 })),
  });
  assert.equal((await tell(many(1_000))).status, 200);
  assert.equal((await tell(many(1_001))).status, 422);
  assert.equal((await tell(many(30_000))).status, 413);
  const statuses: number[] = [];
  for (let n = 0; n < 60; n++) statuses.push((await tell()).status);
  assert.equal(statuses.filter((one) => one === 200).length, 37, 'of 40 in 10 seconds');
  const { status, headers } = await tell();
  assert.deepEqual([status, headers.get('retry-after')], [429, '10']);
  assert.equal((await tell({}, 'none')).status, 401);
  pass(10);
  assert.equal((await tell()).status, 200);
});

test('a collector speaks of servers that the primary knows only, and of each once', async (t) => {
  const { tell, status, db, pass } = stage(t);
  const [one, two] = ['http://one/', 'http://two/'];
  db.write(() =>
    setServers(
      db,
      [one, two].map((url, replica) => ({ url, shard: 0, replica })),
    ),
  );
  const next = findLowestNumber(NOON * 1000);
  const seqs = { activity: 1, crawled: 1, dropped: 1 };
  const all = [one, 'http://other/', one, two];
  const told = {
    servers: all.map((url) => ({ url, next, until: NOON })),
    cuts: all.map((url) => ({ url, fill: 1, seqs })),
    behind: all,
  };
  assert.equal((await tell({ status: told })).status, 200);
  const { servers, cuts, behind } = status() ?? assert.fail();
  for (const urls of [servers.map(({ url }) => url), cuts.map(({ url }) => url), behind])
    assert.deepEqual(urls, [one, two]);
  // Days would seem to be over of which no row may be sealed, and nobody would be named.
  pass(1);
  await tell({ status: { servers: [] } });
  await tell({ status: { servers: [{ url: one, next: 0, until: NOON }] } });
  assert.deepEqual(status()?.servers, [{ url: one, next: 0, until: 0 }]);
});

test('what a collector reports of tokens only moves their last use on, and never past now', async (t) => {
  const { tell, db, pass } = stage(t);
  const { id: userId = 0 } = db.one<{ id: number }>('SELECT id FROM user') ?? {};
  const { id } = db.write(() => addToken(db, { userId, name: 'shop', abilities: ['collect'], secret: 'x', now: NOON }));
  const use = () => findToken(db, userId, id)?.last_used_at;
  const report = async (at: number, token = id) => {
    assert.equal((await tell({ tokens: [{ id: token, at }] })).status, 200);
    return use();
  };
  assert.equal(await report(NOON - 5, 99), null, 'an unknown token');
  assert.equal(await report(NOON - 5), NOON - 5);
  assert.equal(await report(NOON - 50), NOON - 5);
  assert.equal(await report(NOON + 50), NOON);
  pass(60);
  assert.equal(await report(NOON + 50), NOON + 50);
});

test('a collector searches for salts now at the latest, and each place once', async (t) => {
  const { tell, status } = stage(t);
  const outbox = { place: 'outbox' as const, bytes: 1_000, isFound: false };
  const search = { at: NOON - HOUR, salts: 1, found: 0, places: [outbox] };
  assert.equal((await tell({ status: { search } })).status, 200);
  assert.deepEqual(status()?.search, search);
  await tell({ status: { search: { ...search, at: Date.UTC(9999) / 1000 } } });
  assert.equal(status()?.search?.at, NOON + MOST_SKEW);
  assert.equal((await tell({ status: { search: { ...search, places: [outbox, outbox] } } })).status, 422);
  await tell();
  assert.equal(status()?.search, undefined);
});
