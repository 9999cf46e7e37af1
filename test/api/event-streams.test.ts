import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { makeEventStreams, type StreamOptions } from '../../src/api/event-streams.ts';
import { removeSessions } from '../../src/store/people/sessions.ts';
import { appendTo, pageview } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { until } from '../support/program.ts';
import { bearer, listening, PACE } from '../support/streams.ts';

/** A cast behind a socket, whose site had a visitor a minute ago. */
async function stage(t: TestContext, streams: StreamOptions = {}, settings = {}) {
  const cast = await startApp(t, settings, { streams: { pace: PACE, ...streams } });
  const { engine, siteId } = cast;
  const see = (visitor: number, page: string, more = {}) =>
    appendTo(engine, [pageview({ siteId, second: 43_140, visitor, page, ...more })]);
  await see(1, '/first', { country: 'DE' });
  return { ...cast, see, path: `/sites/${siteId}/stats/live`, ...(await listening(t, cast)) };
}

test('event streams: a hit is sent to each stream as the JSON that a poll answers', async (t) => {
  const { owner, viewer, path, begin, see, ask } = await stage(t);
  const [one, other] = [await begin(path, bearer(owner)), await begin(path, bearer(viewer))];
  assert.deepEqual(one.events(), [(await ask('GET', `/api/v1${path}`, { token: owner.token })).body]);
  await see(2, '/second');
  const pagesIn = (event: { data: { pages: { value: string }[] } } | undefined) =>
    event?.data.pages.map(({ value }) => value);
  for (const stream of [one, other]) {
    await until('the hit comes', () => pagesIn(stream.events().at(-1))?.includes('/second') ?? false);
    assert.match(stream.text(), /^retry: 3000\n\nevent: live\ndata: /);
    assert.equal(stream.events().length, 2, 'and nothing is sent while nothing changes');
  }
  assert.deepEqual(one.events(), other.events());
  assert.deepEqual(one.events().at(-1), (await ask('GET', `/api/v1${path}`, { token: owner.token })).body);
  const { headers } = one.incoming;
  assert.deepEqual(
    ['content-type', 'x-accel-buffering', 'cache-control', 'content-encoding'].map((name) => headers[name]),
    ['text/event-stream', 'no', 'private, no-store, no-transform', undefined],
  );
  assert.match(String(headers['x-request-id']), /^[0-9A-Za-z]+-[0-9a-z]+$/);
});

test('event streams: filters apply, and what is wrong in them is an error as for a poll', async (t) => {
  const { owner, path, begin, open, see } = await stage(t);
  await see(2, '/second', { country: 'FR' });
  const french = await begin(`${path}?filters[country]=FR&range=7d`, bearer(owner));
  const all = await begin(path, bearer(owner));
  assert.deepEqual([french.events()[0].data.visitors, all.events()[0].data.visitors], [1, 2]);
  await see(3, '/third', { country: 'DE' });
  await until('a German visit comes to all', () => all.events().at(-1).data.visitors === 3);
  assert.equal(french.events().length, 1);
  for (const [search, status] of [
    ['?minutes=60', 422],
    ['?filters[country]=Germany', 422],
  ] as const) {
    const refused = await open(path + search, bearer(owner));
    await until('the error comes', refused.isEnded);
    assert.deepEqual([refused.status, refused.incoming.headers['content-type']], [status, 'application/json']);
    assert.equal(JSON.parse(refused.text()).error.code, 'invalid_request');
  }
});

test('event streams: a share link with a view gets only what the view shows, beside a stream of all', async (t) => {
  const { owner, siteId, path, begin, see } = await stage(t);
  await see(2, '/second', { country: 'FR' });
  const { body } = await owner.ask('POST', `/sites/${siteId}/views`, { name: 'France', query: 'country=FR' });
  const link = await owner.ask('POST', `/sites/${siteId}/shares`, { name: 'France', view_id: body.data.id });
  const all = await begin(path, bearer(owner));
  const part = await begin(path, { authorization: `Share ${link.body.data.url.split('/').at(-1)}` });
  assert.deepEqual([part.events()[0].data.visitors, all.events()[0].data.visitors], [1, 2]);
  await owner.ask('DELETE', `/sites/${siteId}/views/${body.data.id}`);
  await until('the stream ends with the view', part.isEnded);
});

test('event streams: they are for all who may see the report, and for clients that want nothing else', async (t) => {
  const { owner, manager, viewer, stranger, siteId, path, begin, open, share, signIn } = await stage(t);
  const allowed = [
    ...[owner, manager, viewer].map(bearer),
    { cookie: await signIn(viewer) },
    { authorization: `Share ${await share(owner, siteId)}` },
    { ...bearer(owner), accept: 'text/event-stream, */*' },
  ];
  for (const headers of allowed) assert.equal((await begin(path, headers)).events()[0].data.visitors, 1);
  assert.equal((await open(path, bearer(stranger))).status, 404);
  assert.equal((await open(path, {})).status, 401);
  for (const accept of ['*/*', 'application/json, text/event-stream', 'text/event-stream;q=0']) {
    const plain = await open(path, { ...bearer(owner), accept });
    assert.equal(plain.incoming.headers['content-type'], 'application/json', accept);
  }
  const other = await open(`/sites/${siteId}/stats/overview?range=7d`, bearer(owner));
  assert.equal(other.incoming.headers['content-type'], 'application/json');
});

