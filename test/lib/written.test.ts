import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '../../src/lang/languages.ts';
import { writtenIn } from '../../src/lib/written.ts';

test('figures are written as people write them, with one fixed decimal', () => {
  const { percent, signedNumber, signedPercent, points, signedPoints, duration, shortDuration } = writtenIn('en');
  assert.deepEqual([9.6, 10, 0, 12.25].map(percent), ['9.6%', '10.0%', '0.0%', '12.3%']);
  assert.deepEqual([4950, -3.1, 0].map(signedPercent), ['+4,950.0%', '−3.1%', '0.0%']);
  assert.deepEqual([1250, -20, 0].map(signedNumber), ['+1,250', '−20', '0']);
  assert.deepEqual([points(2), signedPoints(2.1), signedPoints(-0.4)], ['2.0 pp', '+2.1 pp', '−0.4 pp']);
  assert.deepEqual([0, 59, 60, 87, 3599, 3600, 7262].map(duration), [
    '0s',
    '59s',
    '1m 0s',
    '1m 27s',
    '59m 59s',
    '1h 0m',
    '2h 1m',
  ]);
  assert.deepEqual([0, 20, 60, 90, 3600, 5400].map(shortDuration), ['0s', '20s', '1m', '1m 30s', '1h', '1h 30m']);
});

test('figures: a negative number has a minus sign, and no hyphen, in each language', () => {
  for (const language of LANGUAGES) {
    const { number, percent, signedPercent, points } = writtenIn(language);
    for (const write of [number, percent, signedPercent, points]) assert.match(write(-21.8), /^−21[.,]8/, language);
  }
});

test('other languages write them in their own way', () => {
  const { number, percent } = writtenIn('de');
  assert.equal(number(1_234_567), '1.234.567');
  assert.match(percent(9.6), /^9,6\s%$/);
});
