import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { naive } from './naive.ts';
import type { Query, Site } from './visits.ts';

const NOON = TODAY * 86_400 + 43_200;

/** What the reference answers about some hits, of the parts a case is about. */
function ask(site: Partial<Site>, path: string, query: Query = { range: 'today' }) {
  const whole = { hits: [], crawls: [], goals: [], funnels: [], crawlers: [], ...site };
  // biome-ignore lint/suspicious/noExplicitAny: the cases look into parts of many shapes
  return naive(whole, { path, query }, NOON) as any;
}

const figures = (hits: Hit[], query?: Query) => {
  const { visitors, pageviews, visits, bounce_rate, visit_duration } = ask({ hits }, 'overview', query);
  return [visitors, pageviews, visits, bounce_rate, visit_duration];
};

const rows = (hits: Hit[], breakdown: string, query: Query = {}): [string, number][] =>
  ask({ hits }, `breakdown/${breakdown}`, { range: 'today', ...query }).rows.map(
    ({ value, visitors }: { value: string; visitors: number }) => [value, visitors],
  );

/** Hits of one visitor of today, so many seconds after ten o'clock. */
const at = (second: number, more: Partial<Hit> = {}): Hit => pageview({ second: 36_000 + second, ...more });

test('a visit lasts over a gap of 1,800 s and ends with a longer one', () => {
  assert.deepEqual(figures([at(0), at(1_800)]), [1, 2, 1, 0, 1_800]);
  assert.deepEqual(figures([at(0), at(1_801)]), [1, 2, 2, 100, 0]);
});

test('midnight ends a visit, and nobody is the same visitor on two days', () => {
  const hits = [pageview({ day: TODAY - 1, second: 86_399 }), pageview({ second: 0 })];
  assert.deepEqual(figures(hits, { range: '7d' }), [2, 2, 2, 100, 0]);
});

test('engagement moves the end of a visit and keeps it running, and is nothing by itself', () => {
  const [early, late, tooLate] = [at(-5), at(1_000), at(4_601)].map((hit) => ({ ...hit, engaged: 3 }));
  assert.ok(early && late && tooLate);
  assert.deepEqual(figures([early]), [0, 0, 0, 0, 0]);
  assert.deepEqual(figures([early, at(0)]), [1, 1, 1, 100, 0]);
  assert.deepEqual(figures([at(0), late]), [1, 1, 1, 100, 1_000]);
  assert.deepEqual(figures([at(0), late, at(2_800)]), [1, 2, 1, 0, 2_800]);
  assert.deepEqual(figures([at(0), late, at(2_800), tooLate]), [1, 2, 1, 0, 2_800]);
  assert.deepEqual(figures([at(0), tooLate, at(4_602)]), [1, 2, 2, 100, 0]);
});

test('an event ends a bounce, also when there is nothing else', () => {
  assert.deepEqual(figures([at(0, { event: 'signup' })]), [1, 0, 1, 0, 0]);
  assert.deepEqual(figures([at(0), at(0, { event: 'signup' })]), [1, 1, 1, 0, 0]);
});

test('what comes late is put where it belongs, and the first of one second is the first that came', () => {
  const hits = [at(20, { page: '/c' }), at(10, { page: '/b', source: 'b.org' }), at(10, { page: '/a' })];
  assert.deepEqual(rows(hits, 'entry_pages'), [['/b', 1]]);
  assert.deepEqual(rows(hits, 'exit_pages'), [['/c', 1]]);
  assert.deepEqual(rows(hits, 'referrers'), [['b.org', 1]]);
});

test('a page filter counts the hits on it, and the whole visits that have one', () => {
  const hits = [at(0, { page: '/a' }), at(60, { page: '/b' }), at(90, { page: '/b', event: 'e' })];
  const other = [at(0, { visitor: 2, page: '/a' })];
  assert.deepEqual(figures([...hits, ...other], { range: 'today', 'filters[page]': '/b/' }), [1, 1, 1, 0, 90]);
  assert.deepEqual(rows(hits, 'pages', { 'filters[page]': '/b' }), [['/b', 1]]);
  assert.deepEqual(rows(hits, 'entry_pages', { 'filters[page]': '/b' }), [['/a', 1]]);
  assert.deepEqual(rows(hits, 'events', { 'filters[page]': '/a' }), []);
});

