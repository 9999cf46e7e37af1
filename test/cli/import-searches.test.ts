import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseDay } from '../../src/lib/time.ts';
import { removeExpiredSearches } from '../../src/store/sites/searches.ts';
import { keepDays, listKeepingSites } from '../../src/store/sites/sites.ts';
import { writeZip } from '../exchange/reading/zips.ts';
import { folder, startApp } from '../support/helpers.ts';
import { hereOn } from './here.ts';

type Names = { files: string[]; heads: string[]; metrics: string };

/** The names of files and columns in the export, by language. The first file has the days. */
const LANGUAGES: Record<string, Names> = {
  en: {
    files: ['Chart', 'Queries', 'Pages', 'Countries', 'Devices'],
    heads: ['Date', 'Top queries', 'Top pages', 'Country', 'Device'],
    metrics: 'Clicks,Impressions,CTR,Position',
  },
  de: {
    files: ['Diagramm', 'Suchanfragen', 'Seiten', 'Länder', 'Geräte'],
    heads: ['Datum', 'Häufigste Suchanfragen', 'Die häufigsten Seiten', 'Land', 'Gerät'],
    metrics: 'Klicks,Impressionen,CTR,Position',
  },
  fr: {
    files: ['Graphique', 'Requêtes', 'Pages', 'Pays', 'Appareils'],
    heads: ['Date', 'Requêtes les plus fréquentes', 'Pages les plus populaires', 'Pays', 'Appareil'],
    metrics: 'Clics,Impressions,CTR,Position',
  },
  es: {
    files: ['Gráfico', 'Consultas', 'Páginas', 'Países', 'Dispositivos'],
    heads: ['Fecha', 'Consultas principales', 'Páginas principales', 'País', 'Dispositivo'],
    metrics: 'Clics,Impresiones,CTR,Posición',
  },
};

const ROWS: Record<string, string[][]> = {
  en: [
    ['2026-03-01,10,"1,100",0.91%,4.5', '2026-03-02,5,50,10%,2'],
    ['shoes,8,100,8%,1.25', '"red, blue",3,300,1%,3.5'],
    ['https://example.com/a?x=1,6,60,10%,2', 'https://example.com/a,2,20,10%,4', 'https://other.example/,1,1,100%,1'],
    ['Germany,9,90,10%,3.3'],
    ['Mobile,9,90,10%,3.3'],
  ],
  de: [
    ['2026-03-01,10,1.100,"0,91 %","4,5"', '2026-03-02,5,50,10 %,2'],
    ['shoes,8,100,8 %,"1,25"', '"red, blue",3,300,1 %,"3,5"'],
    [
      'https://example.com/a?x=1,6,60,10 %,2',
      'https://example.com/a,2,20,10 %,4',
      'https://other.example/,1,1,100 %,1',
    ],
    ['Deutschland,9,90,10 %,"3,3"'],
    ['Mobil,9,90,10 %,"3,3"'],
  ],
  fr: [
    ['2026-03-01,10,1 100,"0,91 %","4,5"', '2026-03-02,5,50,10 %,2'],
    ['shoes,8,100,8 %,"1,25"', '"red, blue",3,300,1 %,"3,5"'],
    [
      'https://example.com/a?x=1,6,60,10 %,2',
      'https://example.com/a,2,20,10 %,4',
      'https://other.example/,1,1,100 %,1',
    ],
    ['Allemagne,9,90,10 %,"3,3"'],
    ['Mobile,9,90,10 %,"3,3"'],
  ],
  es: [
    ['2026-03-01,10,1.100,"0,91 %","4,5"', '2026-03-02,5,50,10 %,2'],
    ['shoes,8,100,8 %,"1,25"', '"red, blue",3,300,1 %,"3,5"'],
    [
      'https://example.com/a?x=1,6,60,10 %,2',
      'https://example.com/a,2,20,10 %,4',
      'https://other.example/,1,1,100 %,1',
    ],
    ['Alemania,9,90,10 %,"3,3"'],
    ['Móvil,9,90,10 %,"3,3"'],
  ],
};

async function writeExport(t: TestContext, language: string): Promise<string> {
  const path = join(folder(t), `${language}.zip`);
  const { files = [], heads = [], metrics = '' } = LANGUAGES[language] ?? {};
  const tables = files.map((name, i) => ({
    name: `${name}.csv`,
    text: [[`${heads[i]},${metrics}`, ...(ROWS[language]?.[i] ?? [])].join('\n')],
  }));
  // The filters of the export come as a table too, which is not imported.
  await writeZip(path, [...tables, { name: 'Filters.csv', text: ['Filter,Value\nSearch type,Web\n'] }]);
  return path;
}

const QUERIES = [
  { value: 'shoes', clicks: 8, impressions: 100, ctr: 8, position: 1.25 },
  { value: 'red, blue', clicks: 3, impressions: 300, ctr: 1, position: 3.5 },
];

for (const language of Object.keys(LANGUAGES)) {
  test(`searches: the export in ${language} is read with its queries, pages, countries and devices`, async (t) => {
    const app = await startApp(t);
    const { owner } = app;
    const path = await writeExport(t, language);
    const { explained, printed } = await hereOn(app, 'import', 'example.com', path);
    assert.match(explained[0] ?? '', /^read as search-console: /);
    assert.equal(printed[0], 'searches imported');
    const ask = async (by: string) =>
      (await owner.ask('GET', `/sites/example.com/stats/search?by=${by}&range=2026-03-01~2026-03-02`)).body.data;
    const queries = await ask('query');
    assert.deepEqual(queries.rows, QUERIES);
    // 1,100 impressions at 4.5 and 50 at 2: (4950 + 100) / 1150.
    const totals = {
      clicks: 15,
      impressions: 1_150,
      ctr: 1.3,
      position: 4.39,
      first: '2026-03-01',
      last: '2026-03-02',
    };
    assert.deepEqual([queries.totals, queries.left_out], [totals, 0]);
    assert.deepEqual((await ask('page')).rows, [{ value: '/a', clicks: 8, impressions: 80, ctr: 10, position: 2.5 }]);
    const place = { clicks: 9, impressions: 90, ctr: 10, position: 3.3 };
    assert.deepEqual((await ask('country')).rows, [{ value: 'DE', ...place }]);
    assert.deepEqual((await ask('device')).rows, [{ value: 'Mobile', ...place }]);
  });
}

