import '../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportQuery, searchOf, viewOf } from '../../../src/dashboard/core/address.ts';
import { conditionTexts, filtersOf } from '../../../src/dashboard/core/conditions.ts';
import { filterValueText, headOf } from '../../../src/dashboard/core/filter-names.ts';
import { isFilter, toggled } from '../../../src/dashboard/core/filters.ts';
import '../components.tsx';

test('filters by properties are read from the URL, written again, and sent to the API', () => {
  const view = viewOf(
    '?property:plan=pro&property:plan.not=free&property:theme.contains=da&property:No!=1&property=plan',
  );
  assert.deepEqual(view.filters, {
    'property:plan': ['pro'],
    'property:plan.not': ['free'],
    'property:theme.contains': ['da'],
  });
  assert.equal(view.property, 'plan');
  assert.deepEqual(viewOf(searchOf(view)), view);
  assert.deepEqual(reportQuery(view), {
    range: '30d',
    'filters[property:plan][is]': ['pro'],
    'filters[property:plan][not]': ['free'],
    'filters[property:theme][like]': ['*da*'],
  });
  assert.deepEqual(reportQuery(viewOf('?property:(other)=(other)')), {
    range: '30d',
    'filters[property:(other)]': '(other)',
  });
  assert.equal(viewOf('?property=No!').property, '');
});

test('filters by properties are written as sentences, also in exclusions', () => {
  assert.equal(headOf('property:plan.not'), 'Property plan is not');
  assert.equal(filterValueText('property:plan', 'pro'), 'pro');
  assert.deepEqual(conditionTexts({ 'property:plan': { like: ['*pr*'] } }), ['Property plan contains pr']);
  assert.deepEqual(filtersOf([{ name: 'property:plan', condition: 'is', value: ' pro ' }]), {
    'property:plan': { is: ['pro'] },
  });
});

test('filters by properties take any value but an empty one', () => {
  assert.deepEqual([isFilter('property:plan', 'pro'), isFilter('property:plan', '')], [true, false]);
  assert.deepEqual(toggled({}, 'property:plan', 'pro', false), { 'property:plan': ['pro'] });
});
