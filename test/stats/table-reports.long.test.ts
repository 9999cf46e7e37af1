// Each fixed report is a case of a query: its figures are those of the query with its keys.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BREAKDOWN_NAMES, BREAKDOWNS, DIMENSIONS } from '../../src/stats/dimensions.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { asking, filtersAmong, site } from './random.ts';
import { openSite } from './stage.ts';
import { countsOf, METRICS_OF } from './table.ts';
import { filtersIn, type Query } from './visits.ts';

const FILTERED = 'page hostname source country channel device event pageviews entry property:plan'.split(' ');
const RANGE = { range: '30d' };
const CURRENCY = 'EUR';

type Row = Record<string, unknown>;
type TableRow = { by: [string | number]; metrics: Row };
type Given = { site: Awaited<ReturnType<typeof openSite>>; query: Query; ask(body: object): Promise<TableRow[]> };

/** The figures of the days that have any. A query has no row for days without visitors. */
async function compareDays({ site, query, ask }: Given): Promise<void> {
  for (const interval of ['day', 'week', 'month', 'hour']) {
    const { points } = await site.ask({ path: 'timeseries', query: { ...query, range: '7d', interval } });
    const rows = await ask({ range: '7d', by: [interval], metrics: ['visitors', 'pageviews'], sort: interval });
    assert.deepEqual(
      rows.map(({ by: [date], metrics }) => ({ date, ...metrics })),
      points
        .filter(({ visitors }: { visitors: number }) => visitors > 0)
        .map(({ date, visitors, pageviews }: Row) => ({ date, visitors, pageviews })),
      interval,
    );
  }
}

async function compareOverview({ site, query, ask }: Given): Promise<void> {
  const names = ['visitors', 'pageviews', 'visits', 'bounce_rate', 'visit_duration', 'revenue'];
  const money = { metrics: 'revenue', currency: CURRENCY };
  const overview = await site.ask({ path: 'overview', query: { ...query, ...RANGE, ...money } });
  const [row] = await ask({ ...RANGE, metrics: names, currency: CURRENCY });
  if (row) assert.deepEqual(row.metrics, Object.fromEntries(names.map((name) => [name, overview[name]])));
  else assert.equal(overview.visitors, 0);
}

/** Labels need an event, and a hit may have several properties, so neither is a key. */
const COMPARED = BREAKDOWN_NAMES.filter((name) => DIMENSIONS[BREAKDOWNS[name]].filter);

async function compareBreakdowns({ site, query, ask }: Given): Promise<void> {
  for (const breakdown of COMPARED) {
    const key = BREAKDOWNS[breakdown];
    const { counts, keepsEmpty } = DIMENSIONS[key];
    const own = METRICS_OF[countsOf([key])].split(' ').filter((name) => !name.startsWith('conver'));
    const metrics = counts === 'hits' ? ['count'] : own;
    const more = metrics.includes('revenue') ? { currency: CURRENCY } : {};
    const rows = await ask({ ...RANGE, by: [key], metrics: ['visitors', ...metrics], limit: 100, ...more });
    const asked = { ...query, ...RANGE, metrics: metrics.join(), limit: '100', ...more };
    const answer = await site.ask({ path: `breakdown/${breakdown}`, query: asked });
    assert.deepEqual(
      rows
        .filter(({ by: [value] }) => keepsEmpty || value !== '')
        .map(({ by: [value], metrics: of }) => ({ value, ...of })),
      answer.rows,
      breakdown,
    );
  }
}

/** A goal counts the conversions of all selected visits, as a query does that names no key. */
async function compareGoals({ site, query, ask }: Given): Promise<void> {
  const { goals } = await site.ask({ path: 'goals', query: { ...query, ...RANGE } });
  for (const { id, conversions, conversion_rate } of goals) {
    const metrics = ['conversions', 'conversion_rate'];
    const [row] = await ask({ ...RANGE, metrics, goal: id });
    assert.deepEqual(row?.metrics ?? { conversions: 0, conversion_rate: 0 }, { conversions, conversion_rate });
  }
}

const keepFilters = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name.startsWith('filters')));

test('query: each fixed report is a case of it, over any hits and filters', async (t) => {
  const app = await startApp(t, {}, { threaded: true });
  const filters = asking(1, 'overview', filtersAmong(FILTERED)).arbitrary;
  const property = fc.asyncProperty(
    site,
    fc.noShrink(fc.array(filters, { minLength: 2, maxLength: 2 })),
    async (planned, drafts) => {
      const opened = await openSite(app, planned);
      await opened.store(planned.hits);
      for (const seal of [false, true]) {
        if (seal) await app.seal();
        for (const { query } of [{ query: {} as Query }, ...opened.finish(drafts, planned.hits)]) {
          const own = keepFilters(query);
          const body = { filters: filtersIn(own) };
          const url = `/sites/${opened.known.siteId}/query`;
          const ask: Given['ask'] = async (more) => {
            const answer = await app.owner.ask('POST', url, { ...body, ...more });
            assert.equal(answer.status, 200, `${answer.text} for ${JSON.stringify({ ...body, ...more })}`);
            return answer.body.data.rows;
          };
          const given = { site: opened, query: own, ask };
          await compareOverview(given);
          await compareDays(given);
          await compareBreakdowns(given);
          await compareGoals(given);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: share(3), endOnFailure: true });
});

test('query: the figures of an only site are those of all sites', async (t) => {
  const app = await startApp(t);
  const { store, known } = await openSite(app);
  await store(['DE', 'DE', 'FR'].map((country, visitor) => pageview({ day: TODAY, visitor, country })));
  const body = { range: 'today', metrics: ['visitors', 'pageviews'] };
  const one = await app.owner.ask('POST', `/sites/${known.siteId}/query`, body);
  const all = await app.owner.ask('GET', '/stats/overview?range=today');
  const [{ metrics }] = one.body.data.rows;
  const { visitors, pageviews } = all.body.data;
  assert.deepEqual(metrics, { visitors, pageviews });
});
