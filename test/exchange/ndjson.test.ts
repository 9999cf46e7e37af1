import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countries } from '../../src/classify/country.ts';
import { hitReader } from '../../src/exchange/file-hits.ts';
import { parseHit } from '../../src/exchange/ndjson.ts';
import { Refusal } from '../../src/lib/errors.ts';
import { TEXT_FIELDS, type TextField } from '../../src/stats/dimensions.ts';

const NOW = '2026-03-05T12:00:00Z';
const TODAY = Date.parse(NOW.slice(0, 10)) / 86_400_000;
const clock = { now: () => Date.parse(NOW), tick: () => 0 };
const known = countries(undefined, clock, () => {});
const asked: unknown[][] = [];
const deps = {
  site: { id: 7, domain: 'example.com' },
  countries: known,
  clock,
  key: Buffer.alloc(32, 1),
  codeOf(...question: unknown[]): number {
    asked.push(question);
    return 42;
  },
};

/** Lines as an import reads them. */
function ndjson(more: typeof deps) {
  const hitOf = hitReader(more);
  return (line: string, number: number) => {
    const hit = parseHit(line, number);
    return hit && hitOf(hit, number);
  };
}
const read = ndjson(deps);

type Fields = Record<string, unknown>;
const HIT: Fields = { at: '2026-01-05T10:00:00Z', url: 'https://example.com/', visitor: 'v' };
const PASSED: Fields = { at: HIT.at, url: HIT.url, ip: '192.0.2.1', agent: 'Agent' };

function hitOf(fields: Fields, reader = read) {
  const hit = reader(JSON.stringify(fields), 1);
  assert.ok(hit);
  return hit;
}

/** The words of a hit that are not empty. */
function wordsOf(fields: Fields): Partial<Record<TextField, string>> {
  const { texts } = hitOf(fields);
  assert.equal(texts.length, TEXT_FIELDS.length);
  return Object.fromEntries(TEXT_FIELDS.map((word, i) => [word, texts[i]]).filter(([, text]) => text !== ''));
}

const codeOf = (fields: Fields, reader = read): number => hitOf(fields, reader).visitor;

const refusalOf = (work: () => unknown): string => {
  let message = '';
  assert.throws(work, (error) => {
    assert.ok(error instanceof Refusal, String(error));
    message = error.message;
    return true;
  });
  return message;
};

const refusalOn = (line: string): string => refusalOf(() => read(line, 17));

test('a line with everything gives a hit with all its words', () => {
  const hit = hitOf({
    at: '2026-01-05T10:00:07Z',
    url: 'https://example.com/a/?utm_source=n&utm_medium=mail&utm_campaign=spring#x',
    referrer: 'https://www.X.org/path',
    event: 'signup',
    label: 'pro',
    visitor: 'v1',
    ip: '192.0.2.1',
    agent: 'anything',
    country: 'de',
    device: 'Tablet',
    browser: 'Brave',
    os: 'Haiku',
  });
  assert.equal(hit.day, Date.UTC(2026, 0, 5) / 86_400_000);
  assert.equal(hit.second, 36_007);
  assert.deepEqual(Object.fromEntries(TEXT_FIELDS.map((word, i) => [word, hit.texts[i]])), {
    page: '/a',
    event: 'signup',
    label: 'pro',
    source: 'x.org',
    utm_source: 'n',
    utm_medium: 'mail',
    utm_campaign: 'spring',
    country: 'DE',
    device: 'Tablet',
    browser: 'Brave',
    os: 'Haiku',
  });
});

