import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findPatternFault, makeMatcher } from '../../src/lib/pattern.ts';
import { matches } from '../stats/visits.ts';
import { anyText } from '../support/text.ts';

const letters = (...of: string[]) => fc.array(fc.constantFrom(...of), { maxLength: 12 }).map((all) => all.join(''));

test('a pattern fits the texts that it fits by trying all there is', () => {
  const property = fc.property(letters('a', 'b', 'a', '*'), letters('a', 'b', 'a'), (pattern, text) => {
    assert.equal(makeMatcher(pattern)(text), matches(text, pattern));
  });
  fc.assert(property, { numRuns: 20_000 });
});

test('all but the star is itself', () => {
  const property = fc.property(anyText(), anyText(), (one, other) => {
    if (one.includes('*')) return;
    assert.ok(makeMatcher(one)(one));
    assert.equal(makeMatcher(one)(other), one === other);
    assert.ok(makeMatcher(`*${one}*`)(other + one + other));
    assert.ok(makeMatcher(`${one}*`)(one + other));
  });
  fc.assert(property, { numRuns: 2_000 });
});

test('a pattern has at most 1,024 characters and 16 stars', () => {
  const good = ['*', '*'.repeat(16), 'a'.repeat(1_024), '\u{1f600}'.repeat(1_024)];
  for (const pattern of good) assert.equal(findPatternFault(pattern), undefined);
  for (const pattern of ['', '*'.repeat(17), 'a'.repeat(1_025)]) assert.ok(findPatternFault(pattern));
});
