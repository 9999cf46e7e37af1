import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hereOn } from '../cli/here.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { utcSite } from '../stats/random.ts';
import { type App, openSite } from '../stats/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { ANSWERS, EXAMPLES, RANGE, type Row, type Site } from './example-answers.ts';

async function rowsOf(app: App, domain: string, sql: string): Promise<Row[]> {
  const { printed } = await hereOn(app, 'sql', sql, '--site', domain, '--range', RANGE, '--format', 'json');
  const { columns, rows, complete } = JSON.parse(printed.join('\n'));
  assert.equal(complete, true);
  return rows.map((row: Row[]) => Object.fromEntries(row.map((value, i) => [columns[i], value])));
}

const sorted = (rows: readonly Row[]): Row[] =>
  [...rows].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

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
