import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/lib/time.ts';
import { FIREFOX, startApp } from '../support/helpers.ts';

const OWN = '127.0.0.1';

test('blocks: of an IP address only a hash is kept, and the list says whether it is yours', async (t) => {
  const { owner, siteId, db } = await startApp(t);
  const path = `/sites/${siteId}/blocks`;
  const mine = await owner.ask('POST', path, { kind: 'address', mine: true, note: 'Office' });
  const other = await owner.ask('POST', path, { kind: 'address', value: '192.0.2.7' });
  const shown = ({ value, mine, note }: Record<string, unknown>) => ({ value, mine, note });
  assert.deepEqual(shown(mine.body.data), { value: null, mine: true, note: 'Office' });
  assert.deepEqual(shown(other.body.data), { value: null, mine: false, note: '' });
  const { body } = await owner.ask('GET', path);
  assert.deepEqual(body.data.map(shown), [shown(mine.body.data), shown(other.body.data)]);
  await owner.ask('DELETE', `${path}/${other.body.data.id}`);
  const [entry] = (await owner.ask('GET', '/account/log')).body.data;
  assert.deepEqual([entry.action, entry.noun, entry.name], ['remove', 'blocks', 'address']);
  const stored = JSON.stringify([db.all('SELECT * FROM block'), db.all('SELECT * FROM audit_entry')]);
  assert.ok(!stored.includes('192.0.2.7') && !stored.includes(OWN), stored);
});

test('blocks: the same block is kept once, with its last note', async (t) => {
  const { owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}/blocks`;
  const body = { kind: 'source', value: 'Spam.example' };
  const first = await owner.ask('POST', path, { ...body, note: 'a' });
  const second = await owner.ask('POST', path, { ...body, value: 'spam.example', note: 'b' });
  assert.equal(second.body.data.id, first.body.data.id);
  assert.deepEqual(
    (await owner.ask('GET', path)).body.data.map(({ note }: { note: string }) => note),
    ['b'],
  );
});

test('blocks: a host or page has the form in which hits have it', async (t) => {
  const { owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}`;
  const HITS: [kind: string, value: string, hit: object][] = [
    ['source', 'www.Spam.example', { referrer: 'https://www.spam.example/a' }],
    ['source', 'Münch.example', { referrer: 'https://münch.example/a' }],
    ['hostname', 'Bücher.example.com', { url: 'https://bücher.example.com/a' }],
    ['page', '/a/', { url: 'https://example.com/a/' }],
  ];
  for (const [kind, value, hit] of HITS) {
    const { body } = await owner.ask('POST', `${path}/blocks`, { kind, value });
    const sent = await owner.ask('POST', `${path}/hits`, [
      { ip: '198.51.100.7', agent: FIREFOX, url: 'https://example.com/z', ...hit },
    ]);
    assert.deepEqual(sent.body.data, { accepted: 0, dropped: 1 }, value);
    await owner.ask('DELETE', `${path}/blocks/${body.data.id}`);
  }
});

test('blocks: behind a proxy that is not trusted, nobody can block the IP address of all', async (t) => {
  const askVia = async (proxies: string) => {
    const app = await startApp(t, { 'trusted-proxies': proxies });
    const body = { kind: 'address', mine: true };
    const headers = { 'X-Forwarded-For': '198.51.100.7' };
    const sent = { token: app.owner.token, body, headers, address: '192.0.2.1' };
    return app.ask('POST', `/api/v1/sites/${app.siteId}/blocks`, sent);
  };
  const { status, body } = await askVia('');
  assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['mine']]);
  assert.equal((await askVia('192.0.2.1')).status, 201);
});

