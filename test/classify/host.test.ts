import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import { spellHost } from '../../src/classify/host.ts';
import { chance } from '../support/random.ts';

test('a host has one spelling, and a text that is no host stays what it is', () => {
  const spelled: Record<string, string> = {
    'WWW.Example.com': 'www.example.com',
    'München.de': 'xn--mnchen-3ya.de',
    '': '',
    'Example.com/A': 'example.com/a',
    'https://Example.com': 'https://example.com',
    'example.com?a': 'example.com?a',
    'example.com#a': 'example.com#a',
    'a@Example.com': 'a@example.com',
    '%65xample.com': '%65xample.com',
    'exa\tmple.com': 'exa\tmple.com',
    'example.com:80': 'example.com:80',
    '[::1]': '[::1]',
    '(other)': '(other)',
  };
  for (const [typed, host] of Object.entries(spelled)) assert.equal(spellHost(typed), host, typed);
  const long = 'ä'.repeat(254);
  assert.equal(spellHost(long), long);
});

test('a plain host is spelled as Node spells it', (t) => {
  const random = chance(t);
  const letters = [...'abcxn019--..'];
  for (let i = 0; i < 20_000; i++) {
    const length = 1 + Math.floor(random() * 12);
    const host = Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
    assert.equal(spellHost(host), domainToASCII(host) || host, host);
  }
});
