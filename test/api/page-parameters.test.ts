import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BROWSER } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';

test('a manager lists page parameters, everybody with access reads them, and the snippet names them', async (t) => {
  const { manager, viewer, stranger, owner, siteId } = await startApp(t, { 'base-url': 'https://stats.example.com' });
  const path = `/sites/${siteId}`;
  const change = (who: typeof owner, names: unknown) => who.ask('PATCH', path, { page_parameters: names });
  assert.deepEqual((await viewer.ask('GET', path)).body.data.page_parameters, []);
  const changed = dataOf(await change(manager, ['t', 'f', 'x[]']), 'PATCH', path);
  assert.deepEqual(changed.page_parameters, ['t', 'f', 'x[]']);
  assert.match(
    changed.snippet,
    / src="https:\/\/stats\.example\.com\/day\.js\?keep=t,f,x%5B%5D" data-site="example\.com"/,
  );
  assert.deepEqual((await viewer.ask('GET', path)).body.data.page_parameters, ['t', 'f', 'x[]']);
  assert.deepEqual((await viewer.ask('GET', '/sites')).body.data[0].page_parameters, ['t', 'f', 'x[]']);
  assert.equal((await change(viewer, ['p'])).status, 403);
  assert.equal((await change(stranger, ['p'])).status, 404);
  assert.equal((await change(owner, [])).body.data.page_parameters.length, 0);
  assert.match((await viewer.ask('GET', path)).body.data.snippet, /day\.js" data-site/);
});

test('a list of page parameters that cannot be used is refused by name, and changes nothing', async (t) => {
  const { owner, viewer, siteId } = await startApp(t);
  const refused: [names: unknown, field: string, why: RegExp][] = [
    [['p', 'utm_source'], 'page_parameters', /^"utm_source": says where a visit came from.* Remove it\.$/],
    [['gclid'], 'page_parameters', /^"gclid": says where/],
    [['p', 'p'], 'page_parameters', /^"p": is in the list twice\. Remove one\.$/],
    [['a=b'], 'page_parameters', /^"a=b": must be a name of at most 40 letters/],
    [[''], 'page_parameters', /must be a name/],
    [Array.from({ length: 11 }, (_, n) => `p${n}`), 'page_parameters', /at most 10 values/],
    ['p', 'page_parameters', /Must be a list/],
    [[5], 'page_parameters.0', /Must be text/],
  ];
  await owner.ask('PATCH', `/sites/${siteId}`, { page_parameters: ['p'] });
  for (const [names, field, why] of refused) {
    const { status, body } = await owner.ask('PATCH', `/sites/${siteId}`, { page_parameters: names });
    assert.equal(status, 422, String(names));
    assert.match(body.error.fields[field], why);
  }
  assert.deepEqual((await owner.ask('GET', `/sites/${siteId}`)).body.data.page_parameters, ['p']);
  const { status, body } = await viewer.ask('GET', `/sites/${siteId}/page-parameters?parameters=p%0Autm_x&url=x%3A%3A`);
  assert.deepEqual([status, Object.keys(body.error.fields).sort()], [422, ['parameters', 'url']]);
});

test('a preview says as which page a URL would be stored, and changes nothing', async (t) => {
  const { manager, viewer, siteId } = await startApp(t);
  const path = `/sites/${siteId}/page-parameters`;
  await manager.ask('PATCH', `/sites/${siteId}`, { page_parameters: ['p'], private_paths: ['users/*'] });
  const preview = async (query: Record<string, string>) => {
    const answer = await viewer.ask('GET', `${path}?${new URLSearchParams(query)}`);
    return dataOf(answer, 'GET', path).page;
  };
  const url = 'https://example.com/users/5/?t=2&p=1&sid=9#top';
  assert.equal(await preview({ url }), '/users/:id?p=1');
  assert.equal(await preview({ url, parameters: '' }), '/users/:id');
  assert.equal(await preview({ url, parameters: 'sid\nt' }), '/users/:id?sid=9&t=2');
  assert.equal(await preview({ url: ' example.com/a?p=1 ' }), '/a?p=1');
  assert.equal(await preview({ url: '/a?p=1' }), '/a?p=1');
  assert.equal(await preview({ url: '?p=ann@example.com' }), '/?p=:id');
  assert.equal(await preview({ parameters: 'p' }), null);
  assert.deepEqual((await viewer.ask('GET', `/sites/${siteId}`)).body.data.page_parameters, ['p']);
});

test('a goal and a funnel step keep the page parameters of the site, and patterns keep what was typed', async (t) => {
  const { manager, viewer, siteId } = await startApp(t);
  const page = (value: string) => ({ type: 'page', value });
  const goals = `/sites/${siteId}/goals`;
  await manager.ask('PATCH', `/sites/${siteId}`, { page_parameters: ['p', 't'] });
  const kept: [typed: string, stored: string][] = [
    ['/?p=1&fbclid=x', '/?p=1'],
    ['/a/?t=2&p=1&sid=3#/b', '/a?p=1&t=2#/b'],
    ['/done?order=1', '/done'],
    ['/?t=5*&p=*', '/?p=*&t=5*'],
  ];
  for (const [typed, stored] of kept) {
    assert.equal((await manager.ask('POST', goals, page(typed))).body.data.value, stored);
  }
  const funnel = await manager.ask('POST', `/sites/${siteId}/funnels`, {
    name: 'Read',
    steps: [page('/?p=1&x=1'), page('/?p=2')],
  });
  assert.deepEqual(funnel.body.data.steps, [page('/?p=1'), page('/?p=2')]);
  const changed = { steps: [page('/?p=3&x=1'), page('/?p=*')] };
  const answer = await manager.ask('PATCH', `/sites/${siteId}/funnels/${funnel.body.data.id}`, changed);
  assert.deepEqual(answer.body.data.steps, [page('/?p=3'), page('/?p=*')]);

  const { targets } = (await viewer.ask('GET', `/sites/${siteId}/page-parameters?parameters=t`)).body.data;
  assert.deepEqual(targets, [
    { value: '/?p=1', becomes: '/' },
    { value: '/a?p=1&t=2#/b', becomes: '/a?t=2#/b' },
    { value: '/?p=3', becomes: '/' },
  ]);
  assert.deepEqual((await viewer.ask('GET', `/sites/${siteId}/page-parameters`)).body.data.targets, []);
});

test('reports, filters, goals, funnels and entry and exit pages know pages with parameters', async (t) => {
  const { ask, manager, viewer, siteId } = await startApp(t, { flood: '0' });
  const page = (value: string) => ({ type: 'page', value });
  await manager.ask('PATCH', `/sites/${siteId}`, { page_parameters: ['p', 't'] });
  for (const url of ['/?p=1&x=1', '/viewtopic.php?t=5&p=2', '/viewtopic.php?p=2&t=5&sid=7', '/?p=3']) {
    const body = { site: 'example.com', url: `https://example.com${url}` };
    assert.equal((await ask('POST', '/day', { body, headers: BROWSER })).status, 202);
  }
  const stats = async (report: string, query = '') =>
    (await viewer.ask('GET', `/sites/${siteId}/stats/${report}?range=today${query}`)).body.data;
  const values = async (breakdown: string, query = '') =>
    (await stats(`breakdown/${breakdown}`, query)).rows.map(({ value }: { value: string }) => value);
  const filter = (name: string, value: string) => `&filters${name}=${encodeURIComponent(value)}`;
  assert.deepEqual(await values('pages'), ['/?p=1', '/?p=3', '/viewtopic.php?p=2&t=5']);
  assert.deepEqual([await values('entry_pages'), await values('exit_pages')], [['/?p=1'], ['/?p=3']]);
  assert.deepEqual(await values('entry_pages', filter('[page]', '/viewtopic.php?t=5&p=2&utm_source=x')), ['/?p=1']);
  assert.deepEqual(await values('pages', filter('[page]', '/viewtopic.php')), []);
  assert.deepEqual(await values('pages', filter('[page][like]', '/viewtopic.php?t=5&p=*')), ['/viewtopic.php?p=2&t=5']);
  assert.deepEqual(await values('entry_pages', filter('[exit][like]', '/?p=*')), ['/?p=1']);

  for (const value of ['/?p=3', '/viewtopic.php?*t=5', '/viewtopic.php?t=6*']) {
    await manager.ask('POST', `/sites/${siteId}/goals`, page(value));
  }
  const { goals } = await stats('goals');
  assert.deepEqual(
    goals.map(({ value, conversions }: Record<string, unknown>) => [value, conversions]),
    [
      ['/?p=3', 1],
      ['/viewtopic.php?*t=5', 2],
      ['/viewtopic.php?t=6*', 0],
    ],
  );
  const steps = [page('/?p=1'), page('/viewtopic.php?t=5*&p=2'), page('/?p=3')];
  const funnel = await manager.ask('POST', `/sites/${siteId}/funnels`, { name: 'Read', steps });
  const report = await stats(`funnels/${funnel.body.data.id}`);
  assert.deepEqual(
    report.steps.map(({ visitors }: { visitors: number }) => visitors),
    [1, 1, 1],
  );

  // The page was stored before the setting changed. A filter still finds it.
  await manager.ask('PATCH', `/sites/${siteId}`, { page_parameters: [] });
  assert.deepEqual(await values('entry_pages', filter('[page]', '/?p=3')), ['/?p=1']);
});
