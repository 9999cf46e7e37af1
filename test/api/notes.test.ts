import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

test('a note is for a day that is or was', async (t) => {
  const { manager, siteId } = await startApp(t);
  const path = `/sites/${siteId}/notes`;
  const add = (date: unknown, text: unknown = 'x') => manager.ask('POST', path, { date, text });
  const today = await add('2026-03-10', '"quoted" \u0000 🎉');
  assert.equal(today.status, 201);
  const note = dataOf(today, 'POST', path);
  assert.deepEqual(note, {
    id: note.id,
    date: '2026-03-10',
    text: '"quoted" \u0000 🎉',
    url: null,
    effect: false,
    created_at: '2026-03-10T12:00:00Z',
  });
  assert.equal((await add('2024-02-29')).status, 201);
  for (const date of [
    '2026-03-11',
    '2023-02-29',
    '2026-13-01',
    '2026-3-1',
    '10.03.2026',
    '2026-03-10T00:00:00Z',
    '',
    5,
  ]) {
    const answer = await add(date);
    assert.equal(answer.status, 422, String(date));
    assert.deepEqual(Object.keys(answer.body.error.fields), ['date']);
  }
});

test('its text has 1 to 200 characters, whatever bytes they take', async (t) => {
  const { manager, siteId } = await startApp(t);
  const add = async (text: string) =>
    (await manager.ask('POST', `/sites/${siteId}/notes`, { date: '2026-03-10', text })).status;
  assert.equal(await add(''), 422);
  assert.equal(await add('🎉'.repeat(200)), 201);
  assert.equal(await add('🎉'.repeat(201)), 422);
});

test('a note of a moment is for the day that the site has then', async (t) => {
  const { owner, manager, siteId } = await startApp(t);
  await owner.ask('PATCH', `/sites/${siteId}`, { time_zone: 'Europe/Berlin' });
  const path = `/sites/${siteId}/notes`;
  const add = (body: object) => manager.ask('POST', path, { text: 'Deploy 1f2e3d4', ...body });
  for (const [at, date] of [
    ['2026-03-09T22:59:59Z', '2026-03-09'],
    ['2026-03-09T23:00:00Z', '2026-03-10'],
    ['2026-03-10T12:00:00.5+01:00', '2026-03-10'],
  ]) {
    const answer = await add({ at });
    assert.deepEqual([answer.status, answer.body.data?.date], [201, date], at);
  }
  const refused: [body: object, field: string][] = [
    [{}, 'date'],
    [{ at: '2026-03-10T23:00:00Z' }, 'at'],
    [{ at: '2026-03-10' }, 'at'],
    [{ at: '2026-03-09T12:00:00Z', date: '2026-03-09' }, 'at'],
  ];
  for (const [body, field] of refused) {
    const answer = await add(body);
    assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, [field]], JSON.stringify(body));
  }
  const { id } = (await add({ at: '2026-03-09T12:00:00Z' })).body.data;
  const change = (body: object) => manager.ask('PATCH', `${path}/${id}`, body);
  assert.equal((await change({ at: '2026-03-08T23:30:00Z' })).body.data.date, '2026-03-09');
  assert.equal((await change({ at: '2026-03-10T23:30:00Z' })).status, 422);
});

test('a note has the URL of a web page, which share links do not show', async (t) => {
  const { owner, manager, viewer, siteId, ask } = await startApp(t);
  const path = `/sites/${siteId}/notes`;
  const add = (url: unknown) => manager.ask('POST', path, { date: '2026-03-09', text: 'x', url });
  const url = 'https://git.example.com/a/commit/1f2e3d4?x="1"';
  const note = dataOf(await add(url), 'POST', path);
  assert.equal(note.url, 'https://git.example.com/a/commit/1f2e3d4?x=%221%22');
  for (const wrong of [
    'javascript:alert(1)',
    '/page',
    'ftp://example.com/',
    '',
    7,
    `https://example.com/${'a'.repeat(500)}`,
  ]) {
    const answer = await add(wrong);
    assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, ['url']], String(wrong));
  }
  assert.deepEqual((await viewer.ask('GET', path)).body.data, [note]);
  const shared = (await owner.ask('PATCH', `/sites/${siteId}`, { shared: true })).body.data.share_url;
  const asGuest = await ask('GET', `/api/v1${path}`, {
    share: shared.split('/').at(-1),
  });
  assert.deepEqual(asGuest.body.data, [{ ...note, url: null }]);
  const change = async (body: object) => (await manager.ask('PATCH', `${path}/${note.id}`, body)).body.data.url;
  assert.equal(await change({ text: 'y' }), note.url);
  assert.equal(await change({ url: null }), null);
});