test('blocks: what cannot be blocked is refused with the field', async (t) => {
  const { owner, viewer, siteId } = await startApp(t);
  const path = `/sites/${siteId}/blocks`;
  const refused: [object, string][] = [
    [{ kind: 'colour', value: 'red' }, 'kind'],
    [{ kind: 'address', value: '192.0.2.0/24' }, 'value'],
    [{ kind: 'address' }, 'value'],
    [{ kind: 'address', value: '192.0.2.7', mine: true }, 'value'],
    [{ kind: 'address', mine: false }, 'mine'],
    [{ kind: 'country', value: 'Germany' }, 'value'],
    [{ kind: 'page', value: '' }, 'value'],
    [{ kind: 'agent', value: 'x', note: 'n'.repeat(201) }, 'note'],
  ];
  for (const [body, field] of refused) {
    const { status, body: answer } = await owner.ask('POST', path, body);
    assert.deepEqual([status, Object.keys(answer.error.fields)], [422, [field]], JSON.stringify(body));
  }
  assert.equal((await viewer.ask('POST', path, { kind: 'country', value: 'DE' })).status, 403);
});

test('blocks: a site has at most 100 blocks', async (t) => {
  const { owner, siteId, db } = await startApp(t);
  for (let i = 0; i < 100; i++) {
    db.run("INSERT INTO block (site_id, kind, value, note, created_at) VALUES (?, 'page', ?, '', 0)", siteId, `/${i}`);
  }
  assert.equal((await owner.ask('POST', `/sites/${siteId}/blocks`, { kind: 'country', value: 'DE' })).status, 402);
});

test('blocks: what each has dropped in 30 days is seen by all members, and lasts over a restart', async (t) => {
  const app = await startApp(t);
  const { owner, manager, viewer, stranger, siteId, clock } = app;
  const path = `/sites/${siteId}/blocks`;
  const add = async (value: string) => (await manager.ask('POST', path, { kind: 'page', value })).body.data;
  const pass = (...pages: string[]) => {
    const hits = pages.map((page) => ({ ip: '198.51.100.7', agent: FIREFOX, url: `https://example.com${page}` }));
    return owner.ask('POST', `/sites/${siteId}/hits`, hits);
  };
  const read = async (person = owner) =>
    (await person.ask('GET', path)).body.data.map(({ dropped }: { dropped: number }) => dropped);
  const { id, dropped } = await add('/a');
  await add('/b');
  assert.equal(dropped, 0);

  await pass('/a', '/a', '/b', '/c');
  clock.pass(29 * DAY);
  await pass('/a');
  // Added again, a block is the old one with its hits. They are counted only for the list.
  assert.deepEqual([(await add('/a')).dropped, await read()], [null, [3, 1]]);
  await app.restart();
  await pass('/a');
  for (const person of [owner, manager, viewer]) assert.deepEqual(await read(person), [4, 1]);
  assert.equal((await stranger.ask('GET', path)).status, 404);
  clock.pass(DAY);
  assert.deepEqual(await read(), [2, 0]);

  // A removed block takes its figure with it. The day keeps the sum of what was dropped.
  assert.equal((await manager.ask('DELETE', `${path}/${id}`)).status, 204);
  assert.deepEqual(await read(), [0]);
  assert.equal((await add('/a')).dropped, 0);
  assert.deepEqual(await read(), [0, 0]);
  assert.deepEqual(await app.held.drops(siteId), { blocked: 5 });
});

test('blocks: after a restore, a new block does not get the hits of a removed block with its id', async (t) => {
  const { owner, siteId, db, clock } = await startApp(t);
  const path = `/sites/${siteId}/blocks`;
  const add = async (value: string) => (await owner.ask('POST', path, { kind: 'page', value })).body.data.id;
  const pass = (page: string) =>
    owner.ask('POST', `/sites/${siteId}/hits`, [
      { ip: '198.51.100.7', agent: FIREFOX, url: `https://example.com${page}` },
    ]);
  const id = await add('/a');
  await pass('/a');
  await owner.ask('DELETE', `${path}/${id}`);
  // The restored file is older than the removed block, so it gives the id again.
  db.run("UPDATE sqlite_sequence SET seq = ? WHERE name = 'block'", id - 1);
  clock.pass(DAY);
  assert.equal(await add('/b'), id);
  await pass('/b');
  await pass('/b');
  assert.equal((await owner.ask('GET', path)).body.data[0].dropped, 2);
});
