import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { runStatement } from '../../src/sql/run.ts';
import { readShape } from '../../src/sql/shape.ts';
import { pageview, TODAY } from '../collect/stage.ts';
import { date } from '../stats/days.ts';
import { utcSite } from '../stats/random.ts';
import { type App, openSite } from '../stats/stage.ts';
import { share, startApp } from '../support/helpers.ts';
import { EXAMPLES } from './example-answers.ts';

const VISITORS = "count(DISTINCT day || ' ' || visitor)";

const TEXTS = ['country', 'source', 'entry', 'device', 'browser', 'city', 'channel', 'utm_campaign', 'screen'];
const HIT_TEXTS = ['page', 'hostname', 'event', 'label', 'currency'];
const NUMBERS = ['seconds', 'pageviews', 'events', 'visitor', 'start'];
const HIT_NUMBERS = ['engaged', 'scroll', 'revenue', 'at', 'hit'];

/** A table to read from, and its columns. */
const FROMS = [
  { from: 'visits', texts: TEXTS, numbers: NUMBERS, visitor: 'visitor' },
  { from: 'visits AS v', texts: ['v.country', 'entry'], numbers: ['v.seconds'], visitor: 'v.visitor' },
  { from: 'hits', texts: HIT_TEXTS, numbers: HIT_NUMBERS, visitor: 'visitor' },
  {
    from: 'hits h JOIN visits USING (site, day, visit)',
    texts: [...TEXTS, ...HIT_TEXTS],
    numbers: ['seconds', 'h.revenue', 'engaged', 'scroll', 'visits.events'],
    visitor: 'h.visitor',
  },
  {
    from: 'properties p JOIN visits v USING (day, site, visit)',
    texts: ['name', 'value', 'country', 'p.value'],
    numbers: ['pageviews', 'p.hit'],
    visitor: undefined,
  },
  {
    from: 'properties JOIN hits USING (visit, site, day, hit)',
    texts: ['name', 'value', 'page'],
    numbers: ['revenue'],
    visitor: undefined,
  },
] as const;

const LITERALS = ["''", "'DE'", "'a'", "'/a'", "'EUR'", "'Mobile'", "'plan'", '0', '1', '2.5', 'NULL'];
const among = <Value>(values: readonly Value[]) => fc.constantFrom(...values);

type From = (typeof FROMS)[number];

const joined = <Part extends string>(...parts: fc.Arbitrary<Part>[]) => fc.tuple(...parts).map((all) => all.join(' '));

const DAYS = [TODAY - 3, TODAY - 30, TODAY - 1].map((day) => `'${date(day)}'`);

function comparedOf({ from, texts, numbers }: From) {
  const text = among<string>(texts);
  const number = among<string>(numbers);
  const ways = [
    "LIKE '%A%'",
    "GLOB '/*'",
    "NOT IN ('DE', '', 'a')",
    'IS NULL',
    "BETWEEN '' AND 'a'",
    "= substr('DEU', 1, 2)",
  ];
  return fc.oneof(
    joined<string>(text, among(['=', '<>', '<', '>=', 'IS', 'IS NOT']), among(LITERALS)),
    joined<string>(number, among(['=', '<>', '<', '>=', 'IS']), among(LITERALS)),
    joined<string>(text, among(ways)),
    joined<string>(fc.constant('day'), among(['=', '>=', '<']), among(DAYS)),
    fc.constant(`day BETWEEN ${DAYS[1]} AND ${DAYS[0]}`),
    fc.constant("strftime('%w', day) IN ('0', '1')"),
    ...(from.includes('JOIN') ? [] : [fc.constant('NOT excluded')]),
    joined<string>(number, fc.constant('>'), number),
  );
}

function totalOf({ texts, numbers, visitor }: From, compared: fc.Arbitrary<string>) {
  const number = among<string>(numbers);
  const [daily, all] = ["day || ' '", "site || ' ' || day || '/'"].map(
    (before) => `count(DISTINCT ${before} || ${visitor})`,
  );
  return fc.oneof(
    ...(visitor === undefined ? [] : [among([daily as string, all as string])]),
    among(['count(*)', 'count(DISTINCT day || visit)', 'min(day)', 'count(DISTINCT day)']),
    fc.tuple(among(['sum', 'avg', 'min', 'max', 'count']), number).map(([name, one]) => `${name}(${one})`),
    fc
      .tuple(among(['max(', 'min(', 'count(', 'count(DISTINCT ']), among<string>(texts))
      .map(([name, one]) => `${name}${one})`),
    compared.map((one) => `sum(${one})`),
    compared.map((one) => `sum(CASE WHEN ${one} THEN 1 ELSE 0 END)`),
    number.map((one) => `round(1.0 * sum(${one}) / count(*), 2)`),
  );
}

