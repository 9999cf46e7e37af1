import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Daybook, QueryKey, QueryMetric, QueryMetrics, Table } from '../../client/src/index.ts';
import { stage } from './stage.ts';

/** Compiles only if both types are the same. */
type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : { one: One; other: Other };
const same = <_ extends true>(): void => {};

const SITE = 'example.com';

test('client: a query gives rows with a value for each key, and only the metrics that it names', async (t) => {
  const { daybook, count } = await stage(t);
  await count('/a', '/b');
  const { rows, by, total_rows } = await daybook.query(SITE, {
    by: ['page', 'weekday'],
    metrics: ['pageviews', 'visitors'],
    range: 'today',
    sort: 'page',
  });
  const expected: typeof rows = [
    { by: ['/a', 2], metrics: { pageviews: 1, visitors: 1 } },
    { by: ['/b', 2], metrics: { pageviews: 1, visitors: 1 } },
  ];
  assert.deepEqual([rows, by, total_rows], [expected, ['page', 'weekday'], 2]);
  const revenue = await daybook.query(SITE, { metrics: ['revenue', 'bounce_rate'], currency: 'EUR', range: 'today' });
  assert.deepEqual(revenue.rows, [{ by: [], metrics: { revenue: '0.00', bounce_rate: 0 } }]);
  const compared = await daybook.query(SITE, { by: ['country'], range: 'today', compare: 'previous' });
  assert.deepEqual(compared.rows, [{ by: [compared.rows[0]?.by[0]], metrics: { visitors: 1 }, previous: null }]);
  const filtered = await daybook.query(SITE, {
    filters: { page: '/a', pageviews: 2 },
    any: [{ 'property:plan': 'pro' }],
  });
  assert.deepEqual(filtered.rows[0]?.metrics ?? { visitors: 0 }, { visitors: 0 });
});

test('client: a query can be cancelled, and an error has its fields', async (t) => {
  const { daybook } = await stage(t);
  const leaving = new AbortController();
  leaving.abort();
  await assert.rejects(daybook.query(SITE, {}, { signal: leaving.signal }), { name: 'AbortError' });
  await assert.rejects(daybook.query(SITE, { by: ['page'], metrics: ['bounce_rate'] }), {
    status: 422,
    message: /metrics: Rows with these keys do not have the metric bounce_rate/,
  });
});

test('client: the types of an answer follow from the question', () => {
  // The type checker alone reads this.
  const types = async ({ query }: Daybook, keys: QueryKey[], metrics: QueryMetric[]) => {
    const two = await query(SITE, { by: ['country', 'week'], metrics: ['visitors', 'revenue'] });
    same<Same<(typeof two.rows)[number]['by'], [string, string]>>();
    same<Same<(typeof two.rows)[number]['metrics'], { visitors: number; revenue: string | null }>>();
    same<Same<typeof two.by, ['country', 'week']>>();
    const times = await query(SITE, { by: ['hour_of_day', 'property:plan', 'weekday'], metrics: ['visit_duration'] });
    same<Same<(typeof times.rows)[number]['by'], [number, string, number]>>();
    same<Same<(typeof times.rows)[number]['metrics'], { visit_duration: number | null }>>();
    const plain = await query(SITE, {});
    same<Same<(typeof plain.rows)[number]['by'], []>>();
    same<Same<(typeof plain.rows)[number]['metrics'], { visitors: number }>>();
    const unknown = await query(SITE, { by: keys, metrics });
    same<Same<(typeof unknown.rows)[number]['by'], (string | number)[]>>();
    same<Same<(typeof unknown.rows)[number]['metrics'], QueryMetrics>>();
    const compared = await query(SITE, { metrics: ['count'], by: ['event'], compare: 'year' });
    same<Same<(typeof compared.rows)[number]['previous'], { count: number } | null>>();
    const question = { by: ['browser'], sort: 'browser' } as const;
    const kept: Table<typeof question> = await query(7, question);
    same<Same<(typeof kept.rows)[number]['by'], [string]>>();

    // @ts-expect-error: the answer has only the metrics of the question
    two.rows[0]?.metrics.visits;
    // @ts-expect-error: there is no third key
    two.rows[0]?.by[2];
    // @ts-expect-error: a revenue is a text, because it is exact
    const amount: number | undefined | null = two.rows[0]?.metrics.revenue;
    // @ts-expect-error: without compare, there is nothing before
    two.rows[0]?.previous;
    // @ts-expect-error: no such key
    await query(SITE, { by: ['colour'] });
    // @ts-expect-error: no such metric
    await query(SITE, { metrics: ['clicks'] });
    // @ts-expect-error: no such field
    await query(SITE, { rnage: '7d' });
    // @ts-expect-error: no such filter
    await query(SITE, { filters: { county: 'DE' } });
    // @ts-expect-error: no such filter in a group
    await query(SITE, { any: [{ country: 'DE' }, { county: 'DE' }] });
    // @ts-expect-error: no such device
    await query(SITE, { filters: { device: 'Toaster' } });
    // @ts-expect-error: no such operator
    await query(SITE, { any: [{ page: { likes: ['/'] } }] });
    // @ts-expect-error: rows are sorted by what they have
    await query(SITE, { by: ['page'], sort: 'pageviews' });
    // @ts-expect-error: at most three keys
    await query(SITE, { by: ['page', 'country', 'day', 'device'] });
    // @ts-expect-error: the interval is a key
    await query(SITE, { interval: 'day' });
    return amount;
  };
  assert.equal(typeof types, 'function');
});
