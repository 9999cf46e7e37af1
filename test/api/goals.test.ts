import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

test('a goal is a page or an event, kept in the form in which hits are', async (t) => {
  const { manager, siteId } = await startApp(t);
  const path = `/sites/${siteId}/goals`;
  const kept: [string, string, string][] = [
    ['page', '/Thanks/', '/Thanks'],
    ['page', '/', '/'],
    ['page', '/a/../b?x=1#y', '/b'],
    ['page', '/a/?x=1#/b/', '/a#/b'],
    ['page', '/a b#/ü/*', '/a%20b#/%C3%BC/*'],
    ['page', '/ü', '/%C3%BC'],
    ['page', '//twice//in', '//twice//in'],
    ['page', '/ü b/*?/..', '/%C3%BC%20b/*?/..='],
    ['page', '*', '*'],
    ['page', '*'.repeat(16), '*'.repeat(16)],
    ['event', ' Sign up ', ' Sign up '],
    ['event', '*'.repeat(20), '*'.repeat(20)],
    ['event', `"'; DROP TABLE goal; -- \u0000 🎉`, `"'; DROP TABLE goal; -- \u0000 🎉`],
    ['event', '🎉'.repeat(120), '🎉'.repeat(120)],
  ];
  for (const [type, value, stored] of kept) {
    const answer = await manager.ask('POST', path, { type, value });
    assert.equal(answer.status, 201, value);
    const goal = dataOf(answer, 'POST', path);
    assert.deepEqual(goal, { id: goal.id, type, value: stored, created_at: '2026-03-10T12:00:00Z' });
    assert.equal(answer.headers.get('Location'), `/api/v1${path}/${goal.id}`);
  }
  const list = dataOf(await manager.ask('GET', path), 'GET', path);
  assert.deepEqual(
    list.map(({ value }: { value: string }) => value),
    kept.map(([, , stored]) => stored),
  );
});