test('notes are listed by day, then by id, from one day to another, both included', async (t) => {
  const { manager, viewer, siteId } = await startApp(t);
  const path = `/sites/${siteId}/notes`;
  for (const [date, text] of [
    ['2026-03-05', 'c'],
    ['2026-03-01', 'a'],
    ['2026-03-05', 'd'],
    ['2026-03-02', 'b'],
  ]) {
    await manager.ask('POST', path, { date, text });
  }
  const list = async (query: string) =>
    dataOf(await viewer.ask('GET', path + query), 'GET', path)
      .map(({ text }: { text: string }) => text)
      .join('');
  assert.equal(await list(''), 'abcd');
  assert.equal(await list('?from=2026-03-02'), 'bcd');
  assert.equal(await list('?to=2026-03-02'), 'ab');
  assert.equal(await list('?from=2026-03-02&to=2026-03-05'), 'bcd');
  assert.equal(await list('?from=2026-03-03&to=2026-03-04'), '');
});

test('a query that is not understood is refused by name', async (t) => {
  const { viewer, siteId } = await startApp(t);
  const wrong: [string, string][] = [
    ['from=yesterday', 'from'],
    ['to=', 'to'],
    ['from=2026-03-02&to=2026-03-01', 'from'],
    ['from=2026-03-02&from=2026-03-02', 'from'],
    ['fron=2026-03-02', 'fron'],
    ['filters[page]=/a', 'filters[page]'],
    ['from=%zz', 'from'],
    ['__proto__=1', '__proto__'],
  ];
  for (const [query, field] of wrong) {
    const answer = await viewer.ask('GET', `/sites/${siteId}/notes?${query}`);
    assert.equal(answer.status, 422, query);
    assert.deepEqual(Object.keys(answer.body.error.fields), [field], query);
  }
  assert.match((await viewer.ask('GET', `/sites/${siteId}/notes?fron=1`)).body.error.message, /Known: from, to/);
  assert.equal((await viewer.ask('GET', '/sites?page=2')).status, 422);
});

test('a note is changed in its place, to a day that is or was', async (t) => {
  const { manager, viewer, siteId } = await startApp(t);
  const path = `/sites/${siteId}/notes`;
  const note = dataOf(await manager.ask('POST', path, { date: '2026-03-09', text: 'Relase' }), 'POST', path);
  const change = (body: object, id = note.id) => manager.ask('PATCH', `${path}/${id}`, body);
  assert.deepEqual((await change({ text: 'Release' })).body.data, { ...note, text: 'Release' });
  assert.deepEqual((await change({ effect: true })).body.data, { ...note, text: 'Release', effect: true });
  assert.deepEqual((await change({ text: 'Release' })).body.data.effect, true, 'what is not named stays');
  assert.equal((await change({ effect: 'yes' })).status, 422);
  await change({ effect: false });
  assert.deepEqual((await change({ date: '2026-03-08' })).body.data, { ...note, date: '2026-03-08', text: 'Release' });
  assert.deepEqual(Object.keys((await change({ date: '2026-03-11' })).body.error.fields), ['date']);
  assert.deepEqual(Object.keys((await change({ text: '' })).body.error.fields), ['text']);
  assert.equal((await change({ text: 'x' }, note.id + 1)).status, 404);
  assert.equal((await viewer.ask('PATCH', `${path}/${note.id}`, { text: 'x' })).status, 403);
  const [kept] = (await manager.ask('GET', path)).body.data;
  assert.deepEqual(kept, { ...note, date: '2026-03-08', text: 'Release' });
});

test('a site has at most 5,000 notes', async (t) => {
  const { manager, siteId, db } = await startApp(t);
  const path = `/sites/${siteId}/notes`;
  const add = () => manager.ask('POST', path, { date: '2026-03-09', text: 'x' });
  db.run(
    `WITH RECURSIVE number (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number LIMIT 4999)
     INSERT INTO note (site_id, date, text, created_at) SELECT ?, '2026-03-08', 'x', 0 FROM number`,
    siteId,
  );
  assert.equal((await add()).status, 201);
  const { status, body } = await add();
  assert.deepEqual([status, body.error.message_code], [402, { code: 'most_notes', values: { most: 5_000 } }]);
  const [{ id }] = (await manager.ask('GET', path)).body.data;
  assert.equal((await manager.ask('DELETE', `${path}/${id}`)).status, 204);
  assert.equal((await add()).status, 201);
});