test('at is a moment with any offset; fractions are cut', () => {
  for (const [at, expected] of [
    ['2026-01-05T10:00:00Z', '2026-01-05T10:00:00Z'],
    ['2026-01-05T10:00Z', '2026-01-05T10:00:00Z'],
    ['2026-01-05T10:00:00.999999Z', '2026-01-05T10:00:00Z'],
    ['2026-01-05T10:00:00,5Z', '2026-01-05T10:00:00Z'],
    ['2026-01-05T01:30:00+02:00', '2026-01-04T23:30:00Z'],
    ['2026-01-05T01:30:00+0200', '2026-01-04T23:30:00Z'],
    ['2026-01-05T01:30:00+02', '2026-01-04T23:30:00Z'],
    ['2026-01-05T23:30:00.25-09:30', '2026-01-06T09:00:00Z'],
    ['2026-01-05T23:30-0100', '2026-01-06T00:30:00Z'],
    ['2024-02-29T23:59:59-00:00', '2024-02-29T23:59:59Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['1969-12-31T23:00:00-01:00', '1970-01-01T00:00:00Z'],
    [NOW, NOW],
  ] as const) {
    const { day, second } = hitOf({ ...HIT, at });
    assert.equal((day * 86_400 + second) * 1000, Date.parse(expected), at);
    assert.ok(second >= 0 && second < 86_400, at);
  }
});

test('at agrees with Date.parse on any moment in the usual form and with an offset', () => {
  const two = (n: number): string => String(n).padStart(2, '0');
  const moment = fc.tuple(
    fc.integer({ min: 1971, max: 2025 }),
    fc.nat(13),
    fc.nat(32),
    fc.nat(24),
    fc.nat(60),
    fc.nat(60),
  );
  const offset = fc.oneof(
    fc.constant('Z'),
    fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59)).map(([sign, h, m]) => `${sign}${two(h)}:${two(m)}`),
  );
  let good = 0;
  fc.assert(
    fc.property(moment, offset, ([year, month, day, hour, minute, of], zone) => {
      const date = `${year}-${two(month)}-${two(day)}`;
      const at = `${date}T${two(hour)}:${two(minute)}:${two(of)}${zone}`;
      const time = Date.parse(at);
      // Date.parse takes the 30th of February for the 2nd of March, and 24:00 for the next midnight.
      const isReal = hour < 24 && new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date);
      if (Number.isNaN(time) || !isReal) assert.match(refusalOn(JSON.stringify({ ...HIT, at })), /^line 17: at: /);
      else {
        const hit = hitOf({ ...HIT, at });
        assert.equal(hit.day * 86_400 + hit.second, time / 1000, at);
        good++;
      }
    }),
    { numRuns: 2_000 },
  );
  assert.ok(good > 500);
});