test('event streams: a lost right ends a stream, and no other one', async (t) => {
  const { db, owner, manager, viewer, siteId, path, begin, open, ask, share, signIn, tokenOf } = await stage(t);
  const slug = await share(owner, siteId);
  const token = tokenOf(owner, ['read']);
  const doomed = await Promise.all([
    begin(path, { cookie: await signIn(manager) }),
    begin(path, bearer({ token })),
    begin(path, { authorization: `Share ${slug}` }),
    begin(path, bearer(viewer)),
  ]);
  const kept = await begin(path, bearer(owner));
  const lose = async (method: string, place: string, body?: unknown) =>
    assert.ok((await ask(method, `/api/v1${place}`, { token: owner.token, body })).status < 300, place);
  removeSessions(db, manager.id);
  await lose('DELETE', `/tokens/${token.split('|')[0]}`);
  await lose('PATCH', `/sites/${siteId}`, { shared: false });
  const members = (await owner.ask('GET', '/team')).body.data.members as { id: number; email: string }[];
  await lose('DELETE', `/team/${members.find(({ email }) => email === viewer.email)?.id}`);
  await until('their streams end', () => doomed.every((one) => one.isEnded()));
  assert.equal(kept.isEnded(), false);
  assert.equal((await open(path, { authorization: `Share ${slug}` })).status, 401);

  await lose('DELETE', `/sites/${siteId}`);
  await until('the stream of the deleted site ends', kept.isEnded);
});

test('event streams: a blocked account ends them', async (t) => {
  const { db, owner, viewer, path, begin } = await stage(t);
  const streams = [await begin(path, bearer(owner)), await begin(path, bearer(viewer))];
  db.run('UPDATE account SET plan_id = NULL');
  await until('both end', () => streams.every((one) => one.isEnded()));
});

test('event streams: each caller has a limit, and so has the server', async (t) => {
  const room = { caller: 2, user: 9, link: 3, server: 6 };
  const { owner, viewer, manager, siteId, path, begin, open, share } = await stage(
    t,
    { room },
    { 'trusted-proxies': '127.0.0.1' },
  );
  const slug = await share(owner, siteId);
  const link = (address: string) => ({ authorization: `Share ${slug}`, 'x-forwarded-for': address });
  const first = await begin(path, bearer(owner));
  await begin(path, bearer(owner));
  const full = await open(path, bearer(owner));
  await until('the refusal comes', full.isEnded);
  assert.deepEqual([full.status, full.incoming.headers['retry-after']], [429, '60']);
  const { code, message, message_code } = JSON.parse(full.text()).error;
  assert.deepEqual([code, message_code], ['rate_limited', { code: 'most_streams', values: { most: 2 } }]);
  assert.match(message, /At most 2 event streams .* without Accept/);
  for (const address of ['198.51.100.1', '198.51.100.1', '198.51.100.2']) await begin(path, link(address));
  assert.equal((await open(path, link('198.51.100.1'))).status, 429);
  assert.equal((await open(path, link('198.51.100.3'))).status, 503, 'the link is full');
  await begin(path, bearer(viewer));
  assert.equal((await open(path, bearer(manager))).status, 503, 'the server is full');
  first.close();
  await until('the place is free again', async () => (await open(path, bearer(manager))).status === 200);
});

test('event streams: a user with many tokens does not take the places of others', async (t) => {
  const room = { caller: 2, user: 3, link: 9, server: 9 };
  const { owner, viewer, path, begin, open, tokenOf } = await stage(t, { room });
  const other = { token: tokenOf(owner, ['read']) };
  for (const token of [owner, owner, other]) await begin(path, bearer(token));
  const { status, isEnded, text } = await open(path, bearer(other));
  assert.equal(status, 429);
  await until('the refusal comes', isEnded);
  assert.deepEqual(JSON.parse(text()).error.message_code, { code: 'most_streams', values: { most: 3 } });
  await begin(path, bearer(viewer));
});

test('event streams: a report is computed once for all streams, and not at all without one', async (t) => {
  const { owner, viewer, manager, path, begin, ask } = await stage(t);
  const countQueries = async () => {
    const { text } = await ask('GET', '/metrics', { token: 'token-for-metrics' });
    return {
      queries: Number(/^daybook_questions_total\{outcome="answered"\} (\d+)/m.exec(text)?.[1] ?? 0),
      open: Number(/^daybook_event_streams (\d+)/m.exec(text)?.[1]),
    };
  };
  const before = await countQueries();
  const streams = await Promise.all([owner, viewer, manager].map((one) => begin(path, bearer(one))));
  assert.equal((await countQueries()).open, 3);
  await until('it is computed again and again', async () => (await countQueries()).queries > before.queries + 5);
  assert.ok(streams.every((one) => one.events().length === 1));
  for (const one of streams) one.close();
  await until('they are closed', async () => (await countQueries()).open === 0);
  const after = await countQueries();
  await new Promise((resolve) => setTimeout(resolve, 5 * PACE.every));
  assert.deepEqual(await countQueries(), after);
});

