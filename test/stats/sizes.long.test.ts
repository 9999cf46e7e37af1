import { type TestContext, test } from 'node:test';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { startApp } from '../support/helpers.ts';
import { date } from './days.ts';
import { openSite } from './stage.ts';

const YESTERDAY = TODAY - 1;
const BREAKDOWNS = ['pages', 'entry_pages', 'exit_pages', 'referrers', 'browsers', 'operating_systems', 'events'];

/** Asks for all that is kept of a day, and filters for a word, while the day is open and when it is sealed. */
async function agreeAbout(t: TestContext, hits: readonly Hit[], word: string): Promise<void> {
  const app = await startApp(t);
  const page = { type: 'page', value: `/${word}` } as const;
  const event = { type: 'event', value: 'e' } as const;
  const { store, finish, agree } = await openSite(app, { goals: [page, event], funnels: [[page, event, page]] });
  for (let from = 0; from < hits.length; from += 9_000) await store(hits.slice(from, from + 9_000));
  const filters = [{}, { 'filters[page]': page.value }, { 'filters[browser]': word }, { 'filters[event]': 'e' }];
  const asked = [
    ...['overview', 'goals', 'funnels/0', 'journeys'].flatMap((path) => filters.map((query) => ({ path, query }))),
    ...BREAKDOWNS.map((name, i) => ({ path: `breakdown/${name}`, query: filters[i % 2] ?? {} })),
    { path: 'breakdown/event_labels', query: { event: 'e', limit: '100' } },
  ];
  const questions = finish(
    asked.map((question) => ({ ...question, like: null })),
    [],
  );
  await agree('open', questions);
  await app.seal();
  await agree('sealed', questions);
}

/** So many visitors with words of their own; the last does as many things in one visit. */
function crowd(count: number): { hits: Hit[]; word: string } {
  const hits = Array.from({ length: count }, (_, visitor) => {
    const word = String(visitor);
    const words = { page: `/${word}`, source: `${word}.org`, browser: word, os: word };
    return pageview({ day: YESTERDAY, visitor, second: visitor, ...words });
  });
  const word = String(count - 1);
  for (let n = 0; n < count; n++) {
    const said = n % 2 === 0 ? { event: 'e', label: String(n) } : {};
    hits.push(pageview({ day: YESTERDAY, visitor: count - 1, second: count + n, page: `/${word}`, ...said }));
  }
  return { hits, word };
}

for (const count of [1, 2, 255, 256, 257]) {
  test(`a day of ${count} visitors, pages, sources and browsers`, async (t) => {
    const { hits, word } = crowd(count);
    await agreeAbout(t, hits, word);
  });
}

test('a visit may last all day', async (t) => {
  const moments = Array.from({ length: 48 }, (_, n) => n * 1_800);
  const hits = moments.map((second) => pageview({ day: YESTERDAY, second, page: '/a', browser: 'a' }));
  await agreeAbout(t, [...hits, pageview({ day: YESTERDAY, second: 86_399, event: 'e' })], 'a');
});

test('a day may have more visits than two bytes can number', async (t) => {
  const hits = Array.from({ length: 65_600 }, (_, visitor) => {
    const word = String(visitor % 3_000);
    return pageview({ day: YESTERDAY, visitor, second: visitor % 86_400, page: `/${word}`, browser: `${visitor % 7}` });
  });
  // The day before knows only words with small numbers.
  const before = [pageview({ day: YESTERDAY - 1, page: '/0', browser: '0' })];
  await agreeAbout(t, [...before, ...hits, ...hits.slice(-2).map((hit) => ({ ...hit, event: 'e' }))], '3');
});

test('a range of any length has its own days and no others', async (t) => {
  const app = await startApp(t);
  const steps = ['/a', '/b'].map((value) => ({ type: 'page' as const, value }));
  const { store, finish, agree } = await openSite(app, { goals: steps, funnels: [steps] });
  const days = Array.from({ length: 140 }, (_, back) => TODAY - back);
  await store(days.flatMap((day) => ['/a', '/b'].map((page) => pageview({ day, page, country: 'DE' }))));
  const ranges = [30, 31, 59, 60, 61, 62, 63, 90, 91, 121].flatMap((length) =>
    (length % 2 === 0 ? [TODAY, TODAY - 10] : [TODAY - 1, TODAY - 9]).map(
      (last) => `${date(last - length + 1)}~${date(last)}`,
    ),
  );
  const drafts = ranges.flatMap((range, i) =>
    ['overview', 'timeseries', 'breakdown/pages', 'goals', 'funnels/0', 'journeys'].map((path) => ({
      path,
      query: { range, ...(i % 4 === 0 ? {} : { 'filters[country]': 'DE' }) },
      like: null,
    })),
  );
  const questions = finish(drafts, []);
  await agree('open', questions);
  await app.seal();
  await agree('sealed', questions);
});