test('what is wrong with a line is said with its number, its field and what would be right', () => {
  const time = /^line 17: at: must be a time such as 2026-01-05T10:00:00Z, not "/;
  const past = /^line 17: at: must be in the past, from 1970 on, not "/;
  const url = /^line 17: url: must be such as https:\/\/example\.com\/page, not "/;
  const nobody = /^line 17: visitor: is required where there are not both ip and agent$/;
  const rules: [Fields, RegExp][] = [
    [{ ...HIT, at: undefined }, /^line 17: at: is required$/],
    [{ ...HIT, at: '' }, /^line 17: at: is required$/],
    [{ ...HIT, at: 1_767_607_200 }, /^line 17: at: must be text, not 1767607200$/],
    ...[
      'yesterday',
      '2026-01-05',
      '2026-01-05T10:00:00',
      '2026-01-05 10:00:00Z',
      '2026-02-29T10:00:00Z',
      '2026-04-31T10:00:00Z',
      '2026-13-01T10:00:00Z',
      '2026-00-01T10:00:00Z',
      '2026-01-05T24:00:00Z',
      '2026-01-05T10:60:00Z',
      '2026-01-05T10:00:60Z',
      '2026-01-05T10:00:00.Z',
      '2026-01-05T10:00:00+24:00',
      '2026-01-05T10:00:00+02:60',
      '2026-01-05T10:00:00+02:',
      '2026-01-05T10:00:00+2',
      ' 2026-01-05T10:00:00Z',
      '2026-01-05T10:00:00Z\n',
      '+002026-01-05T10:00:00Z',
      '２０２６-01-05T10:00:00Z',
    ].map((at): [Fields, RegExp] => [{ ...HIT, at }, time]),
    [{ ...HIT, at: '2026-03-05T12:00:01Z' }, past],
    [{ ...HIT, at: '2026-03-05T12:00:00-01:00' }, past],
    [{ ...HIT, at: '1969-12-31T23:59:59Z' }, past],
    [{ ...HIT, at: '1970-01-01T00:00:00+01:00' }, past],
    [{ ...HIT, url: undefined }, /^line 17: url: is required$/],
    [{ ...HIT, url: '' }, /^line 17: url: is required$/],
    ...[
      '/page',
      'example.com/page',
      'ftp://example.com/',
      'javascript:alert(1)',
      'https://',
      'https://?x',
      'https:',
    ].map((typed): [Fields, RegExp] => [{ ...HIT, url: typed }, url]),
    [{ ...HIT, url: ['https://example.com/'] }, /^line 17: url: must be text, not \["https:/],
    [{ ...HIT, event: 'e'.repeat(121) }, /^line 17: event: must have at most 120 characters, not "e{60}…$/],
    [{ ...HIT, event: '\ud800' }, /^line 17: event: must be well-formed Unicode, not "\\ud800"$/],
    [{ ...HIT, event: 'e', label: 'l'.repeat(201) }, /^line 17: label: must have at most 200 characters, /],
    [{ ...HIT, label: 'l'.repeat(201) }, /^line 17: label: must have at most 200 characters, /],
    [{ ...HIT, browser: 'b'.repeat(201) }, /^line 17: browser: must have at most 200 characters, /],
    [{ ...HIT, os: 'o'.repeat(201) }, /^line 17: os: must have at most 200 characters, /],
    [{ ...HIT, country: 'DEU' }, /^line 17: country: must be two letters such as DE, not "DEU"$/],
    [{ ...HIT, country: 'D1' }, /^line 17: country: must be two letters such as DE, not "D1"$/],
    [{ ...HIT, country: 'ÄÖ' }, /^line 17: country: must be two letters such as DE, not "ÄÖ"$/],
    [{ ...HIT, device: 'mobile' }, /^line 17: device: must be Desktop, Mobile or Tablet, not "mobile"$/],
    [{ ...HIT, visitor: 5 }, /^line 17: visitor: must be text, not 5$/],
    [{ ...HIT, referrer: null }, /^line 17: referrer: must be text, not null$/],
    [{ ...HIT, label: { a: 1 } }, /^line 17: label: must be text, not \{"a":1\}$/],
    [{ ...HIT, visitor: undefined }, nobody],
    [{ ...HIT, visitor: '' }, nobody],
    [{ ...PASSED, agent: undefined }, nobody],
    [{ ...PASSED, agent: '' }, nobody],
    [{ ...PASSED, ip: undefined }, nobody],
    [{ ...PASSED, ip: '192.0.2.256' }, /^line 17: ip: must be an IP address, not "192\.0\.2\.256"$/],
    [{ ...HIT, ip: '192.0.2.1:80' }, /^line 17: ip: must be an IP address, not /],
    [{ ...HIT, vistor: 'v' }, /^line 17: "vistor": is not known; known are at, url, .*, visitor, .*, browser, os$/],
    [{ ...HIT, vistor: '' }, /^line 17: "vistor": is not known; /],
    [{ ...HIT, constructor: 'v' }, /^line 17: "constructor": is not known; /],
    [{ ...HIT, 'a\u001b[2J': 'v' }, /^line 17: "a\\u001b\[2J": is not known; /],
  ];
  for (const [fields, message] of rules) assert.match(refusalOn(JSON.stringify(fields)), message);
  assert.match(refusalOn(`{"__proto__": {}, ${JSON.stringify(HIT).slice(1)}`), /^line 17: "__proto__": is not known; /);
  for (const line of ['[]', '[{}]', '17', 'null', '"text"', '{', '{"at":', `${JSON.stringify(HIT)},`, '\ufeff{}']) {
    assert.match(refusalOn(line), /^line 17: must be a JSON object on a line of its own, not /, line);
  }
});

test('what a refusal shows of a value is at most 60 characters, and none that could not be seen', () => {
  const hostile = `\u001b[2J\r\n\u009b\u202e\u2028\u{e0041}`;
  assert.match(
    refusalOn(JSON.stringify({ ...HIT, at: hostile })),
    /not "\\u001b\[2J\\r\\n\\u\{9b\}\\u\{202e\}\\u\{2028\}\\u\{e0041\}"$/,
  );
  assert.match(refusalOn(JSON.stringify({ ...HIT, at: '😀'.repeat(61) })), /not "(?:😀){60}…$/u);
  assert.match(refusalOn(JSON.stringify({ ...HIT, at: '😀'.repeat(60) })), /not "(?:😀){60}"$/u);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (at) => {
      const message = refusalOn(JSON.stringify({ ...HIT, at: `-${at}` }));
      assert.doesNotMatch(message, /[\p{C}\p{Zl}\p{Zp}]/u);
      assert.ok((message.split(', not ')[1] ?? '').length <= 60 * '\\u{10ffff}'.length + 2);
    }),
  );
});

test('limits count characters, and what is just as long is taken', () => {
  const fields = {
    ...HIT,
    event: '😀'.repeat(120),
    label: '😀'.repeat(200),
    browser: '😀'.repeat(200),
    os: '😀'.repeat(200),
  };
  const { event, label, browser, os } = wordsOf(fields);
  assert.deepEqual({ ...HIT, event, label, browser, os }, fields);
});

test('a blank line is no hit, and white space around one does not matter', () => {
  for (const line of ['', ' ', '\t', '\r', ' \t\r']) assert.equal(read(line, 1), undefined, JSON.stringify(line));
  assert.deepEqual(read(` ${JSON.stringify(HIT)} \r`, 1), hitOf(HIT));
});

test('with engaged a line is a message of that many seconds, as a number or as text', () => {
  assert.equal(hitOf(HIT).engaged, undefined);
  for (const [engaged, seconds] of [
    [0, 0],
    [25, 25],
    ['25', 25],
  ]) {
    assert.equal(hitOf({ ...HIT, engaged }).engaged, seconds);
  }
  for (const engaged of [-1, 1.5, 100_000, 'x']) {
    const message = refusalOn(JSON.stringify({ ...HIT, engaged }));
    assert.match(message, /^line 17: engaged: must be whole seconds, with at most five digits, not "/);
  }
  assert.match(refusalOn(JSON.stringify({ ...HIT, engaged: null })), /^line 17: engaged: must be text, not null$/);
});

test('empty texts count as absent', () => {
  const empty = { referrer: '', event: '', label: '', ip: '', agent: '', country: '', device: '', browser: '', os: '' };
  assert.deepEqual(hitOf({ ...HIT, ...empty }), hitOf(HIT));
  assert.deepEqual(hitOf({ ...PASSED, visitor: '' }), hitOf(PASSED));
  assert.deepEqual(wordsOf({ ...HIT, ...empty }), { page: '/' });
});

test('a label without an event is dropped', () => {
  assert.deepEqual(wordsOf({ ...HIT, label: 'pro' }), { page: '/' });
  assert.deepEqual(wordsOf({ ...HIT, event: 'buy' }), { page: '/', event: 'buy' });
});

test('the page is that of any host, without query, fragment and trailing slashes', () => {
  for (const [url, page] of [
    ['https://elsewhere.test/a/b/', '/a/b'],
    ['HTTP://user:pass@EXAMPLE.com:8080/A//b//', '/A//b'],
    ['https://example.com', '/'],
    ['https://example.com?a=/b', '/'],
    ['https://example.com#/c?d', '/'],
    ['https://example.com/é?x#y', '/%C3%A9'],
    ['https://example.com/a/../b#?utm_source=no', '/b'],
    ['  https://example.com/\ta\n?utm_source=', '/a'],
    [`https://example.com/${'x'.repeat(2_000)}`, `/${'x'.repeat(1_023)}`],
  ] as const) {
    assert.deepEqual(wordsOf({ ...HIT, url }), { page }, url);
  }
});

test('page and tags are what the whole address gives, whatever stands in front of or behind its query', () => {
  const sign = fc.constantFrom(
    '?',
    '#',
    '/',
    '&',
    '=',
    '\\',
    '%3F',
    ' ',
    'utm_source',
    'utm_medium',
    'ref',
    'source',
    'a',
  );
  const tail = fc.array(sign, { maxLength: 8 }).map((signs) => signs.join(''));
  fc.assert(
    fc.property(
      fc.constantFrom('https://example.com', 'http://[::1]:80/x', 'https:', 'https://a'),
      tail,
      (head, more) => {
        const url = URL.parse(head + more);
        if (!url) return assert.match(refusalOn(JSON.stringify({ ...HIT, url: head + more })), /^line 17: url: /);
        const { page, utm_source = '', utm_medium = '' } = wordsOf({ ...HIT, url: url.href });
        assert.deepEqual(wordsOf({ ...HIT, url: head + more }), wordsOf({ ...HIT, url: url.href }));
        const { searchParams: tags } = url;
        const of = (name: string): string => tags.get(name)?.trim() ?? '';
        assert.equal(page, url.pathname.replace(/\/+$/, '') || '/');
        assert.equal(utm_source, of('utm_source') || of('source') || of('ref'));
        assert.equal(utm_medium, of('utm_medium'));
      },
    ),
    { numRuns: 1_000 },
  );
});

test('the site itself and what is no web address are no source', () => {
  for (const referrer of [
    'https://example.com/',
    'https://www.example.com/a',
    'https://shop.example.com/',
    'no url',
    'http://10.0.0.1/',
  ]) {
    assert.deepEqual(wordsOf({ ...HIT, referrer }), { page: '/' }, referrer);
  }
  assert.equal(wordsOf({ ...HIT, referrer: 'https://news.example.org/x?y' }).source, 'news.example.org');
});

test('what a line says of a visitor wins over what address and agent say, each for itself', () => {
  const ip = '8.8.8.8';
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0';
  const country = known.countryOf(ip);
  assert.equal(country, 'US');
  const found = { page: '/', country, device: 'Desktop', browser: 'Firefox', os: 'Linux' };
  assert.deepEqual(wordsOf({ ...PASSED, ip, agent }), found);
  assert.deepEqual(wordsOf({ ...HIT, ip, agent }), found);
  assert.deepEqual(wordsOf({ ...HIT, ip }), { page: '/', country });
  assert.deepEqual(wordsOf({ ...HIT, agent }), { page: '/', device: 'Desktop', browser: 'Firefox', os: 'Linux' });
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

test('CRLF ends a line too', () => {
  for (const fields of [HIT, { ...HIT, event: 'ü' }]) {
    assert.deepEqual(read(`${JSON.stringify(fields)}\r`, 1), hitOf(fields));
  }
  assert.equal(read('\r', 1), undefined);
});
