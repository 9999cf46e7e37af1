import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Hit, pageview, TODAY } from '../collect/stage.ts';
import { naive, type Question } from '../stats/naive.ts';
import { share, startApp } from '../support/helpers.ts';
import { dataOf } from '../support/requests.ts';
import { hereOn } from './here.ts';
import { DAY, type Line, moment, now } from './importing.ts';

const PAGES = ['/', '/a', '/b', '/b/c'];
const SOURCES = ['', 'x.org', 'y.org'];
const WORDS = ['', '', 'a', 'B', 'ü', '(other)', 'o\'hare "x"'];

/** Hits and signs of life of some days, not in their order; today's are not in the future. */
const hit = fc
  .record({
    back: fc.constantFrom(0, 1, 1, 2, 7, 40),
    second: fc.oneof(fc.constantFrom(0, 1_800, 1_801, 3_601, 86_399), fc.nat(86_399)),
    visitor: fc.nat(4),
    page: fc.constantFrom(...PAGES),
    engaged: fc.constantFrom(null, null, 20, 40),
    event: fc.constantFrom('', '', 'buy', 'ü'),
    label: fc.constantFrom(...WORDS),
    source: fc.constantFrom(...SOURCES),
    utm_source: fc.constantFrom(...WORDS),
    utm_medium: fc.constantFrom(...WORDS),
    utm_campaign: fc.constantFrom(...WORDS),
    country: fc.constantFrom('', 'DE', 'US'),
    device: fc.constantFrom('', 'Desktop', 'Mobile', 'Tablet'),
    browser: fc.constantFrom(...WORDS),
    os: fc.constantFrom(...WORDS),
  })
  .map(({ back, second, event, label, ...said }): Hit => {
    const [day, isEvent] = [TODAY - back, said.engaged === null && event !== ''];
    return pageview({
      ...said,
      day,
      second: back === 0 ? second % ((now % DAY) + 1) : second,
      event: isEvent ? event : '',
      label: isEvent ? label : '',
    });
  });

const lineOf = ({ day, second, visitor, page, source, utm_source, utm_medium, utm_campaign, ...said }: Hit): string => {
  const { engaged, event, label, country, device, browser, os } = said;
  const url = `https://example.com${page}?${new URLSearchParams({ utm_source, utm_medium, utm_campaign })}`;
  const referrer = source && `https://www.${source}/page`;
  const words = { event, label, country, device, browser, os, ...(engaged === null ? {} : { engaged }) };
  return `${JSON.stringify({ at: moment(day, second), url, referrer, visitor: `v${visitor}`, ...words })}\n`;
};

const REPORTS = [
  'overview',
  'timeseries',
  ...'pages entry_pages exit_pages referrers utm_source utm_medium utm_campaign countries devices browsers operating_systems events'
    .split(' ')
    .map((name) => `breakdown/${name}`),
];
const QUERIES = [
  {},
  { range: 'today' },
  { range: '12m' },
  { range: '12m', 'filters[page]': '/b' },
  { range: '12m', 'filters[source]': 'x.org', 'filters[country]': 'DE' },
];

const INTERVALS = [
  { interval: 'hour' },
  { interval: 'hour', 'filters[page]': '/b' },
  { range: '12m', interval: 'week' },
];

const QUESTIONS: Question[] = [
  ...REPORTS.flatMap((path) => QUERIES.map((query) => ({ path, query: query as Line }))),
  ...INTERVALS.map((query) => ({ path: 'timeseries', query: query as Line })),
  ...['overview', 'breakdown/pages'].map((path) => ({ path, query: { range: '12m', metrics: 'time_on_page' } })),
];

test('any file counts as the reference counts its hits, and again when it is brought in once more', async (t) => {
  const app = await startApp(t);
  const file = `${app.config.db}.ndjson`;
  let sites = 0;
  // A file with signs of life only is refused: it has no hits.
  const some = fc
    .array(hit, { minLength: 1, maxLength: 80, size: 'max' })
    .filter((hits) => hits.some(({ engaged }) => engaged === null));
  const property = fc.asyncProperty(some, async (hits) => {
    const domain = `site${sites++}.example`;
    const siteId = app.site(app.owner, domain);
    writeFileSync(file, hits.map(lineOf).join(''));
    // The lines of a file may stand in any order, and count as if they had come in that of time.
    const inOrder = [...hits].sort((one, other) => one.second - other.second);
    const site = { hits: inOrder, crawls: [], goals: [], funnels: [], crawlers: [] };
    for (const flags of [[], ['--replace']]) {
      await hereOn(app, 'import', domain, file, '--format', 'ndjson', ...flags);
      for (const question of QUESTIONS) {
        const url = `/sites/${siteId}/stats/${question.path}`;
        const answer = await app.owner.ask('GET', `${url}?${new URLSearchParams(question.query as Line)}`);
        const expected = naive(site, question, now);
        assert.deepEqual({ question, data: dataOf(answer, 'GET', url) }, { question, data: expected });
      }
    }
  });
  await fc.assert(property, { numRuns: share(3) });
});
