import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hereOn } from '../cli/here.ts';
import { folder, startApp } from '../support/helpers.ts';
import { HIGH, LOW, makeMmdb } from '../support/mmdb.ts';
import { BROWSER, CHROME, NOWHERE } from './stage.ts';

const BERLIN = { country: { iso_code: 'DE' }, subdivisions: [{ iso_code: 'BE' }], city: { names: { en: 'Berlin' } } };
const LYON = { country: { iso_code: 'FR' }, subdivisions: [{ iso_code: 'ARA' }], city: { names: { en: 'Lyon' } } };

async function withCities(t: TestContext, options: Record<string, string> = {}) {
  const geoip = join(folder(t), 'cities.mmdb');
  writeFileSync(geoip, makeMmdb(BERLIN, LYON));
  const app = await startApp(t, { geoip, flood: '0', ...options });
  const path = `/sites/${app.siteId}`;
  return {
    ...app,
    geoip,
    path,
    change: (change: object) => app.owner.ask('PATCH', path, change),
    send: (ip: string) => app.owner.ask('POST', `${path}/hits`, [{ url: 'https://example.com/', ip, agent: CHROME }]),
    async report(name: string) {
      const { body } = await app.viewer.ask('GET', `${path}/stats/breakdown/${name}?range=today`);
      return body.data.rows.map(({ value, visitors }: { value: string; visitors: number }) => `${value}:${visitors}`);
    },
  };
}

test('regions and cities are stored only from when the site switches places on, and until it switches them off', async (t) => {
  const { change, send, report, viewer, path } = await withCities(t);
  assert.equal((await viewer.ask('GET', path)).body.data.places, false);
  await send('10.0.0.1');
  assert.equal((await change({ places: true })).body.data.places, true);
  await send('10.0.0.2');
  await send(HIGH);
  await change({ places: false });
  await send('10.0.0.3');
  assert.deepEqual(await report('countries'), ['DE:3', 'FR:1']);
  assert.deepEqual(await report('regions'), [':2', 'DE-BE:1', 'FR-ARA:1']);
  assert.deepEqual(await report('cities'), [':2', 'DE-BE Berlin:1', 'FR-ARA Lyon:1']);
  const filtered = async (filter: string) =>
    (await viewer.ask('GET', `${path}/stats/overview?range=today&${filter}`)).body.data.visitors;
  assert.equal(await filtered('filters[region]=de-be'), 1);
  assert.equal(await filtered('filters[region][not]=DE-BE'), 3);
  assert.equal(await filtered('filters[city][like]=FR-*'), 1);
  assert.equal(await filtered('filters[city]='), 2);
});

test('a dimension that is off stays off where places are on', async (t) => {
  const { change, send, report } = await withCities(t);
  const { body } = await change({ places: true, dimensions_off: ['region'] });
  // A city has its region in front.
  assert.deepEqual(body.data.dimensions_off, ['region', 'city']);
  await send(LOW);
  await change({ dimensions_off: ['city'] });
  await send(HIGH);
  assert.deepEqual(await report('regions'), [':1', 'FR-ARA:1']);
  assert.deepEqual(await report('cities'), [':2']);
  assert.deepEqual((await change({ dimensions_off: ['country'] })).body.data.dimensions_off, [
    'country',
    'region',
    'city',
  ]);
});

test('where a proxy tells another country than the file, region and city are unknown', async (t) => {
  const { change, ask, held } = await withCities(t, {
    ...{ 'country-header': 'cf-ipcountry', 'trusted-proxies': NOWHERE },
  });
  await change({ places: true });
  for (const country of ['DE', 'FR', 'XX']) {
    const headers = { ...BROWSER, 'x-forwarded-for': LOW, 'cf-ipcountry': country };
    const body = { site: 'example.com', url: `https://example.com/${country}` };
    assert.equal((await ask('POST', '/day', { body, headers })).status, 202);
  }
  assert.deepEqual(
    (await held.hits()).map(({ page, country, region, city }) => [page, country, region, city]),
    [
      ['/DE', 'DE', 'DE-BE', 'DE-BE Berlin'],
      ['/FR', 'FR', '', ''],
      ['/XX', 'DE', 'DE-BE', 'DE-BE Berlin'],
    ],
  );
});

test('an import takes regions and cities of the file or of its IP addresses, and an export has them', async (t) => {
  const app = await withCities(t);
  const file = join(folder(t), 'hits.ndjson');
  const line = (more: object) =>
    `${JSON.stringify({ at: '2026-03-05T10:00:00Z', url: 'https://example.com/', agent: CHROME, ...more })}\n`;
  writeFileSync(file, line({ ip: LOW }) + line({ visitor: 'ann', country: 'AT', region: 'at-9', city: 'AT-9 Wien' }));
  const bring = () =>
    hereOn(app, 'import', 'example.com', file, '--format', 'ndjson', '--geoip', app.geoip, '--replace');
  const { printed } = await bring();
  const left =
    "skipped: regions, cities, which the site does not store. To import them, first change this in the site's settings, under Collection";
  assert.ok(printed.includes(left), printed.join('\n'));
  await app.change({ places: true });
  const again = await bring();
  assert.ok(!again.printed.some((one) => one.includes('does not store')), again.printed.join('\n'));
  await hereOn(app, 'export', 'example.com', '--format', 'ndjson', '--out', `${file}.out`);
  const exported = readFileSync(`${file}.out`, 'utf8');
  assert.match(exported, /"country":"DE","region":"DE-BE","city":"DE-BE Berlin"/);
  assert.match(exported, /"country":"AT","region":"AT-9","city":"AT-9 Wien"/);
});