test('rows are ordered by visitors, then by code point, and cut at the limit', () => {
  const labels = ['\u{1f600}', '\uff5e', 'b', 'B', 'ba', ''];
  const hits = labels.map((label, visitor) => at(0, { visitor, event: 'e', label }));
  const twice = [
    ...hits,
    at(1, { visitor: 9, event: 'e', label: 'ba' }),
    at(2, { visitor: 9, event: 'e', label: 'ba' }),
  ];
  assert.deepEqual(rows(twice, 'event_labels', { event: 'e' }), [
    ['ba', 2],
    ['B', 1],
    ['b', 1],
    ['\uff5e', 1],
    ['\u{1f600}', 1],
  ]);
  assert.deepEqual(rows(twice, 'event_labels', { event: 'e', limit: '1' }), [['ba', 2]]);
  assert.deepEqual(rows(twice, 'event_labels', { event: 'E' }), []);
});

test('only tags and labels leave out the empty value', () => {
  const hits = [at(0)];
  assert.deepEqual(rows(hits, 'countries'), [['', 1]]);
  assert.deepEqual(rows(hits, 'referrers'), [['', 1]]);
  assert.deepEqual(rows(hits, 'utm_source'), []);
});

test('whoever comes twice from two sources counts once under each, and once under one', () => {
  const hits = [at(0, { source: 'x.org' }), at(4_000, { source: 'y.org' }), at(8_000, { source: 'x.org' })];
  assert.deepEqual(rows(hits, 'referrers'), [
    ['x.org', 1],
    ['y.org', 1],
  ]);
  assert.deepEqual(figures(hits, { range: 'today', 'filters[source]': 'www.X.org' }), [1, 2, 2, 100, 0]);
});

test('an overview compares the figures it answers with, and halves go away from zero', () => {
  const day = (day: number, visits: number, bounces: number): Hit[] =>
    Array.from({ length: visits }, (_, visitor) => [
      pageview({ day, visitor }),
      ...(visitor < bounces ? [] : [pageview({ day, visitor, second: 43_205 })]),
    ]).flat();
  // 1 of 16 is 6.25 %, which is answered as 6.3; 3 of 8 is 37.5. Seconds: 75 of 16 visits are 4.69, 25 of 8 are 3.125.
  const { change, previous, ...current } = ask({ hits: [...day(TODAY, 16, 1), ...day(TODAY - 1, 8, 3)] }, 'overview');
  assert.deepEqual(current, {
    from: '2026-03-10T00:00:00Z',
    to: '2026-03-10T23:59:59Z',
    filters: {},
    visitors: 16,
    pageviews: 31,
    visits: 16,
    bounce_rate: 6.3,
    visit_duration: 5,
  });
  assert.deepEqual(previous, {
    from: '2026-03-09T00:00:00Z',
    to: '2026-03-09T23:59:59Z',
    visitors: 8,
    pageviews: 13,
    visits: 8,
    bounce_rate: 37.5,
    visit_duration: 3,
  });
  // (31 - 13) / 13 = 138.46 %, (6.3 - 37.5) / 37.5 = -83.2 %, (5 - 3) / 3 = 66.67 %.
  assert.deepEqual(change, { visitors: 100, pageviews: 138.5, visits: 100, bounce_rate: -83.2, visit_duration: 66.7 });
  // (15 - 16) / 16 is -6.25 %.
  assert.equal(ask({ hits: [...day(TODAY, 15, 0), ...day(TODAY - 1, 16, 0)] }, 'overview').change.visits, -6.3);
  assert.equal(ask({ hits: day(TODAY, 1, 0) }, 'overview').change.visits, null);
});

test('ranges are whole days up to today, and a previous period is as long', () => {
  const bounds = (range: string): string[] => {
    const { from, to, previous } = ask({}, 'overview', range === '' ? {} : { range });
    return [from, to, previous.from, previous.to].map((moment) => moment.slice(0, 10));
  };
  assert.deepEqual(bounds('today'), ['2026-03-10', '2026-03-10', '2026-03-09', '2026-03-09']);
  assert.deepEqual(bounds('7d'), ['2026-03-04', '2026-03-10', '2026-02-25', '2026-03-03']);
  assert.deepEqual(bounds('30d'), ['2026-02-09', '2026-03-10', '2026-01-10', '2026-02-08']);
  assert.deepEqual(bounds(''), bounds('30d'));
  // 344 days.
  assert.deepEqual(bounds('12m'), ['2025-04-01', '2026-03-10', '2024-04-22', '2025-03-31']);
  assert.deepEqual(bounds('2024-02-29~2024-03-01'), ['2024-02-29', '2024-03-01', '2024-02-27', '2024-02-28']);
});

