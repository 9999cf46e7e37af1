import assert from 'node:assert/strict';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { findChannel } from '../../../src/classify/channel.ts';
import { DAY, iso } from '../../../src/lib/time.ts';
import { OTHER, VISIT_TEXT_FIELDS } from '../../../src/stats/dimensions.ts';
import { readProperties } from '../../../src/stats/properties.ts';
import { parseRevenue, writeAmount } from '../../../src/stats/revenue.ts';
import { unpackVitals, VITALS } from '../../../src/stats/vitals.ts';
import { hereOn } from '../../cli/here.ts';
import { type Hit, pageview, TODAY } from '../../collect/stage.ts';
import { date } from '../../stats/days.ts';
import { utcSite } from '../../stats/random.ts';
import { type App, openSite } from '../../stats/stage.ts';
import { folder, share, startApp } from '../../support/helpers.ts';
import { askDuckDb, WITHOUT_DUCKDB } from './duckdb.ts';

type Row = Record<string, unknown>;

const SKIPPED = { skip: WITHOUT_DUCKDB };

/** The rows that the files must have, from the visits that `daybook export` writes as lines of ndjson too. */
async function listRows(app: App, siteId: number, site: string): Promise<Row[]> {
  const rows: Row[] = [];
  let [visit, lastDay] = [0, Number.NaN];
  for await (const { day, visits } of app.engine.queries.readVisits(siteId)) {
    if (day !== lastDay) visit = 0;
    lastDay = day;
    for (const one of visits) {
      visit++;
      const at = (second: number): string => iso(day * DAY + second);
      const { hits } = one;
      const texts = Object.fromEntries(
        VISIT_TEXT_FIELDS.filter((name) => name !== 'ad').map((name) => [name, one[name]]),
      );
      for (const hit of hits) {
        const money = parseRevenue(hit.revenue);
        const values = unpackVitals(hit.vitals);
        const amount = money && money.currency !== OTHER ? writeAmount(money.amount, money.currency) : null;
        rows.push({
          ...{ site, day: date(day), visitor: one.visitor, visit, time: at(hit.second), page: hit.page },
          ...{ event: hit.event, label: hit.label, hostname: hit.hostname, engaged: hit.engaged },
          ...{ scroll: hit.scroll ?? null, revenue: amount === null ? null : Number(amount) },
          ...{ currency: money?.currency ?? '', properties: readProperties(hit.properties) },
          ...Object.fromEntries(VITALS.map((name) => [name, values[name] ?? null])),
          ...{ start: at(hits[0]?.second ?? 0), seconds: one.seconds },
          ...{ entry: hits[0]?.page, exit: hits.at(-1)?.page, channel: findChannel(one), ...texts },
          excluded: one.excluded,
        });
      }
    }
  }
  return rows;
}

/** Rows as DuckDB tells them, in the form of `listRows`. */
const told = (row: Row): Row => ({
  ...row,
  ...{ time: moment(row.time), start: moment(row.start) },
  revenue: row.revenue === null ? null : Number(row.revenue),
  properties: (row.properties as { key: string; value: string }[]).map(({ key, value }) => [key, value]),
});

const moment = (text: unknown): string => iso(Date.parse(`${String(text).replace(/\+00$/, 'Z')}`) / 1000);

/** DuckDB's package for Node leaves out a byte order mark at the begin of a text, even of one that SQL made. */
const withoutMark = (name: string, value: unknown): unknown =>
  typeof value === 'string' && name !== '' ? value.replace(/^\ufeff/, '') : value;

const sorted = (rows: readonly Row[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)),
        withoutMark,
      ),
    )
    .sort();

async function compare(app: App, t: Parameters<typeof folder>[0], site: { siteId: number; domain: string }) {
  const to = join(folder(t), 'parquet');
  await hereOn(app, 'export', site.domain, '--format', 'parquet', '--to', to);
  const rows = await askDuckDb(`SELECT * FROM '${to}/${site.domain}/*.parquet'`);
  const expected = await listRows(app, site.siteId, site.domain);
  assert.deepEqual(sorted(rows.map(told)), sorted(expected));
  rmSync(to, { recursive: true });
}

