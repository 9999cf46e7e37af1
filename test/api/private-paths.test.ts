import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { appendTo, pageview } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

/** A site whose pages were looked at, each by as many visitors as are given. */
async function visited(t: TestContext, looks: Record<string, number>) {
  const app = await startApp(t);
  const { siteId } = app;
  const pages = Object.entries(looks).flatMap(([page, visitors]) => Array<string>(visitors).fill(page));
  await appendTo(
    app.engine,
    pages.map((page, visitor) => pageview({ siteId, page, visitor })),
  );
  const path = `/sites/${siteId}/private-paths`;
  return {
    ...app,
    change: (patterns: unknown) => app.manager.ask('PATCH', `/sites/${siteId}`, { private_paths: patterns }),
    preview: async (patterns: string) =>
      dataOf(await app.viewer.ask('GET', `${path}?patterns=${encodeURIComponent(patterns)}`), 'GET', path),
    path,
  };
}

test('a preview says what patterns would make of the pages seen lately, and changes nothing', async (t) => {
  const looks = { '/': 9, '/users/1': 3, '/users/2': 2, '/users/3/edit': 1, '/users/4': 1, '/users/5': 1 };
  const { preview, db, siteId, viewer, path } = await visited(t, looks);
  assert.deepEqual(await preview('users/*'), {
    from: '2026-02-09T00:00:00Z',
    to: '2026-03-10T23:59:59Z',
    pages: 6,
    changed: 5,
    changes: [
      { becomes: '/users/:id', pages: 4, examples: ['/users/1', '/users/2', '/users/4'] },
      { becomes: '/users/:id/edit', pages: 1, examples: ['/users/3/edit'] },
    ],
    targets: [],
  });
  assert.equal((await preview('')).changed, 0);
  assert.equal((await viewer.ask('GET', path)).body.data.changed, 0);
  assert.equal(db.one<{ lines: string }>('SELECT private_paths AS lines FROM site WHERE id = ?', siteId)?.lines, '');
});

test("without patterns it is the site's own that are tried", async (t) => {
  const { change, viewer, path } = await visited(t, { '/users/1': 1 });
  await change(['users/*']);
  assert.deepEqual((await viewer.ask('GET', path)).body.data.changes, [
    { becomes: '/users/:id', pages: 1, examples: ['/users/1'] },
  ]);
});

test('a preview names goals and steps that would wait in vain', async (t) => {
  const { preview, owner, siteId } = await visited(t, {});
  const page = (value: string) => ({ type: 'page', value });
  await owner.ask('POST', `/sites/${siteId}/goals`, page('/orders/5/done'));
  await owner.ask('POST', `/sites/${siteId}/goals`, page('/orders/:id/done'));
  await owner.ask('POST', `/sites/${siteId}/goals`, { type: 'event', value: '/orders/5' });
  await owner.ask('POST', `/sites/${siteId}/funnels`, { name: 'Buy', steps: [page('/cart'), page('/orders/5/done')] });
  assert.deepEqual((await preview('orders/*')).targets, [{ value: '/orders/5/done', becomes: '/orders/:id/done' }]);
});

test('patterns are kept as they were written, without blank and repeated lines', async (t) => {
  const { change, viewer, siteId } = await visited(t, {});
  const answer = await change([' users/* ', '', '/orders/{number}/', 'users/*']);
  assert.deepEqual(dataOf(answer, 'PATCH', `/sites/${siteId}`).private_paths, ['users/*', '/orders/{number}/']);
  assert.deepEqual((await viewer.ask('GET', `/sites/${siteId}`)).body.data.private_paths, [
    'users/*',
    '/orders/{number}/',
  ]);
  assert.deepEqual((await change([])).body.data.private_paths, []);
});

test('a list with a wrong line is refused whole, and the line is named', async (t) => {
  const { change, viewer, owner, path, siteId } = await visited(t, {});
  const refused: [patterns: unknown, field: string, why: RegExp][] = [
    [['users/*', 'user-*'], 'private_paths', /^Line 2, "user-\*": \* matches only a whole segment/],
    [['users'], 'private_paths', /^Line 1, "users": hides nothing/],
    [Array(21).fill('users/*'), 'private_paths', /at most 20 patterns/],
    [Array(101).fill('users/*'), 'private_paths', /at most 100 entries/],
    ['users/*', 'private_paths', /Must be a list/],
    [[5], 'private_paths.0', /Must be text/],
    [['a/*\nb/*'], 'private_paths', /one pattern per line/],
  ];
  for (const [patterns, field, why] of refused) {
    const { status, body } = await change(patterns);
    assert.equal(status, 422);
    assert.match(body.error.fields[field], why);
  }
  assert.deepEqual((await owner.ask('GET', `/sites/${siteId}`)).body.data.private_paths, []);
  const { status, body } = await viewer.ask('GET', `${path}?patterns=users/*%0Auser-*`);
  assert.deepEqual([status, Object.keys(body.error.fields)], [422, ['patterns']]);
  assert.match(body.error.fields.patterns, /^Line 2, "user-\*"/);
});
