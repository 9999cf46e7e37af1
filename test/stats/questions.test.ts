import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataOf } from '../support/requests.ts';
import { reportsOf, withQuery } from './stage.ts';

test('a range may be as long as two years less a day, and lie anywhere', async (t) => {
  const { app, every } = await reportsOf(t);
  const ranges = ['2024-03-10~2026-03-09', '2024-02-29~2024-02-29', '2026-03-10~2026-03-10', '2030-01-01~2031-12-31'];
  for (const range of [...ranges, '1969-12-31~1970-01-01', '9999-12-31~9999-12-31']) {
    for (const report of every) {
      const path = withQuery(`/sites/${app.siteId}/stats/${report}`, `range=${range}`);
      const answer = await app.owner.ask('GET', path);
      assert.equal(answer.status, 200, `${answer.text} for ${path}`);
      const { from, to } = dataOf(answer, 'GET', path);
      if (report !== 'realtime' && report !== 'live') assert.equal(`${from.slice(0, 10)}~${to.slice(0, 10)}`, range);
    }
  }
});

test('the first days that can be written have nothing before them, and break nothing', async (t) => {
  const { app, every } = await reportsOf(t);
  for (const report of every) {
    const path = withQuery(`/sites/${app.siteId}/stats/${report}`, 'range=0000-01-01~0000-01-02');
    const { status } = await app.owner.ask('GET', path);
    assert.ok(status === 200 || status === 422, `${status} for ${path}`);
  }
});

test('filters are answered as they were understood', async (t) => {
  const { app, filtered } = await reportsOf(t);
  const made = await app.owner.ask('POST', `/sites/${app.siteId}/goals`, { type: 'event', value: 'e' });
  const goal: number = made.body.data.id;
  const understood: [query: string, filters: object][] = [
    ['', {}],
    ['filters[page]=/a/', { page: '/a' }],
    ['filters[page]=/', { page: '/' }],
    ['filters[page]=//', { page: '/' }],
    ['filters[page]=/%C3%BC+b?utm_term=x%23y', { page: '/%C3%BC%20b' }],
    ['filters[page]=/a/?t=2%26p=1%26fbclid=3%23y', { page: '/a?p=1&t=2' }],
    ['filters[entry]=/a/../b%23c', { entry: '/b' }],
    ['filters[source]=', { source: '' }],
    ['filters[source]=WWW.M%C3%BCnchen.de', { source: 'xn--mnchen-3ya.de' }],
    ['filters[source]=X.org.', { source: 'x.org' }],
    ['filters[source]=(other)', { source: '(other)' }],
    ['filters[country]=de&filters[device]=Tablet', { country: 'DE', device: 'Tablet' }],
    [
      'filters[country]=&filters[device]=&filters[os]=&filters[browser]=',
      { country: '', device: '', os: '', browser: '' },
    ],
    [
      'filters[utm_source]=&filters[utm_medium]=%2B+a&filters[utm_campaign]=%00',
      { utm_source: '', utm_medium: '+ a', utm_campaign: '\0' },
    ],
    ['filters[event]=__proto__', { event: '__proto__' }],
    [`filters[goal]=${goal}`, { goal }],
    ['filters[pageviews]=01', { pageviews: 1 }],
    ['filters[pageviews][not]=0&filters[pageviews][not]=1000000', { pageviews: { not: [0, 1_000_000] } }],
    ['filters%5Bos%5D=Windows', { os: 'Windows' }],
    ['filters[page][is]=/a/&filters[page][is]=/b//', { page: { is: ['/a', '/b'] } }],
    ['filters[exit][like]=/ü*?/../%2a*&filters[exit][not]=/', { exit: { not: ['/'], like: ['/%C3%BC*?/../**'] } }],
    ['filters[page][unlike]=*', { page: { unlike: ['*'] } }],
    [
      'filters[source][like]=WWW.*.Org&filters[source][is]=WWW.X.org',
      { source: { is: ['x.org'], like: ['www.*.org'] } },
    ],
    ['filters[country][not]=&filters[country][not]=de', { country: { not: ['', 'DE'] } }],
    ['filters[event][like]=*+*&filters%5Bevent%5D%5Bis%5D=e', { event: { is: ['e'], like: ['* *'] } }],
    [`filters[goal][not]=${goal}`, { goal: { not: [goal] } }],
    [`filters[goal][is]=${goal}&filters[goal][is]=${goal}`, { goal: { is: [goal, goal] } }],
  ];
  for (const report of filtered) {
    for (const [query, filters] of understood) {
      const path = withQuery(`/sites/${app.siteId}/stats/${report}`, query);
      const answer = await app.owner.ask('GET', path);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(dataOf(answer, 'GET', path).filters, filters);
    }
  }
});
