import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HIT, hitOf, NOW, refusalOn } from '../reading.ts';

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
