import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDay, formatMonth, isDay, iso, seconds } from '../../src/lib/time.ts';

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const lengthOf = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (DAYS[month - 1] ?? Number.NaN);

const padded = (n: number, width: number): string => String(n).padStart(width, '0');
const written = (year: number, month: number, day: number): string =>
  `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;

/** What a day is, by counting. */
function isDayByCounting(text: string): boolean {
  const [year = '', month = '', day = '', ...more] = text.split('-');
  const isWritten = more.length === 0 && /^[0-9]{4}$/.test(year) && /^[0-9]{2}$/.test(month) && /^[0-9]{2}$/.test(day);
  return isWritten && Number(day) >= 1 && Number(day) <= lengthOf(Number(year), Number(month));
}

test('isDay knows every day from 1996 to 2104, and none besides', () => {
  let days = 0;
  for (let year = 1996; year <= 2104; year++) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const expected = day >= 1 && day <= lengthOf(year, month);
        assert.equal(isDay(written(year, month, day)), expected, written(year, month, day));
        if (expected) days++;
      }
    }
  }
  // 27 leap years, because 2100 is none.
  assert.equal(days, 109 * 365 + 27);
});

test('isDay agrees with counting on any text', () => {
  const digits = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
  const nearly = fc
    .tuple(digits(4), digits(2), digits(2), fc.constantFrom('', ' ', '\n', 'Z', 'T00:00:00Z', '-'))
    .map(([year, month, day, more]) => `${year}-${month}-${day}${more}`);
  fc.assert(
    fc.property(fc.oneof(nearly, fc.string({ unit: fc.constantFrom(...'0123456789-+T') }), fc.string()), (text) => {
      assert.equal(isDay(text), isDayByCounting(text));
    }),
    { numRuns: 5_000 },
  );
});

test('digits of other scripts, signs and years of six digits are no days', () => {
  for (const text of [
    '２０２４-01-01',
    '٢٠٢٤-٠١-٠١',
    '+02024-01-01',
    '-002024-01-01',
    '2024-1-1',
    '2024-01-01\n',
    '',
  ]) {
    assert.equal(isDay(text), false, JSON.stringify(text));
  }
});

test('a second is written in UTC without fractions, and its day and month are the beginning of that', () => {
  const last = Date.parse('9999-12-31T23:59:59Z') / 1000;
  fc.assert(
    fc.property(fc.integer({ min: Date.parse('0000-01-01T00:00:00Z') / 1000, max: last }), (second) => {
      const text = iso(second);
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.equal(Date.parse(text), second * 1000);
      assert.equal(formatDay(second), text.slice(0, 10));
      assert.equal(formatMonth(second), text.slice(0, 7));
      assert.ok(isDay(formatDay(second)));
    }),
    { numRuns: 2_000 },
  );
});

test('a day begins at midnight UTC and a month with its first day', () => {
  const midnight = Date.parse('2024-03-01T00:00:00Z') / 1000;
  assert.equal(iso(midnight), '2024-03-01T00:00:00Z');
  assert.equal(iso(midnight - 1), '2024-02-29T23:59:59Z');
  assert.deepEqual([formatDay(midnight - 1), formatDay(midnight)], ['2024-02-29', '2024-03-01']);
  assert.deepEqual([formatMonth(midnight - 1), formatMonth(midnight)], ['2024-02', '2024-03']);
});

test('a second lasts until its last millisecond, also before 1970', () => {
  const at = (now: number): number => seconds({ now: () => now, tick: () => 0 });
  assert.deepEqual([0, 999, 1000, -1].map(at), [0, 0, 1, -1]);
});