test(
  'DuckDB reads from Parquet files what an export in lines has, of open days and of sealed ones',
  SKIPPED,
  async (t) => {
    const app = await startApp(t);
    const property = fc.asyncProperty(utcSite, fc.constantFrom('', 'DE', 'US'), async (planned, country) => {
      const site = await openSite(app);
      await site.store([pageview({ second: 0, properties: '{"plan":"pro"}', revenue: 'EUR 1999' }), ...planned.hits]);
      if (country !== '') await site.exclude(TODAY - 300, null, { 'filters[country]': country });
      await compare(app, t, site.known);
      await app.seal();
      await compare(app, t, site.known);
    });
    await fc.assert(property, { numRuns: share(10) });
  },
);

test('numbers, moments and exact amounts have types of their own', SKIPPED, async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  const bought = pageview({
    day: TODAY - 3,
    second: 3_600,
    event: 'buy',
    properties: '{"plan":"pro"}',
    revenue: 'KWD 1001',
  });
  await site.store([bought]);
  const to = folder(t);
  await hereOn(app, 'export', site.known.domain, '--format', 'parquet', '--to', to);
  const path = join(to, site.known.domain, `${date(TODAY - 3)}.parquet`);
  const types = await askDuckDb(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${path}')`);
  const typeOf = Object.fromEntries(types.map(({ column_name, column_type }) => [column_name, column_type]));
  const { day, time, visitor, page, revenue, properties, scroll, cls, excluded } = typeOf;
  assert.deepEqual(
    { day, time, visitor, page, revenue, properties, scroll, cls, excluded },
    {
      ...{ day: 'DATE', time: 'TIMESTAMP WITH TIME ZONE', visitor: 'INTEGER', page: 'VARCHAR' },
      ...{ revenue: 'DECIMAL(18,4)', properties: 'MAP(VARCHAR, VARCHAR)', scroll: 'INTEGER' },
      ...{ cls: 'DOUBLE', excluded: 'BOOLEAN' },
    },
  );
  const [row] = await askDuckDb(
    `SELECT sum(revenue)::VARCHAR AS sum, any_value(properties['plan']) AS plan, min(time)::VARCHAR AS time FROM '${path}'`,
  );
  assert.deepEqual(row, { sum: '1.0010', plan: 'pro', time: `${date(TODAY - 3)} 01:00:00+00` });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(to, site.known.domain)).mode & 0o777, 0o700);
});

test(
  'a day of many hits and texts is read back, and days are found by their smallest and largest values',
  SKIPPED,
  async (t) => {
    const app = await startApp(t);
    const site = await openSite(app);
    const hits: Hit[] = Array.from({ length: 3_000 }, (_, i) =>
      pageview({
        day: TODAY - 2,
        second: i,
        visitor: i % 700,
        page: `/${i % 1_000}`,
        properties: `{"n":"${i % 300}"}`,
      }),
    );
    await site.store([...hits, pageview({ day: TODAY - 1 })]);
    await compare(app, t, site.known);
    await app.seal();
    await compare(app, t, site.known);
    const to = folder(t);
    await hereOn(app, 'export', site.known.domain, '--format', 'parquet', '--to', to);
    const found = await askDuckDb(
      `SELECT count(*)::INTEGER AS n, count(DISTINCT visit)::INTEGER AS visits FROM '${to}/*/*.parquet' WHERE day = '${date(TODAY - 2)}'`,
    );
    assert.deepEqual(found, [{ n: 3_000, visits: 700 }]);
    assert.ok(
      readFileSync(join(to, site.known.domain, `${date(TODAY - 2)}.parquet`))
        .subarray(-4)
        .equals(Buffer.from('PAR1')),
    );
  },
);
