import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchOf, viewOf } from '../../../src/dashboard/core/address.ts';
import {
  type Has,
  listFigures,
  readGroups,
  readQuestion,
  writeBody,
  writeGroups,
} from '../../../src/dashboard/explore/question.ts';

const ALL: Has = { goal: true, currency: true };
const questionIn = (search: string, has = ALL) => readQuestion(viewOf(search), has);

test('question: keys, figures and the order are read from the address, and what is unknown is left out', () => {
  assert.deepEqual(questionIn('?explore=1&by=channel,week&pivot=1&metrics=revenue,visits&sort=channel&order=asc'), {
    by: ['channel', 'week'],
    isPivot: true,
    figures: ['visits', 'revenue'],
    sort: 'channel',
    order: 'asc',
  });
  assert.deepEqual(questionIn('?by=nowhere,country,country,property:plan,property:plan.not,label,day,os'), {
    by: ['country', 'property:plan', 'day'],
    isPivot: false,
    figures: ['visitors', 'visits', 'pageviews'],
    sort: 'visitors',
    order: 'desc',
  });
});

test('question: one key has no columns, and times only begin with the first', () => {
  assert.equal(questionIn('?by=country&pivot=1').isPivot, false);
  assert.deepEqual(
    { ...questionIn('?by=week'), figures: [] },
    {
      by: ['week'],
      isPivot: false,
      figures: [],
      sort: 'week',
      order: 'asc',
    },
  );
});

test('question: figures are those that rows with the keys have, and that the site can have', () => {
  assert.deepEqual(questionIn('?by=page&metrics=bounce_rate,time_on_page').figures, ['time_on_page']);
  assert.deepEqual(questionIn('?by=country&metrics=bounce_rate,time_on_page').figures, ['bounce_rate']);
  assert.deepEqual(questionIn('?by=country&metrics=revenue', { goal: true, currency: false }).figures, [
    'visitors',
    'visits',
    'pageviews',
  ]);
  const without = listFigures(['country'], { goal: false, currency: false });
  assert.deepEqual(without, ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration']);
  assert.deepEqual(listFigures(['event'], { goal: true, currency: false }), [
    'visitors',
    'visits',
    'pageviews',
    'count',
  ]);
});

test('question: groups of filters pass through the address, whatever their values have', () => {
  const groups = [{ country: ['DE', 'FR'], 'page.contains': ['a|b&c=d'] }, {}, { 'property:plan': ['pro'] }];
  const any = writeGroups(groups);
  assert.deepEqual(readGroups(viewOf(searchOf({ ...viewOf(''), any })).any), groups);
  assert.deepEqual(readGroups(''), []);
  assert.equal(writeGroups([{}]), '');
  assert.deepEqual(readGroups(writeGroups([{}, {}])), [{}, {}]);
});

test('question: the body has filters by operator, groups without the empty ones, and only what its figures need', () => {
  const any = writeGroups([{ country: ['DE'] }, {}, { pageviews: ['3'] }]);
  const view = { ...viewOf('?range=7d&page.contains=bread&goal=2&goal.not=4'), any };
  const asked = { view, goal: 5, currency: 'EUR' };
  assert.deepEqual(writeBody(asked, { by: ['device'], figures: ['visitors'], limit: 10 }), {
    range: '7d',
    by: ['device'],
    metrics: ['visitors'],
    filters: { page: { like: ['*bread*'] }, goal: { is: [2], not: [4] } },
    any: [{ country: { is: ['DE'] } }, { pageviews: { is: [3] } }],
    limit: 10,
  });
  const more = writeBody(asked, { by: [], figures: ['conversions', 'revenue'], filters: {}, limit: 1 });
  assert.deepEqual([more.goal, more.currency, more.filters], [5, 'EUR', {}]);
});
