import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../support/text.ts';
import { type Fields, HIT, PASSED, refusalOn } from '../reading.ts';

const TIME = /^line 17: at: must be a time such as 2026-01-05T10:00:00Z, not "/;
const PAST = /^line 17: at: must be in the past, from 1970 on, not "/;
const ADDRESS = /^line 17: url: must be such as https:\/\/example\.com\/page, not "/;
const NOBODY = /^line 17: visitor: is required where there are not both ip and agent$/;

/** Fields of line 17, and what is said of them. */
const RULES: [Fields, RegExp][] = [
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
  ].map((at): [Fields, RegExp] => [{ ...HIT, at }, TIME]),
  [{ ...HIT, at: '2026-03-05T12:00:01Z' }, PAST],
  [{ ...HIT, at: '2026-03-05T12:00:00-01:00' }, PAST],
  [{ ...HIT, at: '1969-12-31T23:59:59Z' }, PAST],
  [{ ...HIT, at: '1970-01-01T00:00:00+01:00' }, PAST],
  [{ ...HIT, url: undefined }, /^line 17: url: is required$/],
  [{ ...HIT, url: '' }, /^line 17: url: is required$/],
  ...['/page', 'example.com/page', 'ftp://example.com/', 'javascript:alert(1)', 'https://', 'https://?x', 'https:'].map(
    (typed): [Fields, RegExp] => [{ ...HIT, url: typed }, ADDRESS],
  ),
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
  [{ ...HIT, visitor: undefined }, NOBODY],
  [{ ...HIT, visitor: '' }, NOBODY],
  [{ ...PASSED, agent: undefined }, NOBODY],
  [{ ...PASSED, agent: '' }, NOBODY],
  [{ ...PASSED, ip: undefined }, NOBODY],
  [{ ...PASSED, ip: '192.0.2.256' }, /^line 17: ip: must be an IP address, not "192\.0\.2\.256"$/],
  [{ ...HIT, ip: '192.0.2.1:80' }, /^line 17: ip: must be an IP address, not /],
  [
    { ...HIT, vistor: 'v' },
    /^line 17: "vistor": is not known. Known fields: at, url, .*, visitor, .*, browser_version, os, os_version, screen, language$/,
  ],
  [{ ...HIT, vistor: '' }, /^line 17: "vistor": is not known\. /],
  [{ ...HIT, constructor: 'v' }, /^line 17: "constructor": is not known\. /],
  [{ ...HIT, 'a\u001b[2J': 'v' }, /^line 17: "a\\u001b\[2J": is not known\. /],
];

test('a value that is nested deeper than a program can follow is refused like any other', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  assert.equal(refusalOn(`{"at":${deep}}`), 'line 17: at: must be text, not a nested list');
});

test('what is wrong with a line is said with its number, its field and what would be right', () => {
  for (const [fields, message] of RULES) assert.match(refusalOn(JSON.stringify(fields)), message);
  assert.match(
    refusalOn(`{"__proto__": {}, ${JSON.stringify(HIT).slice(1)}`),
    /^line 17: "__proto__": is not known\. /,
  );
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
    fc.property(anyText({ maxLength: 300 }), (at) => {
      const message = refusalOn(JSON.stringify({ ...HIT, at: `-${at}` }));
      assert.doesNotMatch(message, /[\p{C}\p{Zl}\p{Zp}]/u);
      assert.ok((message.split(', not ')[1] ?? '').length <= 60 * '\\u{10ffff}'.length + 2);
    }),
  );
});

test('properties that are nested too deeply to be written are refused with their line', () => {
  const depth = 25_000;
  const { at, url, visitor } = HIT;
  const line = JSON.stringify({ at, url, visitor, props: 0 }).replace(
    '0}',
    `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`,
  );
  assert.equal(refusalOn(line), 'line 17: props: must be an object, not a nested list');
});
