import { test } from 'node:test';
import { pageview, TODAY } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import type { Question } from '../../stats/naive.ts';
import { openSite } from '../../stats/stage.ts';
import { ON_CLUSTER, startApp } from '../../support/helpers.ts';

const DAYS = 20;
const HITS = Array.from({ length: DAYS }, (_, ago) =>
  Array.from({ length: 9 }, (_, visitor) => {
    const from = { day: TODAY - ago, visitor, country: ['DE', 'US', 'FR'][visitor % 3] ?? '' };
    return [
      pageview({ ...from, second: 1_000, page: `/${visitor % 2}` }),
      pageview({ ...from, second: 1_100, page: `/${visitor % 4}`, ...(visitor % 3 === 0 ? { event: 'buy' } : {}) }),
      ...(visitor % 4 === 0 ? [pageview({ ...from, second: 9_000, page: '/1' })] : []),
    ];
  }).flat(),
).flat();

const FILTERS = [
  { 'filters[country]': 'DE' },
  { 'filters[country][not]': 'DE' },
  { 'filters[page]': '/1' },
  { 'filters[page][unlike]': '/1*', 'filters[country][is]': ['DE', 'US'] },
  { 'filters[event]': 'buy' },
  { 'filters[event][not]': 'buy' },
  { 'filters[source]': 'nobody.example' },
  { 'filters[pageviews]': '2' },
];
const REPORTS = ['overview', 'breakdown/pages', 'breakdown/countries'];
const QUESTIONS: Question[] = FILTERS.flatMap((filters) =>
  REPORTS.map((path) => ({ path, query: { range: `${date(TODAY - DAYS)}~${date(TODAY)}`, ...filters } })),
);

test('each question is answered alike, whichever asked for the same visits before, and whatever is set aside since', async (t) => {
  const app = await startApp(t);
  const { store, agree, exclude } = await openSite(app);
  await store(HITS);
  await agree('open', QUESTIONS);
  await app.seal();
  await agree('sealed', QUESTIONS);
  await agree('again', QUESTIONS.toReversed());
  if (ON_CLUSTER) return;
  await exclude(TODAY - 15, TODAY - 5, { 'filters[country]': ['DE'] });
  await agree('set aside', QUESTIONS);
  await exclude(TODAY - 10, TODAY - 2, { 'filters[page][like]': ['/1*'] });
  await agree('more set aside', QUESTIONS.toReversed());
  await app.engine.upkeep.remakeSums();
  await agree('and added up again', QUESTIONS);
});