test('what is not a goal is refused by name', async (t) => {
  const { manager, siteId } = await startApp(t);
  const wrong: [unknown, string][] = [
    [{ value: '/a' }, 'type'],
    [{ type: 'visit', value: '/a' }, 'type'],
    [{ type: 'page' }, 'value'],
    [{ type: 'page', value: 'a' }, 'value'],
    [{ type: 'page', value: '' }, 'value'],
    [{ type: 'page', value: 'https://example.com/a' }, 'value'],
    [{ type: 'page', value: '/\ud800' }, 'value'],
    [{ type: 'page', value: '/\ud800*' }, 'value'],
    [{ type: 'page', value: 'a*' }, 'value'],
    [{ type: 'page', value: '*'.repeat(17) }, 'value'],
    [{ type: 'page', value: `/${'a'.repeat(1_023)}*` }, 'value'],
    [{ type: 'event', value: '' }, 'value'],
    [{ type: 'event', value: 'x'.repeat(121) }, 'value'],
    [{ type: 'event', value: '\ud800' }, 'value'],
    [{ type: 'event', value: ['x'] }, 'value'],
    [{ type: 'event', value: 'x', id: 5 }, 'id'],
    [[], 'body'],
    ['"text"', 'body'],
    ['null', 'body'],
    ['{"type":', 'body'],
    ['', 'body'],
  ];
  for (const [body, field] of wrong) {
    const answer = await manager.ask('POST', `/sites/${siteId}/goals`, body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.deepEqual(Object.keys(answer.body.error.fields), [field], JSON.stringify(body));
  }
});

test('the same goal twice on one site is refused, also when it is spelled otherwise', async (t) => {
  const { owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}/goals`;
  assert.equal((await owner.ask('POST', path, { type: 'page', value: '/a' })).status, 201);
  assert.equal((await owner.ask('POST', path, { type: 'page', value: '/a/' })).status, 422);
  assert.equal((await owner.ask('POST', path, { type: 'event', value: '/a' })).status, 201);
  const other = (await owner.ask('POST', '/sites', { domain: 'other.example' })).body.data.id;
  assert.equal((await owner.ask('POST', `/sites/${other}/goals`, { type: 'page', value: '/a' })).status, 201);
});

test('a deleted goal is no main goal any more, and its id is not given again', async (t) => {
  const { owner, siteId } = await startApp(t);
  const path = `/sites/${siteId}/goals`;
  const { id } = (await owner.ask('POST', path, { type: 'page', value: '/a' })).body.data;
  await owner.ask('PATCH', `/sites/${siteId}`, { main_goal_id: id });
  assert.equal((await owner.ask('DELETE', `${path}/${id}`)).status, 204);
  assert.equal((await owner.ask('GET', `/sites/${siteId}`)).body.data.main_goal_id, null);
  assert.equal((await owner.ask('DELETE', `${path}/${id}`)).status, 404);
  assert.ok((await owner.ask('POST', path, { type: 'page', value: '/a' })).body.data.id > id);
});

test('a changed goal keeps its id, and the past is counted by it as well', async (t) => {
  const { ask, manager, viewer, siteId, clock, seal } = await startApp(t);
  const path = `/sites/${siteId}/goals`;
  for (const message of [{ url: 'https://example.com/a' }, { url: 'https://example.com/b', event: 'buy' }]) {
    assert.equal(
      (await ask('POST', '/day', { body: { site: 'example.com', ...message }, headers: BROWSER })).status,
      202,
    );
  }
  clock.pass(86_400);
  assert.equal(await seal(), 1);
  const goal = (await manager.ask('POST', path, { type: 'page', value: '/nowhere' })).body.data;
  const reached = async () =>
    (await viewer.ask('GET', `/sites/${siteId}/stats/goals?range=7d`)).body.data.goals.map(
      ({ id, conversions }: { id: number; conversions: number }) => [id, conversions],
    );
  assert.deepEqual(await reached(), [[goal.id, 0]]);
  for (const [change, type, value] of [
    [{ value: '/a/' }, 'page', '/a'],
    [{ type: 'event', value: 'buy' }, 'event', 'buy'],
    [{}, 'event', 'buy'],
  ] as const) {
    const answer = await manager.ask('PATCH', `${path}/${goal.id}`, change);
    assert.equal(answer.status, 200);
    assert.deepEqual(dataOf(answer, 'PATCH', `${path}/${goal.id}`), { ...goal, type, value });
    assert.deepEqual(await reached(), [[goal.id, 1]]);
  }
  assert.deepEqual((await manager.ask('PATCH', `${path}/${goal.id}`, { type: 'event' })).status, 200);
});

test('a change that would make no goal, or one that is there, changes nothing', async (t) => {
  const { manager, siteId } = await startApp(t);
  const path = `/sites/${siteId}/goals`;
  const { id } = (await manager.ask('POST', path, { type: 'event', value: 'buy' })).body.data;
  await manager.ask('POST', path, { type: 'page', value: '/a' });
  const before = (await manager.ask('GET', path)).text;
  const wrong: [unknown, string][] = [
    [{ type: 'page' }, 'value'],
    [{ type: 'visit' }, 'type'],
    [{ value: '' }, 'value'],
    [{ value: 'x'.repeat(121) }, 'value'],
    [{ value: null }, 'value'],
    [{ type: 'page', value: 'a' }, 'value'],
    [{ type: 'page', value: '/a/' }, 'value'],
    [{ id: 5 }, 'id'],
    [[], 'body'],
  ];
  for (const [body, field] of wrong) {
    const answer = await manager.ask('PATCH', `${path}/${id}`, body);
    assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, [field]], JSON.stringify(body));
  }
  assert.equal((await manager.ask('GET', path)).text, before);
});

test('a site has at most 1,000 goals', async (t) => {
  const { manager, siteId, db } = await startApp(t);
  const path = `/sites/${siteId}/goals`;
  const add = (value: string) => manager.ask('POST', path, { type: 'event', value });
  db.run(
    `WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number LIMIT 999)
     INSERT INTO goal (site_id, type, value, property, property_value, created_at)
     SELECT ?, 'event', 'event ' || value, '', '', 0 FROM number`,
    siteId,
  );
  assert.equal((await add('the last one')).status, 201);
  const { status, body } = await add('one more');
  assert.deepEqual([status, body.error.message_code], [402, { code: 'most_goals', values: { most: 1_000 } }]);
  const [{ id }] = (await manager.ask('GET', path)).body.data;
  assert.equal((await manager.ask('PATCH', `${path}/${id}`, { value: 'another' })).status, 200);
  assert.equal((await manager.ask('DELETE', `${path}/${id}`)).status, 204);
  assert.equal((await add('one more')).status, 201);
});

test('goals: a page may have a least depth, which a manager changes and removes', async (t) => {
  const { manager, viewer, siteId } = await startApp(t);
  const path = `/sites/${siteId}/goals`;
  const add = async (body: object) => manager.ask('POST', path, { type: 'page', value: '/docs/*', ...body });
  const plain = dataOf(await add({}), 'POST', path);
  assert.equal('scroll' in plain, false);
  const goal = dataOf(await add({ scroll: 75 }), 'POST', path);
  assert.equal(goal.scroll, 75);
  assert.deepEqual((await add({ scroll: 75 })).body.error.fields, { value: 'The site already has this goal.' });
  const own = `${path}/${goal.id}`;
  const change = async (body: object) => dataOf(await manager.ask('PATCH', own, body), 'PATCH', own);
  assert.equal((await change({ value: '/guide' })).scroll, 75);
  assert.equal((await change({ scroll: 100 })).scroll, 100);
  assert.equal((await viewer.ask('PATCH', own, { scroll: 1 })).status, 403);
  assert.equal('scroll' in (await change({ scroll: null })), false);
  await change({ scroll: 50 });
  assert.equal('scroll' in (await change({ type: 'event', value: 'read' })), false);
  const { goals } = (await viewer.ask('GET', `/sites/${siteId}/stats/goals`)).body.data;
  assert.deepEqual(
    goals.map(({ value, scroll }: { value: string; scroll?: number }) => [value, scroll]),
    [
      ['/docs/*', undefined],
      ['read', undefined],
    ],
  );
  for (const wrong of [
    { scroll: 0 },
    { scroll: 101 },
    { scroll: 7.5 },
    { scroll: '75' },
    { type: 'event', scroll: 5 },
  ]) {
    const { status, body } = await add(wrong);
    assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['scroll']], JSON.stringify(wrong));
  }
});
