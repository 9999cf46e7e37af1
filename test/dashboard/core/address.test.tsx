import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportQuery, routeOf, searchOf, viewOf } from '../../../src/dashboard/core/address.ts';
import { type Choices, USUAL_CHOICES } from '../../../src/dashboard/core/parameters.ts';

test('an address leads to its page, and one that there is not to none', () => {
  assert.deepEqual(routeOf('/'), { page: 'sites' });
  assert.deepEqual(routeOf('/all-sites'), { page: 'all-sites' });
  assert.deepEqual(routeOf('/sites/example.com'), { page: 'site', domain: 'example.com' });
  assert.deepEqual(routeOf('/sites/example.com/settings'), {
    page: 'settings',
    domain: 'example.com',
    part: 'general',
  });
  assert.deepEqual(routeOf('/sites/a%2Fb/settings/goals'), { page: 'settings', domain: 'a/b', part: 'goals' });
  assert.deepEqual(routeOf('/account'), { page: 'account', part: 'you' });
  assert.deepEqual(routeOf('/server'), { page: 'account', part: 'server' });
  for (const path of [
    '/nowhere',
    '/sites/example.com/nowhere',
    '/sites/',
    '/sites/%E0%A4%A',
    '/sites/%E0%A4%A/settings',
  ]) {
    assert.deepEqual(routeOf(path), { page: 'not-found' }, path);
  }
  assert.deepEqual(routeOf('/share/anything', 'example.com'), { page: 'site', domain: 'example.com' });
});

test('address: a view has range, filters and choices, and unknown or wrong parameters are left out', () => {
  const view = viewOf('?range=7d&page=%2Fa%26b&source=&show=pageviews&chart=pie&details=nothing&live=1&other=1');
  const filters = { page: ['/a&b'], source: [''] };
  assert.deepEqual(view, { ...USUAL_CHOICES, range: '7d', filters, show: 'pageviews', live: true });
  assert.equal(searchOf(view), '?range=7d&show=pageviews&live=1&page=%2Fa%26b&source=');
  assert.deepEqual(reportQuery(view), { range: '7d', 'filters[page]': '/a&b', 'filters[source]': '' });
  assert.deepEqual(viewOf(''), { ...USUAL_CHOICES, filters: {} });
});

test('address: each parameter that is written is read again, and a usual value is not written', () => {
  const other: Choices = {
    ...{ range: '7d', compare: 'year', show: 'visits', interval: 'week', chart: 'table', live: true, labels: 'signup' },
    property: 'plan',
    ...{ pages: 'exit_pages', sources: 'utm_source', places: 'countries', devices: 'browsers', events: 'event_labels' },
    ...{
      funnel: '3',
      journey: '/a',
      direction: 'before',
      crawlers: 'purpose',
      crawler: 'gptbot',
      details: 'pages',
      sort: 'visitors',
    },
    order: 'asc',
    ...{ why: 'visits', row: 'country=DE' },
    ...{
      explore: true,
      by: 'country,week',
      pivot: true,
      metrics: 'visits',
      conversions: '3',
      any: 'country=DE|page=%2Fa',
    },
  };
  for (const [name, value] of Object.entries(other)) assert.notEqual(value, USUAL_CHOICES[name as keyof Choices], name);
  assert.deepEqual(viewOf(searchOf({ ...other, filters: {} })), { ...other, filters: {} });
  assert.equal(searchOf(viewOf('')), '');
});

test('a filter may say not and contains, and what is alone is asked in the plain form', () => {
  const view = viewOf('?page=/a&page.not=/b&source.contains=x.&exit.lacks=/z&goal.not=3&goal.contains=4');
  assert.deepEqual(view.filters, {
    page: ['/a'],
    'page.not': ['/b'],
    'source.contains': ['x.'],
    'exit.lacks': ['/z'],
    'goal.not': ['3'],
  });
  assert.deepEqual(reportQuery(view), {
    range: '30d',
    'filters[page][is]': ['/a'],
    'filters[page][not]': ['/b'],
    'filters[source][like]': ['*x.*'],
    'filters[exit][unlike]': ['*/z*'],
    'filters[goal][not]': ['3'],
  });
});

test('a filter that is repeated asks for one of its values, each once', () => {
  const view = viewOf('?country=DE&country=FR&country=DE&page.lacks=a&page.lacks=b');
  assert.deepEqual(view.filters, { country: ['DE', 'FR'], 'page.lacks': ['a', 'b'] });
  assert.deepEqual(reportQuery(view), {
    range: '30d',
    'filters[country][is]': ['DE', 'FR'],
    'filters[page][unlike]': ['*a*', '*b*'],
  });
});