test('event streams: a silent one has a heartbeat, and an old one ends', async (t) => {
  const { owner, path, begin, clock } = await stage(t);
  const one = await begin(path, bearer(owner));
  clock.pass(20);
  await until('a comment comes', () => one.text().includes('\n\n:\n\n'));
  clock.pass(3_600);
  await until('it ends', one.isEnded);
});

type Compute = (topic: string, outgoing: ServerResponse) => unknown;

/**
 * A server whose paths are streams, each with a topic of its own. The length of the path is the site. Returns the
 * function that opens a stream.
 */
async function serveStreams(t: TestContext, compute: Compute): Promise<(topic: string) => Promise<IncomingMessage>> {
  const streams = makeEventStreams({ now: () => 0, tick: () => 0 }, { pace: { ...PACE, every: 5 } });
  const server = createServer(({ url: topic = '' }, outgoing) => {
    const admit = () => () => compute(topic, outgoing);
    const siteId = topic.length;
    void streams.open({ event: 'live', topic, siteId, outgoing, headers: {}, counts: [], admit });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    streams.end();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return async (topic) => {
    const asking = request({ port, host: '127.0.0.1', path: topic, agent: false }).end();
    const [incoming] = (await once(asking, 'response')) as [IncomingMessage];
    return incoming.on('error', () => {});
  };
}

test('event streams: a client that does not read gets the newest state later, and fills no memory', async (t) => {
  const MOST = 40;
  let computed = 0;
  let most = 0;
  const open = await serveStreams(t, (_, outgoing) => {
    most = Math.max(most, outgoing.writableLength);
    computed = Math.min(computed + 1, MOST);
    return { text: String(computed).padEnd(1_000_000, '.') };
  });
  const incoming = await open('/');
  await until('many states were computed', () => computed === MOST);
  let text = '';
  incoming.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  await until('the newest state comes', () => new RegExp(`"text":"${MOST}[.]+"}}\\n\\n$`).test(text));
  const states = [...text.matchAll(/"text":"(\d+)/g)].map(([, number]) => Number(number));
  assert.ok(states.length < MOST, `${states.length} states came`);
  assert.deepEqual(
    states,
    [...new Set(states)].sort((one, other) => one - other),
  );
  assert.ok(most < 1_100_000, `${most} bytes waited`);
});

test('event streams: reports of several sites are computed one after another, and a failure ends only its own', async (t) => {
  const counts = new Map<string, number>();
  let [underWay, most] = [0, 0];
  const open = await serveStreams(t, async (topic) => {
    const count = (counts.get(topic) ?? 0) + 1;
    counts.set(topic, count);
    // The first computation answers the request, and waits for no other one.
    if (count > 1) most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (count > 1) underWay--;
    if (topic === '/fails' && count === 5) throw new Error('this report fails');
    return { count };
  });
  const topics = ['/a', '/b', '/fails'];
  const ended: string[] = [];
  for (const topic of topics) {
    (await open(topic)).resume().on('end', () => ended.push(topic));
  }
  await until('all are computed', () =>
    topics.every((topic) => (counts.get(topic) ?? 0) > (topic === '/fails' ? 4 : 9)),
  );
  assert.equal(most, 1);
  assert.deepEqual(ended, ['/fails']);
});

test('event streams: many reports of one site do not delay the report of another site', async (t) => {
  let [ofOne, ofOther] = [0, 0];
  const open = await serveStreams(t, async (topic) => {
    if (topic === '/other') ofOther++;
    else ofOne++;
    await new Promise((resolve) => setTimeout(resolve, 2));
    return { ofOne, ofOther };
  });
  for (let i = 10; i < 50; i++) (await open(`/${i}`)).resume();
  (await open('/other')).resume();
  const before = { ofOne, ofOther };
  await until('the other is computed often', () => ofOther >= before.ofOther + 10);
  const between = (ofOne - before.ofOne) / (ofOther - before.ofOther);
  assert.ok(between < 20, `${between} reports of one site for each report of the other`);
});

test('event streams: a stop ends them at once and in good order, and refuses new ones', async (t) => {
  const { owner, viewer, path, begin, stop, app } = await stage(t);
  const streams = [await begin(path, bearer(owner)), await begin(path, bearer(viewer))];
  const stopped = stop();
  await until('they end', () => streams.every((one) => one.isEnded()));
  await stopped;
  const late = await app.hono.request(
    `/api/v1${path}`,
    {
      headers: { ...bearer(owner), accept: 'text/event-stream' },
    },
    { incoming: { headers: { ...bearer(owner), accept: 'text/event-stream' }, socket: {} } } as never,
  );
  assert.equal(late.status, 503);
});
