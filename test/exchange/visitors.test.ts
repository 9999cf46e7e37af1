import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asked, deps, type Fields, HIT, hitOf, known, NOW, ndjson, PASSED, read, wordsOf } from './reading.ts';

const TODAY = Date.parse(NOW.slice(0, 10)) / 86_400_000;
const codeOf = (fields: Fields, reader = read): number => hitOf(fields, reader).visitor;

test('what a line says of a visitor wins over what address and agent say, each for itself', () => {
  const ip = '8.8.8.8';
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0';
  const country = known.findPlace(ip, false).country;
  assert.equal(country, 'US');
  const versions = { browser_version: 'Firefox 141', os_version: 'Linux' };
  const found = {
    page: '/',
    hostname: 'example.com',
    country,
    device: 'Desktop',
    browser: 'Firefox',
    os: 'Linux',
    ...versions,
  };
  assert.deepEqual(wordsOf({ ...PASSED, ip, agent }), found);
  assert.deepEqual(wordsOf({ ...HIT, ip, agent }), found);
  assert.deepEqual(wordsOf({ ...HIT, ip }), { page: '/', hostname: 'example.com', country });
  assert.deepEqual(wordsOf({ ...HIT, agent }), {
    page: '/',
    hostname: 'example.com',
    device: 'Desktop',
    browser: 'Firefox',
    os: 'Linux',
    ...versions,
  });
  for (const said of [{ country: 'FR' }, { device: 'Mobile' }, { browser: 'Own' }, { os: 'Other' }]) {
    assert.deepEqual(wordsOf({ ...PASSED, ip, agent, ...said }), { ...found, ...said });
  }
});

test('a visitor has one code on one day, and another on another day, site or import', () => {
  const other = { at: '2026-01-05T23:59:59Z', url: 'https://example.com/b', ip: '192.0.2.9', agent: 'X' };
  assert.equal(codeOf({ ...HIT, ...other }), codeOf(HIT));
  const codes = [
    codeOf(HIT),
    codeOf({ ...HIT, visitor: 'w' }),
    codeOf({ ...HIT, at: '2026-01-06T10:00:00Z' }),
    codeOf({ ...HIT, at: NOW }),
    codeOf(HIT, ndjson({ ...deps, site: { ...deps.site, id: 8 } })),
    codeOf(HIT, ndjson({ ...deps, key: Buffer.alloc(32, 2) })),
    codeOf(PASSED),
    codeOf({ ...PASSED, agent: 'Agent 2' }),
    codeOf({ ...PASSED, ip: '192.0.2.2' }),
    codeOf({ ...PASSED, at: '2026-01-06T10:00:00Z' }),
    codeOf({ ...HIT, visitor: '192.0.2.1' }),
  ];
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) assert.ok(Number.isSafeInteger(code) && code >= 0, String(code));
  assert.equal(codeOf(HIT), codes[0]);
  assert.equal(codeOf(HIT, ndjson(deps)), codes[0]);
});

test('codes of any visitors on any days in any order are those that a fresh reader gives', () => {
  const person = fc.constantFrom<Fields>(
    { visitor: 'a' },
    { visitor: '192.0.2.1' },
    { visitor: 'x'.repeat(2_000) },
    { ip: '192.0.2.1', agent: 'a' },
    { ip: '192.0.2.1', agent: 'b' },
    { ip: '192.0.2.2', agent: 'a' },
  );
  const at = fc.constantFrom('2026-01-05T10:00:00Z', '2026-01-06T10:00:00Z');
  fc.assert(
    fc.property(fc.array(fc.tuple(person, at), { maxLength: 12 }), (hits) => {
      const one = ndjson(deps);
      for (const [who, when] of hits) {
        const fields = { at: when, url: HIT.url, ...who };
        assert.equal(codeOf(fields, one), codeOf(fields, ndjson(deps)));
      }
    }),
  );
});

test('an address is the same in every way of writing it, and a household has one in IPv6', () => {
  const code = (ip: string): number => codeOf({ ...PASSED, ip });
  assert.equal(code('::ffff:192.0.2.1'), code('192.0.2.1'));
  assert.equal(code('2001:db8:1:2::1'), code('2001:DB8:1:2:ffff::2'));
  assert.notEqual(code('2001:db8:1:2::1'), code('2001:db8:1:3::1'));
});

test('a hit of today without a visitor gets the code of the running server, and no other does', () => {
  asked.length = 0;
  assert.equal(codeOf({ ...PASSED, at: NOW, ip: '::ffff:192.0.2.7' }), 42);
  assert.deepEqual(asked, [[TODAY, 7, '192.0.2.7', 'Agent']]);
  assert.equal(codeOf({ ...PASSED, at: '2026-03-05T00:00:00Z' }), 42);
  assert.equal(asked.length, 2);
  for (const fields of [
    { ...HIT, at: NOW },
    { ...PASSED, visitor: 'v', at: NOW },
    { ...PASSED, at: '2026-03-04T23:59:59Z' },
  ]) {
    assert.notEqual(codeOf(fields), 42);
  }
  assert.equal(asked.length, 2);
});

test('a hit has the date that the zone of the site shows, and today is the day that runs there', () => {
  asked.length = 0;
  const inZone = (timeZone: string, earliestDay = 0) =>
    ndjson({ ...deps, site: { ...deps.site, timeZone, earliestDay } });
  const dayOf = (at: string, reader: typeof read): [day: number, second: number] => {
    const { day, second } = hitOf({ ...PASSED, at }, reader);
    return [day - TODAY, second];
  };
  const berlin = inZone('Europe/Berlin');
  assert.deepEqual(dayOf('2026-03-04T22:59:59Z', berlin), [-1, 82_799]);
  assert.equal(asked.length, 0);
  assert.deepEqual(dayOf('2026-03-04T23:00:00Z', berlin), [0, -3_600]);
  assert.deepEqual(asked.splice(0), [[TODAY, 7, '192.0.2.1', 'Agent']]);
  assert.deepEqual(dayOf('2026-03-05T10:00:00Z', inZone('Pacific/Kiritimati')), [1, -50_400]);
  assert.deepEqual(asked.splice(0), [[TODAY + 1, 7, '192.0.2.1', 'Agent']]);
  // The running day began in another zone; what is of the date of the new one is a day that is over.
  assert.deepEqual(dayOf('2026-03-05T11:00:00Z', inZone('Etc/GMT+12', TODAY + 1)), [-1, 126_000]);
  assert.equal(asked.length, 0);
});