test('searches: a range gets only files that lie in it, and visits are not touched', async (t) => {
  const app = await startApp(t);
  await hereOn(app, 'import', 'example.com', await writeExport(t, 'en'));
  const get = async (path: string) => (await app.owner.ask('GET', `/sites/example.com/${path}`)).body.data;
  const day = await get('stats/search?range=2026-03-02~2026-03-02');
  assert.deepEqual([day.rows, day.left_out, day.totals.clicks], [[], 1, 5]);
  const other = await get('stats/search?range=2026-03-03~2026-03-04');
  assert.deepEqual([other.rows, other.left_out, other.totals], [[], 0, null]);
  assert.equal((await get('stats/overview?range=30d')).visitors, 0);
});

test('searches: a file with days is read by day, and no search counts twice', async (t) => {
  const app = await startApp(t);
  const path = join(folder(t), 'queries.csv');
  const bring = (...flags: string[]) => hereOn(app, 'import', 'example.com', path, ...flags);
  const ask = async () =>
    (await app.owner.ask('GET', '/sites/example.com/stats/search?range=2026-03-02~2026-03-03')).body.data.rows;
  writeFileSync(
    path,
    'Date,Query,Clicks,Impressions,CTR,Position\n2026-03-01,a,9,9,100%,1\n2026-03-02,a,1,10,10%,1.5\n2026-03-03,a,1,30,3%,3.5\n',
  );
  assert.equal((await bring('--dry-run')).printed[0], 'dry run: nothing was imported');
  assert.deepEqual(await ask(), []);
  await bring();
  assert.deepEqual(await ask(), [{ value: 'a', clicks: 2, impressions: 40, ctr: 5, position: 3 }]);
  await assert.rejects(bring(), /already has searches from 2026-03-01 to 2026-03-01.*--replace/);
  writeFileSync(path, 'Date,Query,Clicks,Impressions,CTR,Position\n2026-03-02,b,1,1,100%,1\n');
  await bring('--replace');
  assert.deepEqual(
    (await ask()).map(({ value }: { value: string }) => value),
    ['a', 'b'],
  );
  assert.deepEqual((await hereOn(app, 'import', 'remove-searches', 'example.com')).printed, [
    '3 rows of searches removed from example.com',
  ]);
  assert.deepEqual(await ask(), []);
});

test('searches: a wrong file is refused with the reason, and nothing is stored', async (t) => {
  const app = await startApp(t);
  const path = join(folder(t), 'wrong.csv');
  for (const [text, reason] of [
    ['Query,Clicks,Impressions,CTR,Position\na,1,1,1%,1\n', /has no days\. Import the whole zip/],
    ['Date,Query,Page,Clicks,Impressions,CTR,Position\n', /several of query, page, country and device/],
    ['Date,Query,Clicks,Impressions,CTR,Position\n2026-03-01,a,x,1,1%,1\n', /line 2: Clicks must be a whole number/],
    ['Date,Query,Clicks,Impressions,CTR,Position\n2026-03-01,a,1,1,1%,-\n', /line 2: Position must be a number/],
    ['Date,Query,Clicks,Impressions,CTR,Position\n1.3.2026,a,1,1,1%,1\n', /line 2: Date must be a day/],
    ['Date,Query,Clicks,Impressions,CTR,Position\n', /no searches to import/],
    [
      'Date,Query,Clicks,Impressions,CTR,Position\n0001-01-01,a,1,1,1%,1\n9999-12-31,a,1,1,1%,1\n',
      /days from 0001-01-01 to 9999-12-31\. Five years is the most/,
    ],
    [
      'Date,Query,Clicks,Impressions,CTR,Position\n2026-03-01,a,1,999999999999,1%,999999\n',
      /line 2: the impressions and the position are too large/,
    ],
  ] as const) {
    writeFileSync(path, text);
    await assert.rejects(hereOn(app, 'import', 'example.com', path, '--format', 'search-console'), reason);
  }
  assert.equal(app.db.one<{ n: number }>('SELECT count(*) AS n FROM search')?.n, 0);
});

test('searches: they go with their site, and with the days that a site keeps', async (t) => {
  const app = await startApp(t);
  const { db, owner, siteId } = app;
  const count = () => db.one<{ n: number }>('SELECT count(*) AS n FROM search')?.n;
  await hereOn(app, 'import', 'example.com', await writeExport(t, 'en'));
  assert.equal(count(), 7);
  const expire = (today: string) => db.write(() => removeExpiredSearches(db, listKeepingSites(db), parseDay(today)));
  expire('2030-01-01');
  assert.equal(count(), 7);
  db.write(() => keepDays(db, siteId, 30));
  expire('2026-03-31');
  assert.equal(count(), 7);
  // The first day has expired. The tables of both days stay until the second has.
  expire('2026-04-01');
  assert.equal(count(), 6);
  expire('2026-04-02');
  assert.equal(count(), 0);
  await hereOn(app, 'import', 'example.com', await writeExport(t, 'en'));
  await owner.ask('DELETE', '/sites/example.com');
  assert.equal(count(), 0);
});
