import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Ask, client, type Goal } from '../../client/src/index.ts';
import { refusal } from './refusing.ts';
import { stage } from './stage.ts';

test('things are added, listed, changed and deleted', async (t) => {
  const { daybook, siteId } = await stage(t);
  const path = { site: 'example.com' };
  const [site] = await daybook('GET /sites');
  assert.equal(site?.id, siteId);
  const goal = await daybook('POST /sites/{site}/goals', { path, body: { type: 'event', value: 'buy' } });
  const changed = await daybook('PATCH /sites/{site}/goals/{goal}', {
    path: { site: siteId, goal: goal.id },
    body: { value: 'order' },
  });
  // An answer is of the type that has its name.
  const expected: Goal = { ...goal, value: 'order' };
  assert.deepEqual(changed, expected);
  assert.equal(await daybook('DELETE /sites/{site}/goals/{goal}', { path: { ...path, goal: goal.id } }), undefined);
  assert.deepEqual(await daybook('GET /sites/{site}/goals', { path }), []);
});

test('a report is asked with filters, whatever is in them', async (t) => {
  const { daybook, count, asked } = await stage(t);
  await count('/%C3%A4%20b');
  const overview = await daybook('GET /sites/{site}/stats/overview', {
    path: { site: 'example.com' },
    query: { range: 'today', 'filters[page]': '/ä b', 'filters[source]': '' },
  });
  assert.deepEqual([overview.visitors, overview.filters], [1, { page: '/%C3%A4%20b', source: '' }]);
  const search = 'range=today&filters%5Bpage%5D=%2F%C3%A4+b&filters%5Bsource%5D=';
  assert.deepEqual(asked, [`GET /api/v1/sites/example.com/stats/overview?${search}`]);
});

test('a piece of a file is sent as bytes', async () => {
  const sent: RequestInit[] = [];
  const fetch = async (_: string, init: RequestInit) => {
    sent.push(init);
    return Response.json({ data: {} });
  };
  const daybook = client({ url: 'https://stats.example.com', token: '1|x', fetch });
  const body = new Uint8Array([0, 255, 128]);
  const asked = { path: { site: 'example.com', upload: 1 }, query: { offset: 0 }, body };
  await daybook('POST /sites/{site}/uploads/{upload}/bytes', asked);
  assert.equal(sent[0]?.body, body);
  assert.equal(new Headers(sent[0]?.headers).get('Content-Type'), 'application/octet-stream');
});

test('a list in the query is a parameter that is repeated, and what stands in a path ends no segment', async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return Response.json({ data: {} });
  };
  const daybook = client({ url: 'https://stats.example.com', token: '1|x', fetch });
  const query = { 'filters[page][is]': ['/a', '/b&c'], range: undefined } as never;
  await daybook('GET /sites/{site}/stats/overview', { path: { site: '../a/b?c' }, query });
  const search = 'filters%5Bpage%5D%5Bis%5D=%2Fa&filters%5Bpage%5D%5Bis%5D=%2Fb%26c';
  assert.deepEqual(asked, [`https://stats.example.com/api/v1/sites/..%2Fa%2Fb%3Fc/stats/overview?${search}`]);
});

test('what the server refuses is an error with all that it says', async (t) => {
  const { daybook } = await stage(t, { 'rate-limit': '2' });
  const path = { site: 'example.com' };
  const invalid = await refusal(daybook('POST /sites/{site}/goals', { path, body: { type: 'page', value: 'a' } }));
  assert.deepEqual([invalid.status, invalid.code, Object.keys(invalid.fields)], [422, 'invalid_request', ['value']]);
  assert.match(invalid.message, /Must be a path/);
  const missing = await refusal(daybook('GET /sites/{site}', { path: { site: 'nowhere.example' } }));
  assert.deepEqual([missing.status, missing.code, missing.retryAfter], [404, 'not_found', undefined]);
  const late = await refusal(daybook('GET /sites'));
  assert.equal(late.status, 429);
  assert.ok(Number(late.retryAfter) > 0);
});

test('an answer that is not of daybook is an error too, whatever its status', async () => {
  for (const answer of [
    () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    () => new Response('<h1>Welcome</h1>'),
    () => Response.json(null),
    () => Response.json({ error: 'x' }, { status: 500 }),
  ]) {
    const fetch = async () => answer();
    const error = await refusal(client({ url: 'https://stats.example.com', token: '1|x', fetch })('GET /sites'));
    assert.deepEqual([error.status, error.code], [answer().status, '']);
    assert.match(error.message, /does not come from daybook/);
  }
});

test('what an operation does not take is a mistake before it is sent', () => {
  // Looked at by the type checker only.
  const mistakes = async (daybook: Ask) => {
    const path = { site: 'example.com' };
    // @ts-expect-error: there is no such operation
    await daybook('GET /nowhere');
    // @ts-expect-error: the path is missing
    await daybook('GET /sites/{site}');
    // @ts-expect-error: there is no such report
    await daybook('GET /sites/{site}/stats/breakdown/{breakdown}', { path: { ...path, breakdown: 'colours' } });
    // @ts-expect-error: a filter's value
    await daybook('GET /sites/{site}/stats/overview', { path, query: { 'filters[device]': 'Toaster' } });
    // @ts-expect-error: the value is missing
    await daybook('POST /sites/{site}/goals', { path, body: { type: 'page' } });
    const site = await daybook('GET /sites/{site}', { path });
    // @ts-expect-error: an answer has no such field
    return site.colour;
  };
  assert.equal(typeof mistakes, 'function');
});