const keyOf = ({ texts, numbers }: From) =>
  fc.oneof(
    { weight: 3, arbitrary: among<string>(texts) },
    { weight: 2, arbitrary: among(['day', 'substr(day, 1, 7)', "date(day, 'weekday 0', '-6 days')"]) },
    { weight: 1, arbitrary: among<string>(numbers).chain((one) => among([`${one} > 1`, `round(${one} / 10)`])) },
    { weight: 1, arbitrary: among<string>(texts).map((one) => `lower(${one})`) },
  );

function conditionOf(compared: fc.Arbitrary<string>) {
  const condition = fc.oneof(
    compared,
    joined(compared, among(['AND', 'OR']), compared).map((one) => `(${one})`),
    compared.map((one) => `NOT (${one})`),
  );
  return fc.array(condition, { maxLength: 3 }).map((all) => (all.length > 0 ? ` WHERE ${all.join(' AND ')}` : ''));
}

const statement = among<From>(FROMS).chain((one) => {
  const compared = comparedOf(one);
  return fc
    .record({
      where: conditionOf(compared),
      keys: fc.uniqueArray(keyOf(one), { maxLength: 3 }),
      totals: fc.array(totalOf(one, compared), { minLength: 1, maxLength: 3 }),
      having: fc.option(among(['count(*) > 1', 'sum(1) > 2 AND count(*) < 50'])),
      order: fc.option(among(['1', '2 DESC', 'total0 DESC', 'count(*), total0', 'total0 IS NULL, 1 DESC'])),
      limit: fc.option(among(['1', '3', '5 OFFSET 1'])),
      isByNumber: fc.boolean(),
    })
    .map(({ where, keys, totals, having, order, limit, isByNumber }) => {
      const shown = [...keys, ...totals.map((total, i) => `${total} AS total${i}`)].join(', ');
      const by = keys.length > 0 ? ` GROUP BY ${keys.map((key, i) => (isByNumber ? i + 1 : key)).join(', ')}` : '';
      const only = by && having ? ` HAVING ${having}` : '';
      const isPossible = keys.length + totals.length > 1 || order !== '2 DESC';
      // SQLite may give rows that are equal in the order in any order.
      const sorted = order && isPossible ? ` ORDER BY ${[order, ...keys.map((_, i) => i + 1)].join(', ')}` : '';
      return `SELECT ${shown} FROM ${one.from}${where}${by}${only}${sorted}${limit ? ` LIMIT ${limit}` : ''}`;
    });
});

const LIMITS = { rows: 10_000, bytes: 100_000_000 };

type Sites = Parameters<typeof runStatement>[1];

/** Compares both answers. Returns false if there is only one. */
async function agree(app: App, sites: Sites, sql: string): Promise<boolean> {
  const ask = (way: 'groups' | 'rows') => runStatement(app.engine.queries, sites, sql, LIMITS, [way]);
  const [rows, groups] = await Promise.all(
    (['rows', 'groups'] as const).map((way) => ask(way).catch((error) => error)),
  );
  // Errors, and what does not suit groups, are left to the way by rows.
  if (rows instanceof Error || (groups instanceof Error && NOT_GROUPED.test(groups.message))) return false;
  assert.deepEqual(groups, rows, `${sql}: ${inspect(groups)} is not ${inspect(rows)}`);
  return true;
}

const NOT_GROUPED = /not answered from groups/;

