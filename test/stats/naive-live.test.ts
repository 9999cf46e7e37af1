import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { naive } from './naive.ts';

const NOON = TODAY * 86_400 + 43_200;
const NOTHING = { crawls: [], goals: [], funnels: [], crawlers: [] };

/** What the reference answers at a moment about some hits. */
function ask(hits: Hit[], path: 'realtime' | 'live', now: number) {
  // biome-ignore lint/suspicious/noExplicitAny: the cases look into parts of many shapes
  return naive({ ...NOTHING, hits }, { path, query: {} }, now) as any;
}

test('realtime counts the last 300 s, also over midnight', () => {
  const hits = [42_899, 42_900, 43_200, 43_201].map((second, visitor) => pageview({ second, visitor }));
  assert.deepEqual(ask(hits, 'realtime', NOON), {
    from: '2026-03-10T11:55:00Z',
    to: '2026-03-10T12:00:00Z',
    filters: {},
    visitors: 2,
  });
  const night = [pageview({ day: TODAY - 1, second: 86_200 }), pageview({ second: 10 }), pageview({ second: 20 })];
  assert.equal(ask(night, 'realtime', TODAY * 86_400 + 60).visitors, 2);
});

test('live has thirty minutes of the clock, in each of which somebody counts who did something', () => {
  const now = NOON + 30;
  const hits = [
    pageview({ second: 43_200 - 29 * 60 - 1, page: '/gone' }),
    pageview({ second: 43_200 - 29 * 60, visitor: 2, page: '/a', source: 'x.org', country: 'DE' }),
    pageview({ second: 43_199, visitor: 2, page: '/b' }),
    pageview({ second: 43_200, visitor: 2, page: '/b' }),
    pageview({ second: 43_230, visitor: 3, page: '/b', event: 'signup' }),
    pageview({ second: 43_231, visitor: 4, page: '/later' }),
  ];
  const { minutes, ...found } = ask(hits, 'live', now);
  assert.deepEqual(found, {
    from: '2026-03-10T11:31:00Z',
    to: '2026-03-10T12:00:30Z',
    filters: {},
    visitors: 2,
    pages: [
      { value: '/a', visitors: 1 },
      { value: '/b', visitors: 1 },
    ],
    referrers: [
      { value: '', visitors: 1 },
      { value: 'x.org', visitors: 1 },
    ],
    countries: [
      { value: '', visitors: 1 },
      { value: 'DE', visitors: 1 },
    ],
    events: [{ value: 'signup', visitors: 1 }],
  });
  const busy = minutes.filter(({ visitors }: { visitors: number }) => visitors > 0);
  assert.equal(minutes.length, 30);
  assert.deepEqual(busy, [
    { at: '2026-03-10T11:31:00Z', visitors: 1, pageviews: 1 },
    { at: '2026-03-10T11:59:00Z', visitors: 1, pageviews: 1 },
    { at: '2026-03-10T12:00:00Z', visitors: 2, pageviews: 1 },
  ]);
});
