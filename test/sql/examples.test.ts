import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listColumns, TABLE_NAMES } from '../../src/sql/tables.ts';
import { hereOn } from '../cli/here.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { textOf } from '../documents/documents.ts';
import { date } from '../stats/days.ts';
import { utcSite } from '../stats/random.ts';
import { type App, openSite } from '../stats/stage.ts';
import type { Query } from '../stats/visits.ts';
import { share, startApp } from '../support/helpers.ts';

type Row = Record<string, string | number | null>;
type Site = Awaited<ReturnType<typeof openSite>>;

const RANGE = `${date(TODAY - 200)}~${date(TODAY)}`;

/** The examples of docs/sql.md by their first words. */
const EXAMPLES = new Map(
  [...textOf('docs/sql.md').matchAll(/^([A-Z].*):\n\n```sql\n([\s\S]*?)\n```/gm)].map(([, title = '', sql = '']) => [
    title,
    sql,
  ]),
);

async function rowsOf(app: App, domain: string, sql: string): Promise<Row[]> {
  const { printed } = await hereOn(app, 'sql', sql, '--site', domain, '--range', RANGE, '--format', 'json');
  const { columns, rows, complete } = JSON.parse(printed.join('\n'));
  assert.equal(complete, true);
  return rows.map((row: Row[]) => Object.fromEntries(row.map((value, i) => [columns[i], value])));
}

const sorted = (rows: readonly Row[]): Row[] =>
  [...rows].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

/** Asks a breakdown for its values and visitors, as an example names them. */
const breakdown =
  (name: string, column: string, query: Query = {}) =>
  async (site: Site): Promise<Row[]> => {
    const { rows } = await site.ask({ path: `breakdown/${name}`, query: { range: RANGE, limit: '100', ...query } });
    return rows.map(({ value, visitors }: Row) => ({ [column]: value, visitors }));
  };

/** What the API answers to the question of each example. The rest of the row is not compared. */
const ANSWERS: Record<string, (site: Site) => Promise<Row[]>> = {
  'Visitors, visits and pageviews, bounce rate and visit duration': async (site) => {
    const { visitors, visits, pageviews, bounce_rate, visit_duration } = await site.ask({
      path: 'overview',
      query: { range: RANGE },
    });
    return visits === 0 ? [] : [{ visitors, visits, pageviews, bounce_rate, visit_duration }];
  },
  'Visitors by day': async (site) => {
    const { points } = await site.ask({ path: 'timeseries', query: { range: RANGE, interval: 'day' } });
    return points
      .filter(({ visitors }: { visitors: number }) => visitors > 0)
      .map(({ date: day, visitors, pageviews }: Row) => ({ day, visitors, pageviews }));
  },
  'The most viewed pages': breakdown('pages', 'page'),
  'The pages on which visits began': breakdown('entry_pages', 'entry'),
  'The sources': breakdown('referrers', 'source'),
  'The channels': breakdown('channels', 'channel'),
  'The countries of visits in which somebody signed up': breakdown('countries', 'country', {
    'filters[event]': 'signup',
  }),
  'A goal, which is the event `signup`': async (site) => {
    const { goals } = await site.ask({ path: 'goals', query: { range: RANGE } });
    return goals
      .filter(({ value }: Row) => value === 'signup')
      .map(({ visitors, conversions }: Row) => ({ visitors, conversions }));
  },
  'The labels of an event': breakdown('event_labels', 'label', { event: 'signup' }),
  'The values of a property': breakdown('property_values', 'value', { property: 'plan' }),
  'Revenue by currency': async (site) => {
    const found = await Promise.all(
      ['EUR', 'JPY', 'KWD', 'USD'].map(async (currency) => {
        const query = { range: RANGE, metrics: 'revenue', currency };
        const { revenue } = await site.ask({ path: 'overview', query });
        return { currency, revenue: Number(revenue) };
      }),
    );
    return found.filter(({ revenue }) => revenue > 0);
  },
  'A funnel: visitors who viewed the home page, and later on the same day signed up': async (site) => {
    const { steps } = await site.ask({ path: `funnels/${site.known.funnels[0]?.id}`, query: { range: RANGE } });
    return [{ visitors: steps[1].visitors }];
  },
  'Requests of AI crawlers': async (site) => {
    const { crawlers } = await site.ask({ path: 'bots', query: { range: RANGE } });
    return crawlers.map(({ crawler, requests }: Row) => ({ crawler, requests }));
  },
  'Days with more than 100 hits that were not counted': async (site) => {
    const { days } = await site.ask({ path: 'days', query: { range: RANGE } } as never);
    const dropped = days.filter((one: Row) => Number(one.dropped) > 100);
    assert.deepEqual(
      dropped.map((one: Row) => one.dropped),
      [101],
    );
    return dropped.map(({ date: day, state, visitors, dropped }: Row) => ({ day, state, visitors, dropped }));
  },
};