test('sql: a statement that is answered from groups has the answer from rows', async (t) => {
  const app = await startApp(t);
  let [asked, agreed] = [0, 0];
  const property = fc.asyncProperty(
    utcSite,
    fc.array(statement, { minLength: 15, maxLength: 15 }),
    fc.boolean(),
    async ({ hits, crawls }, statements, isSealed) => {
      const site = await openSite(app, { crawls });
      await site.store([...hits, ...[1, 2].map((ago) => pageview({ day: TODAY - ago, visitor: 77 }))]);
      if (isSealed) await app.seal();
      await site.exclude(TODAY - 7, null, { 'filters[country]': 'DE' });
      const sites = [{ id: site.known.siteId, domain: site.known.domain }];
      for (const sql of [...EXAMPLES.values(), ...statements])
        if (readShape(sql)) [asked, agreed] = [asked + 1, agreed + Number(await agree(app, sites, sql))];
        else assert.ok([...EXAMPLES.values()].includes(sql), sql);
    },
  );
  await fc.assert(property, { numRuns: share(30), endOnFailure: true });
  assert.ok(agreed > 0.5 * asked, `${agreed} of ${asked}`);
});

test('docs: most examples are answered from groups', () => {
  const others = [...EXAMPLES.values()].filter((sql) => !readShape(sql));
  assert.equal(others.length, 4);
  for (const sql of others) assert.match(sql, /EXISTS|later|FROM crawls|FROM days/);
});

test('sql: several sites are told apart', async (t) => {
  const app = await startApp(t);
  const sites: { id: number; domain: string }[] = [];
  for (const visitor of [1, 2]) {
    const site = await openSite(app);
    await site.store([0, 1, 2].map((ago) => pageview({ day: TODAY - ago, visitor })));
    sites.push({ id: site.known.siteId, domain: site.known.domain });
  }
  for (const sql of [
    `SELECT site, ${VISITORS} FROM visits GROUP BY site`,
    "SELECT count(DISTINCT site || ' ' || day || ' ' || visitor) FROM visits",
    'SELECT site, day, count(DISTINCT visitor), count(*) FROM hits GROUP BY 1, 2',
    `SELECT ${VISITORS} FROM visits WHERE site = '${sites[1]?.domain}'`,
    'SELECT count(*), min(site), max(day) FROM visits',
  ])
    assert.equal(await agree(app, sites, sql), true, sql);
  assert.equal(await agree(app, sites, `SELECT ${VISITORS} FROM visits`), false);
});

test('sql: a constant key is not taken for the number in LIMIT, or for a column in ORDER BY', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  const visits = ['DE', 'FR', 'FR', 'AT'].map((country, visitor) => pageview({ day: TODAY - 1, visitor, country }));
  await site.store(visits);
  const ask = async (sql: string) =>
    (await runStatement(app.engine.queries, [{ id: site.known.siteId, domain: site.known.domain }], sql, LIMITS)).rows;
  assert.deepEqual(await ask('SELECT 1, count(*) FROM visits GROUP BY 1 LIMIT 1'), [[1, 4]]);
  assert.deepEqual(await ask('SELECT 3, country, -count(*) FROM visits GROUP BY 1, 2 ORDER BY 3 LIMIT 1'), [
    [3, 'FR', -2],
  ]);
});

test('sql: joins that keep rows without a match, qualified names and rare signs mean what they mean in SQLite', async (t) => {
  const app = await startApp(t);
  const site = await openSite(app);
  const visits = ['DE', 'FR', 'FR', 'AT'].map((country, visitor) => pageview({ day: TODAY - 1, visitor, country }));
  await site.store([...visits, pageview({ day: TODAY - 1, visitor: 9, country: 'US', properties: '{"plan":"pro"}' })]);
  const sites = [{ id: site.known.siteId, domain: site.known.domain }];
  const ask = async (sql: string) => (await runStatement(app.engine.queries, sites, sql, LIMITS)).rows;
  const on = 'USING (site, day, visit)';
  for (const joined of [`visits LEFT JOIN properties ${on}`, `properties RIGHT JOIN visits ${on}`])
    assert.deepEqual(await ask(`SELECT count(*), count(value) FROM ${joined}`), [[5, 1]], joined);
  assert.deepEqual(await ask(`SELECT count(*) FROM properties FULL JOIN hits USING (site, day, visit, hit)`), [[5]]);
  assert.deepEqual(await ask('SELECT -count(*) AS country FROM visits v GROUP BY country ORDER BY v.country LIMIT 3'), [
    [-1],
    [-1],
    [-2],
  ]);
  assert.deepEqual(await ask('SELECT .5 * count(*), count(*) << 1, count(*) >> 1 FROM visits'), [[2.5, 10, 2]]);
});
