import { test } from 'node:test';
import fc from 'fast-check';
import { BREAKDOWN_NAMES, type Breakdown } from '../../src/stats/dimensions.ts';
import { findFigure, METRIC_NAMES } from '../../src/stats/metrics.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import type { Question } from './naive.ts';
import { site } from './random.ts';
import { labelled } from './random-zones.ts';
import { shapes } from './shapes.ts';
import { openSite } from './stage.ts';
import type { Query } from './visits.ts';

const FILTERS: Query[] = [
  {},
  { 'filters[page][like]': ['/a*', '*b'] },
  { 'filters[event][unlike]': ['s*'], 'filters[country][not]': ['US', ''] },
];

/** The breakdowns that list the parts of something else, which a question must name. */
const PARTS_OF: Partial<Record<Breakdown, Query>> = {
  event_labels: { event: 'signup' },
  property_values: { property: 'plan' },
};

/** All figures of all breakdowns, in the order of each. */
const QUESTIONS: Question[] = BREAKDOWN_NAMES.flatMap((breakdown) => {
  const metrics = METRIC_NAMES.filter((metric) => findFigure(breakdown, metric));
  return [undefined, ...metrics].map((sort, i) => ({
    path: `breakdown/${breakdown}`,
    query: {
      range: i % 2 === 0 ? '30d' : '12m',
      metrics: metrics.join(),
      ...(metrics.includes('revenue') ? { currency: 'EUR' } : {}),
      ...PARTS_OF[breakdown],
      ...FILTERS[i % FILTERS.length],
      ...(sort ? { sort } : {}),
      ...(i % 3 === 0 ? { order: 'asc' } : {}),
      ...(i % 4 === 3 ? { search: 'A', offset: '1' } : {}),
    },
  }));
});

const TIMES: Question[] = FILTERS.map((filters) => ({
  path: 'overview',
  query: { range: '7d', metrics: 'time_on_page,revenue', currency: 'EUR', ...filters },
}));

const GOALS: Question = { path: 'goals', query: { range: '7d', metrics: 'revenue', currency: 'EUR' } };

/** Who reached neither goal, of whom a large day reads only those who were there lately. */
const NEITHER = { path: 'realtime', query: { 'filters[goal][not]': ['0', '1'] }, like: null };

/** Two who were there lately and nowhere else, of whom one reached a goal. */
const LATELY = ['/a', '/z'].map((page, i) => pageview({ second: 43_190, visitor: 7 + i, page }));

/** A visit that more comes to. */
const BEFORE = [
  pageview({ second: 43_189, visitor: 99, page: '/ab' }),
  pageview({ second: 43_190, visitor: 99, page: '/z' }),
  pageview({ second: 43_190, visitor: 99, page: '/z', engaged: 3 }),
];

/** What comes to it after it was counted: it then has more figures of every kind, and reaches both goals. */
const MORE = [
  pageview({ second: 43_191, visitor: 99, page: '/ab' }),
  pageview({ second: 43_192, visitor: 99, page: '/ab', engaged: 7 }),
  pageview({ second: 43_193, visitor: 99, page: '/z', engaged: 5 }),
  pageview({ second: 43_194, visitor: 99, page: '/ab', event: 'signup' }),
];

/** A day without pageviews: nothing tells for how long a page was seen. */
const EVENTS = [
  pageview({ day: TODAY - 5, second: 100, visitor: 98, page: '/ab', event: 'signup' }),
  pageview({ day: TODAY - 5, second: 110, visitor: 98, page: '/ab', engaged: 5 }),
];

for (const [name, limits] of shapes()) {
  test(`every figure of every row is that of the reference, open, topped up and sealed${name}`, async (t) => {
    const app = await startApp(t, {}, { limits });
    const goals = [{ type: 'event', value: 'signup' } as const, { type: 'page', value: '/a*' } as const];
    const property = fc.asyncProperty(site, async (planned) => {
      fc.pre(planned.hits.length > 20);
      const { store, agree, finish } = await openSite(app, { ...planned, goals });
      const questions = [...QUESTIONS, ...TIMES, GOALS, ...finish([NEITHER], planned.hits)];
      await store([...planned.hits, ...labelled([...LATELY, ...BEFORE, ...EVENTS], planned.zones)]);
      await app.engine.upkeep.compact();
      await agree('open', questions);
      await store(labelled(MORE, planned.zones));
      await agree('topped up', questions);
      await app.seal();
      await agree('sealed', questions);
    });
    await fc.assert(property, { numRuns: share(2) });
  });
}