/** Two halves may be rounded apart, and a visit without revenue has none in SQL. */
function settle(title: string, rows: readonly Row[]): Row[] {
  if (title === 'Revenue by currency') return rows.filter(({ revenue }) => Number(revenue) > 0);
  return rows.filter(({ visits }) => visits !== 0) as Row[];
}

async function agree(app: App, site: Site, when: string): Promise<void> {
  for (const [title, sql] of EXAMPLES) {
    const expected = await ANSWERS[title]?.(site);
    const rows = settle(title, await rowsOf(app, site.known.domain, sql));
    if (title.startsWith('Visitors, visits')) {
      for (const [i, row] of rows.entries())
        for (const [name, value] of Object.entries(row))
          assert.ok(Math.abs(Number(value) - Number(expected?.[i]?.[name])) < 1.01, `${when} ${title} ${name}`);
      assert.equal(rows[0]?.visitors, expected?.[0]?.visitors);
      continue;
    }
    assert.deepEqual({ when, title, rows: sorted(rows) }, { when, title, rows: sorted(expected ?? []) });
  }
}

test('docs: the page lists the columns of each table, in the order of SELECT *', () => {
  const page = textOf('docs/sql.md');
  for (const table of TABLE_NAMES) {
    const [, cell = ''] = new RegExp(`^\\| \\x60${table}\\x60 \\|.*\\| (.*) \\|$`, 'm').exec(page) ?? [];
    assert.equal(
      cell,
      listColumns(table)
        .map((name) => `\`${name}\``)
        .join(', '),
      table,
    );
  }
});

test('docs: there are at least twelve examples in SQL, and the API answers the question of each', () => {
  assert.ok(EXAMPLES.size >= 12);
  assert.deepEqual([...EXAMPLES.keys()], Object.keys(ANSWERS));
});

test('each example of the documents gives the figures of the API, of open days and of sealed ones, with exclusions', async (t) => {
  const app = await startApp(t);
  const property = fc.asyncProperty(utcSite, fc.boolean(), async ({ hits, crawls }, isSealed) => {
    const site = await openSite(app, {
      crawls,
      goals: [{ type: 'event', value: 'signup' }],
      funnels: [
        [
          { type: 'page', value: '/' },
          { type: 'event', value: 'signup' },
        ],
      ],
    });
    await site.store([...hits, ...[1, 2].map((ago) => pageview({ day: TODAY - ago, visitor: 77 }))]);
    const { siteId } = site.known;
    const drops = [101, 100].map((hits, i) => ({ siteId, day: TODAY - 1 - i, reason: 'bot', hits }));
    await app.engine.intake.append({ drops });
    await agree(app, site, 'open');
    await site.exclude(TODAY - 7, null, { 'filters[country]': 'DE' });
    await agree(app, site, 'open, with an exclusion');
    if (!isSealed) return;
    await app.seal();
    await agree(app, site, 'sealed, with an exclusion');
  });
  await fc.assert(property, { numRuns: share(8), endOnFailure: true });
});

const count = async (app: App, ...words: string[]): Promise<number> => {
  const { printed } = await hereOn(app, 'sql', ...words, '--format', 'csv');
  return Number(printed[1]);
};

test('conditions, --site and --range choose the same rows', async (t) => {
  const app = await startApp(t);
  const property = fc.asyncProperty(utcSite, async ({ hits }) => {
    const [site, other] = [await openSite(app), await openSite(app)];
    await site.store(hits);
    await other.store(hits);
    const { domain } = site.known;
    const days = `day BETWEEN '${date(TODAY - 35)}' AND '${date(TODAY - 1)}'`;
    const range = `${date(TODAY - 35)}~${date(TODAY - 1)}`;
    for (const table of ['visits', 'hits', 'properties']) {
      const sql = `SELECT count(*) FROM ${table}`;
      const found = await Promise.all([
        count(app, sql, '--site', domain, '--range', range),
        count(app, `${sql} WHERE site = '${domain}' AND ${days}`),
        count(app, `${sql} WHERE site || '' = '${domain}' AND ${days.replace('day', "day || ''")}`),
        count(app, `SELECT count(*) FROM (SELECT * FROM ${table} WHERE ${days}) WHERE site = '${domain}'`),
        count(app, `SELECT sum(site = '${domain}' AND ${days}) FROM ${table}`),
      ]);
      assert.deepEqual(
        found.map((n) => n || 0),
        found.map(() => found[0] ?? 0),
        table,
      );
    }
  });
  await fc.assert(property, { numRuns: share(8), endOnFailure: true });
});
