import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { findStep, readBase32, writeBase32, writeOtpauth } from '../../src/auth/totp.ts';

const KEY = Buffer.from('12345678901234567890');

test('the codes are those of RFC 6238, by their last six digits', () => {
  for (const [time, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const) {
    assert.equal(findStep(KEY, code, time, 0), Math.floor(time / 30));
    assert.equal(findStep(KEY, code, time + 1_000, 0), undefined);
  }
});

test('a clock may be one step off, and no code counts after one of its step or a later one', () => {
  const step = 41_152_263;
  const [code, time] = ['005924', step * 30];
  for (const [at, expected] of [
    [time - 31, undefined],
    [time - 30, step],
    [time + 59, step],
    [time + 60, undefined],
  ] as const)
    assert.equal(findStep(KEY, code, at, 0), expected, String(at - time));
  assert.equal(findStep(KEY, code, time, step - 1), step);
  assert.equal(findStep(KEY, code, time, step), undefined);
});

test('a secret is read as it was written, and nothing else is taken for one', () => {
  assert.equal(writeBase32(KEY), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  for (let i = 0; i < 100; i++) {
    const bytes = randomBytes(20);
    assert.deepEqual(readBase32(writeBase32(bytes)), bytes);
  }
  for (const text of ['', 'GEZDGNBVGY3TQOJQ', `${writeBase32(KEY)}A`, writeBase32(KEY).toLowerCase()])
    assert.equal(readBase32(text), undefined, text);
});

test('the link names the server and the account', () => {
  const link = new URL(writeOtpauth('ann@example.com', 'stats.example:8377', 'SECRET'));
  assert.equal(link.protocol, 'otpauth:');
  assert.equal(decodeURIComponent(link.pathname), '/daybook stats.example:8377:ann@example.com');
  assert.deepEqual(Object.fromEntries(link.searchParams), { secret: 'SECRET', issuer: 'daybook stats.example:8377' });
});
