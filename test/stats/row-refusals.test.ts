import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/helpers.ts';
import { invalid, missing, refusal } from './refusal.ts';
import { reportsOf, withQuery } from './stage.ts';

const times = (count: number, name: string, value: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${name}=${value(i)}`).join('&');
const STAR = '*'.repeat(17);

/** Wrong operators, and wrong values of them. */
const OPERATORS: [query: string, field: string][] = [
  ['filters[page][is]=a', 'filters[page][is]'],
  ['filters[page][is]=/a&filters[page][is]=', 'filters[page][is]'],
  ['filters[entry][not]=', 'filters[entry][not]'],
  ['filters[exit]=a', 'filters[exit]'],
  ['filters[event][not]=', 'filters[event][not]'],
  ['filters[event][like]=', 'filters[event][like]'],
  ['filters[os][like]=', 'filters[os][like]'],
  [`filters[page][unlike]=${STAR}`, 'filters[page][unlike]'],
  [`filters[browser][like]=a*&filters[browser][like]=${STAR}`, 'filters[browser][like]'],
  [`filters[source][like]=${'a'.repeat(1_025)}`, 'filters[source][like]'],
  ['filters[country][is]=DEU', 'filters[country][is]'],
  ['filters[country][like]=D*', 'filters[country][like]'],
  ['filters[device][unlike]=D*', 'filters[device][unlike]'],
  ['filters[goal][is]=abc', 'filters[goal][is]'],
  ['filters[goal][like]=1', 'filters[goal][like]'],
  ['filters[page][IS]=/a', 'filters[page][IS]'],
  ['filters[page][is][]=/a', 'filters[page][is][]'],
  ['filters[label][is]=a', 'filters[label][is]'],
  ['filters[page]=/a&filters[page][not]=/b', 'filters[page]'],
  ['filters[goal][not]=1&filters[goal]=1', 'filters[goal]'],
  ['filters[os][is]=%FF', 'filters[os][is]'],
  [times(21, 'filters[os][is]', String), 'filters[os][is]'],
  [times(21, 'filters[goal][is]', () => '999'), 'filters[goal][is]'],
  [
    ['page', 'entry', 'exit'].map((name) => times(17, `filters[${name}][like]`, (i) => `/${i}*`)).join('&'),
    'filters[exit][like]',
  ],
];

test('every report refuses operators that it does not know, too many of them, and values that cannot be meant', async (t) => {
  const { app, every } = await reportsOf(t);
  for (const report of every) {
    for (const [query, field] of OPERATORS) {
      const path = withQuery(report, query);
      assert.deepEqual(await refusal(app, path), invalid(path, field));
    }
    const most = ['os', 'browser'].map((name) => times(20, `filters[${name}][not]`, String)).join('&');
    const path = `/sites/${app.siteId}/stats/${withQuery(report, `${most}&filters[page][like]=/${'*'.repeat(16)}`)}`;
    assert.equal((await app.owner.ask('GET', path)).status, 200);
  }
});

test('rows have the figures that their breakdown has, and are sorted by one of those that are asked for', async (t) => {
  const app = await startApp(t);
  const wrong: [path: string, field: string][] = [
    ['breakdown/referrers?metrics=', 'metrics'],
    ['breakdown/referrers?metrics=visits,', 'metrics'],
    ['breakdown/referrers?metrics=Visits', 'metrics'],
    ['breakdown/referrers?metrics=visitors', 'metrics'],
    ['breakdown/referrers?metrics=visits&metrics=pageviews', 'metrics'],
    ['breakdown/referrers?metrics=visits,time_on_page', 'metrics'],
    ['breakdown/referrers?metrics=count', 'metrics'],
    ['breakdown/pages?metrics=bounce_rate', 'metrics'],
    ['breakdown/pages?metrics=conversions', 'metrics'],
    ['breakdown/events?metrics=visits', 'metrics'],
    ['breakdown/event_labels?event=e&metrics=pageviews', 'metrics'],
    ['overview?metrics=visits', 'metrics'],
    ['overview?metrics=', 'metrics'],
    ['breakdown/referrers?sort=visits', 'sort'],
    ['breakdown/referrers?order=up', 'order'],
    ['breakdown/referrers?metrics=visits&sort=pageviews', 'sort'],
    ['breakdown/referrers?metrics=visits&sort=toString', 'sort'],
    ['breakdown/referrers?metrics=conversions', 'goal'],
    ['breakdown/referrers?metrics=conversion_rate&goal=first', 'goal'],
    ['breakdown/referrers?metrics=visits&goal=1', 'goal'],
    ['breakdown/referrers?goal=1', 'goal'],
    ['breakdown/referrers?offset=-1', 'offset'],
    ['breakdown/referrers?offset=100001', 'offset'],
    ['breakdown/referrers?offset=', 'offset'],
    [`breakdown/referrers?search=${'a'.repeat(1_025)}`, 'search'],
  ];
  for (const [path, field] of wrong) assert.deepEqual(await refusal(app, path), invalid(path, field));
  const path = 'breakdown/referrers?metrics=conversions&goal=999';
  assert.deepEqual(await refusal(app, path), missing(path));
});