test('a series has every day, and beyond 90 days every month', () => {
  const hits = [pageview(), pageview({ day: TODAY - 1 }), pageview({ day: TODAY - 10 })];
  assert.deepEqual(ask({ hits }, 'timeseries', { range: '2026-03-09~2026-03-11' }).points, [
    { date: '2026-03-09', visitors: 1, pageviews: 1 },
    { date: '2026-03-10', visitors: 1, pageviews: 1 },
    { date: '2026-03-11', visitors: 0, pageviews: 0 },
  ]);
  const days = ask({ hits }, 'timeseries', { range: '2025-12-11~2026-03-10' });
  assert.deepEqual([days.interval, days.points.length], ['day', 90]);
  const months = ask({ hits }, 'timeseries', { range: '2025-12-10~2026-03-10' });
  assert.equal(months.interval, 'month');
  assert.deepEqual(months.points, [
    { date: '2025-12', visitors: 0, pageviews: 0 },
    { date: '2026-01', visitors: 0, pageviews: 0 },
    { date: '2026-02', visitors: 1, pageviews: 1 },
    { date: '2026-03', visitors: 2, pageviews: 2 },
  ]);
});

test('goals count who reached them and how often, of all who were there', () => {
  const goals = [
    { id: 7, type: 'event', value: '/a' },
    { id: 5, type: 'page', value: '/a' },
  ] as const;
  const hits = [
    at(0, { page: '/a' }),
    at(1, { page: '/a' }),
    at(2, { page: '/a', event: 'e' }),
    at(0, { visitor: 2 }),
    at(0, { visitor: 3 }),
  ];
  assert.deepEqual(ask({ hits, goals }, 'goals').goals, [
    { id: 5, type: 'page', value: '/a', visitors: 1, conversions: 2, conversion_rate: 33.33 },
    { id: 7, type: 'event', value: '/a', visitors: 0, conversions: 0, conversion_rate: 0 },
  ]);
  const reached = ask({ hits, goals }, 'overview', { range: 'today', 'filters[goal]': '5' });
  assert.deepEqual([reached.filters, reached.visitors, reached.pageviews], [{ goal: 5 }, 1, 2]);
});

test('a funnel goes through the visits of a day in order, a hit for each step', () => {
  const steps = ['/a', '/b', '/b'].map((value) => ({ type: 'page' as const, value }));
  const funnels = [{ id: 4, name: 'f', steps }];
  const of = (visitor: number, ...pages: string[]): Hit[] =>
    pages.map((page, step) => at(step * 2_000, { visitor, page }));
  const hits = [...of(1, '/a', '/b', '/c', '/b'), ...of(2, '/b', '/a', '/b'), ...of(3, '/a'), ...of(4, '/b')];
  const { funnel, steps: answered } = ask({ hits, funnels }, 'funnels/4');
  assert.deepEqual(funnel, { id: 4, name: 'f' });
  assert.deepEqual(answered, [
    { type: 'page', value: '/a', visitors: 3, share_of_previous: 100, share_of_first: 100 },
    { type: 'page', value: '/b', visitors: 2, share_of_previous: 66.7, share_of_first: 66.7 },
    { type: 'page', value: '/b', visitors: 1, share_of_previous: 50, share_of_first: 33.3 },
  ]);
  // Only the visits of one page each stay, and none of them is a way to /b.
  const narrowed = ask({ hits, funnels }, 'funnels/4', { range: 'today', 'filters[page]': '/a' });
  assert.deepEqual(
    narrowed.steps.map((step: { visitors: number }) => step.visitors),
    [3, 0, 0],
  );
  assert.deepEqual(ask({ funnels }, 'funnels/4').steps[0].share_of_first, 0);
});

test('crawlers are all there, most requests first, and their pages may be those of one', () => {
  const crawler = (id: string) => ({ id, name: id.toUpperCase(), operator: 'o', purpose: 'search' });
  const crawls = ['a /x', 'b /x', 'b /y', 'b /y'].map((text) => {
    const [crawler = '', page = ''] = text.split(' ');
    return { day: TODAY, crawler, page };
  });
  const site = { crawls, crawlers: [crawler('a'), crawler('b'), crawler('c')] };
  assert.deepEqual(ask(site, 'bots'), {
    from: '2026-03-10T00:00:00Z',
    to: '2026-03-10T23:59:59Z',
    total: 4,
    crawlers: [
      { crawler: 'b', name: 'B', operator: 'o', purpose: 'search', requests: 3 },
      { crawler: 'a', name: 'A', operator: 'o', purpose: 'search', requests: 1 },
    ],
    pages: [
      { page: '/x', requests: 2 },
      { page: '/y', requests: 2 },
    ],
  });
  assert.deepEqual(ask(site, 'bots', { range: 'today', crawler: 'a' }).pages, [{ page: '/x', requests: 1 }]);
  assert.equal(ask(site, 'bots', { range: '2026-03-01~2026-03-09' }).total, 0);
});
