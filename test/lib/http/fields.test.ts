import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Day, PositiveId, Switch, text } from '../../../src/lib/http/fields.ts';
import { isDay } from '../../../src/lib/time.ts';
import { anyText } from '../../support/text.ts';
import { RUNS, sentence, taken } from './taken.ts';

test('text is counted in code points, so that an emoji is one character', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.constantFrom('a', 'ü', '😀', '\u{10ffff}', '\u0000'), (n, one) => {
      assert.equal(taken(text(n), one.repeat(n)), one.repeat(n));
      assert.equal(sentence(text(n), one.repeat(n + 1)), `Must have at most ${n} characters.`);
    }),
    RUNS,
  );
});

test('text is taken as it came or refused', () => {
  const pieces = fc.oneof(anyText(), fc.constantFrom('\ud83d', '\ude00', ' ', '\r\n'));
  fc.assert(
    fc.property(
      fc.array(pieces).map((all) => all.join('')),
      fc.integer({ min: 1, max: 10 }),
      (value, n) => {
        const points = Array.from(value).length;
        const isGood = points >= 1 && points <= n && Buffer.from(value, 'utf8').toString('utf8') === value;
        assert.equal(taken(text(n), value), isGood ? value : undefined);
      },
    ),
    { numRuns: 5_000 },
  );
});

test('half a surrogate pair and no text at all are refused with their reason', () => {
  for (const half of ['\ud83d', '\ude00', 'a\ud83db', '\ude00\ud83d']) {
    assert.equal(sentence(text(10), half), 'Must be valid Unicode.');
  }
  assert.equal(sentence(text(10), ''), 'Must not be empty.');
  for (const value of [undefined, null, 1, [], {}]) assert.equal(sentence(text(10), value), 'Must be text.');
});

test('an id is a positive whole number that JSON carries exactly', () => {
  for (const id of [1, 2, Number.MAX_SAFE_INTEGER]) assert.equal(taken(PositiveId, id), id);
  const wrong = [
    0,
    -0,
    -1,
    1.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.MAX_SAFE_INTEGER + 1,
    '1',
    1n,
    true,
    null,
    [1],
  ];
  for (const value of wrong) assert.equal(taken(PositiveId, value), undefined, String(value));
});

test('a day is one that exists, and a switch is true or false', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{4}-\d\d-\d\d$/), (day) => {
      assert.equal(taken(Day, day), isDay(day) ? day : undefined);
    }),
    { numRuns: 1_000 },
  );
  for (const value of ['2026-02-29', '2026-1-1', '', 20_260_101, null]) {
    assert.equal(sentence(Day, value), 'Must be a day such as 2026-01-31.');
  }
  assert.deepEqual([taken(Switch, true), taken(Switch, false)], [true, false]);
  for (const value of [0, 1, 'true', '', null]) assert.equal(sentence(Switch, value), 'Must be true or false.');
});
