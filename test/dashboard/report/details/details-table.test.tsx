import '../../browser-globals.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filters } from '../../../../src/dashboard/core/view.ts';
import { DetailsTable, type Sort } from '../../../../src/dashboard/report/details/details-table.tsx';
import { columnsOf } from '../../../../src/dashboard/report/model/columns.ts';
import { findTable, type Table } from '../../../../src/dashboard/report/model/tables.ts';
import { BREAKDOWN_NAMES } from '../../../../src/stats/dimensions.ts';
import { renderIn, SCOPE, textIn, VIEW } from '../../components.tsx';

const table = (id: string): Table => {
  const found = findTable(id);
  assert.ok(found, id);
  return found.table;
};
const namesOf = (id: string, hasGoal: boolean, currency: string | null = null) =>
  columnsOf(table(id), { hasGoal, currency }).map(({ name }) => name);

test('revenue: a table of visits has it in the currency of the site, with all digits', () => {
  const [revenue, share, ...others] = columnsOf(table('countries'), { hasGoal: false, currency: 'EUR' }).slice(-2);
  assert.deepEqual([revenue?.name, share?.name, others.length], ['Revenue', 'Revenue per visitor', 0]);
  const row = { value: 'DE', visitors: 2, revenue: '9007199254740993.50', revenue_per_visitor: null };
  assert.equal(revenue?.textOf(row), '€9,007,199,254,740,993.50');
  assert.equal(share?.textOf(row), '–');
  assert.deepEqual(namesOf('pages', false, 'EUR').includes('Revenue'), false);
});

test('each table has the figures that its breakdown has, and conversions where there is a goal', () => {
  const ofVisits = ['Visits', 'Pageviews', 'Bounce rate', 'Visit duration'];
  assert.deepEqual(namesOf('referrers', false), ofVisits);
  assert.deepEqual(namesOf('entry_pages', true), [...ofVisits, 'Conversions', 'Conversion rate']);
  assert.deepEqual(namesOf('pages', true), ['Visits', 'Pageviews', 'Time on page', 'Scroll depth']);
  assert.deepEqual(namesOf('event_labels', true), ['Occurrences']);
  for (const breakdown of BREAKDOWN_NAMES) {
    // The dashboard has no tables of properties.
    if (!/^propert/.test(breakdown)) assert.ok(namesOf(breakdown, false).length > 0, breakdown);
  }
});

const ROWS = [
  { value: '/', visitors: 40, visits: 50, pageviews: 60, time_on_page: 75, scroll_depth: 80 },
  { value: '/a', visitors: 10, visits: 10, pageviews: 10, time_on_page: null, scroll_depth: null },
];

const html = (sort: Sort, filters: Filters = {}): string =>
  renderIn(
    { ...SCOPE, view: { ...VIEW, filters } },
    <DetailsTable
      whole={50}
      table={table('pages')}
      columns={columnsOf(table('pages'), { hasGoal: true, currency: null })}
      rows={ROWS}
      sort={sort}
      onSort={() => {}}
      onChoice={() => {}}
    />,
  );

test('a row has its figures, and a dash where a figure is not known', () => {
  assert.equal(
    textIn(html(undefined)),
    'Page Visitors Share Visits Pageviews Time on page Scroll depth / Open / 40 80.0% 50 60 1m 15s 80.0% /a Open /a 10 20.0% 10 10 – –',
  );
});

test('the head of the column by which rows are sorted says so', () => {
  const sorted = (sort: Sort) =>
    [...html(sort).matchAll(/aria-sort="descending".*?<button[^>]*>([^<]*)/g)].map(([, name]) => name);
  assert.deepEqual(sorted(undefined), ['Visitors']);
  assert.deepEqual(sorted('time_on_page'), ['Time on page']);
});

test('rows beside the selected one are marked, and are no part of the visitors', () => {
  const shown = html(undefined, { page: ['/a'] });
  assert.deepEqual(
    [...shown.matchAll(/<tr class="([^"]*)"/g)].map(([, name]) => name?.trim()),
    ['is-beside', 'is-selected'],
  );
  assert.match(textIn(shown), /\/ Open \/ 40 50 60 1m 15s 80.0% \/a Open \/a 10 20.0% 10 10 – –$/);
});

test('an exit row selects the visits that ended there, not those that saw the page', () => {
  assert.equal(table('exit_pages').filter, 'exit');
  assert.equal(table('entry_pages').filter, 'entry');
  assert.equal(table('pages').filter, 'page');
});
